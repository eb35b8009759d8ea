import { Trans } from '@lingui/react/macro';
import type { Appointment, Role } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Inline } from '@/ui/Inline';
import { AppointmentBadge } from './AppointmentBadge';
import styles from './StatusSummary.module.css';
import { isExpired, statusText } from './statusText';

/** The badge, its explanation, the reason of a cancellation, and the doctor's reply. */
export function StatusSummary({ appointment, reader }: { appointment: Appointment; reader: Role }) {
  const { cancelReason, cancelReply } = appointment;
  const doctor = doctorName(appointment.doctor.name);
  const sentence = statusText(appointment, reader);
  return (
    <Inline rowGap={2} align="start" className={styles.status}>
      <AppointmentBadge appointment={appointment} reader={reader} />
      {sentence && (
        <p>
          {sentence}
          {appointment.status === 'cancelled' && cancelReason && !isExpired(appointment) && (
            <>
              {' '}
              <span className="muted">
                <Trans>Reason: {cancelReason}</Trans>
              </span>
            </>
          )}
          {cancelReply && (
            <span className={styles.reply}>
              {reader === 'doctor' ? (
                <Trans>You replied: {cancelReply}</Trans>
              ) : (
                <Trans>
                  {doctor} replied: {cancelReply}
                </Trans>
              )}
            </span>
          )}
        </p>
      )}
    </Inline>
  );
}
