import type { Appointment, Role } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Inline } from '@/ui/Inline';
import { AppointmentBadge } from './AppointmentBadge';
import styles from './StatusSummary.module.css';
import { isExpired, statusText } from './statusText';

/** The badge, its explanation, the reason of a cancellation, and the doctor's reply. */
export function StatusSummary({ appointment, reader }: { appointment: Appointment; reader: Role }) {
  const sentence = statusText(appointment, reader);
  return (
    <Inline rowGap={2} align="start" className={styles.status}>
      <AppointmentBadge appointment={appointment} reader={reader} />
      {sentence && (
        <p>
          {sentence}
          {appointment.status === 'cancelled' &&
            appointment.cancelReason &&
            !isExpired(appointment) && (
              <span className="muted"> Reason: {appointment.cancelReason}</span>
            )}
          {appointment.cancelReply && (
            <span className={styles.reply}>
              {reader === 'doctor' ? 'You' : doctorName(appointment.doctor.name)} replied:{' '}
              {appointment.cancelReply}
            </span>
          )}
        </p>
      )}
    </Inline>
  );
}
