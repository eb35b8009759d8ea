import type { Appointment } from '@/api/types';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { CalendarIcon } from '@/ui/icons';
import { ownWhen } from './sentence';
import styles from './VisitWhen.module.css';

/** A wall-clock time of a visit, or of one proposed for it. */
export type When = Pick<
  Appointment,
  'appointmentDate' | 'appointmentTime' | 'timeZone' | 'startsAt'
>;

/** When a visit takes place: the clinic's clock and its zone, and the reader's own when it differs. */
export function VisitWhen({ visit, large }: { visit: When; large?: boolean }) {
  const { appointmentDate: date, appointmentTime: time } = visit;
  const own = ownWhen(visit);
  return (
    <div className={styles.when} data-large={large ? '' : undefined}>
      <CalendarIcon className={styles.icon} size={large ? 26 : 22} />
      <div>
        <p>
          <time dateTime={visit.startsAt} className={styles.time}>
            {formatDayTime(date, time)}
          </time>{' '}
          <span className={styles.zone}>{zoneLabel(visit.timeZone)}</span>
        </p>
        {own && <p className={styles.zone}>{own}</p>}
      </div>
    </div>
  );
}
