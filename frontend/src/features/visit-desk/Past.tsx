import type { Appointment } from '@/api/types';
import { RecordParts } from '@/domain/record/RecordParts';
import { isBlank, recordedOf } from '@/domain/record/record';
import { formatDate } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { Link } from '@/ui/Link';
import styles from './visit.module.css';

/** What happened with this patient before, with this doctor: a line each, the record behind it. */
export function Past({ visits }: { visits: Appointment[] }) {
  return (
    <Card as="section" tight className={styles.card} aria-labelledby="past">
      <h2 id="past">Earlier visits with you</h2>
      {visits.length === 0 ? (
        <p className="muted">This is the first one.</p>
      ) : (
        <ul className={styles.past}>
          {visits.map((visit, index) => (
            <li key={visit._id}>
              <Disclosure
                summary={<Line visit={visit} />}
                open={index === 0 && !isBlank(recordedOf(visit)) ? true : undefined}
              >
                <div className={styles.pastRecord}>
                  {isBlank(recordedOf(visit)) ? (
                    <p className="muted">Nothing was written.</p>
                  ) : (
                    <RecordParts
                      record={recordedOf(visit)}
                      visitDate={visit.appointmentDate}
                      reader="doctor"
                    />
                  )}
                  <Link href={paths.doctorAppointment(visit._id)}>
                    Open this visit
                    <span className="visually-hidden"> of {formatDate(visit.appointmentDate)}</span>
                  </Link>
                </div>
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({ visit }: { visit: Appointment }) {
  return (
    <span className={styles.pastLine}>
      {formatDate(visit.appointmentDate)}
      <span className={styles.pastWhat}>{whatHappened(visit)}</span>
    </span>
  );
}

/** What one remembers a visit by, in a line. */
function whatHappened(visit: Appointment): string {
  if (visit.attended === false) return 'Did not come';
  if (visit.status !== 'completed') return capitalize(visit.status);
  return visit.diagnosis.split('\n')[0] ?? '';
}
