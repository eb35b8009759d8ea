import type { Appointment } from '@/api/types';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { Inline } from '@/ui/Inline';
import { CalendarIcon } from '@/ui/icons';
import styles from './AppointmentTime.module.css';
import { viewerTimeText } from './statusText';

/** A wall-clock time of an appointment, or of one proposed for it. */
export type AppointmentTimeFields = Pick<
  Appointment,
  'appointmentDate' | 'appointmentTime' | 'timeZone' | 'startsAt'
>;

/** When an appointment takes place: the clinic's clock and its zone, and the reader's own when it differs. */
export function AppointmentTime({
  appointment,
  large,
}: {
  appointment: AppointmentTimeFields;
  large?: boolean;
}) {
  const { appointmentDate: date, appointmentTime: time } = appointment;
  const own = viewerTimeText(appointment);
  return (
    <Inline
      gap={2}
      align="start"
      wrap={false}
      className={styles.appointmentTime}
      data-large={large ? '' : undefined}
    >
      <CalendarIcon className={styles.icon} size={large ? 26 : 22} />
      <div>
        <p>
          <time dateTime={appointment.startsAt} className={styles.time}>
            {formatDayTime(date, time)}
          </time>{' '}
          <span className={styles.zone}>{zoneLabel(appointment.timeZone)}</span>
        </p>
        {own && <p className={styles.zone}>{own}</p>}
      </div>
    </Inline>
  );
}
