import type { Appointment } from '@/api/types';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { Inline } from '@/ui/Inline';
import { CalendarIcon } from '@/ui/icons';
import styles from './AppointmentTime.module.css';
import { viewerTimeText } from './statusText';

/** The time of an appointment or proposal. */
export type AppointmentTimeFields = Pick<
  Appointment,
  'appointmentDate' | 'appointmentTime' | 'timeZone' | 'startsAt'
>;

/** The time of an appointment in the clinic's time zone, and in the viewer's if it differs. */
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
