import type { DecisionWaiting } from '@/api/types';
import { formatAge } from '@/lib/age';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Face } from '@/ui/Face';
import { Link } from '@/ui/Link';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

/** The server names no more than this; adminpanel/overview.py DECISIONS. */
const MOST = 20;

/** Doctors who wait to be verified, the oldest first. Decided is on the case page alone. */
export function Decisions({ decisions }: { decisions: DecisionWaiting[] }) {
  const now = new Date(useNow());
  const isFull = decisions.length >= MOST;
  return (
    <section className="stack" data-gap="2" aria-labelledby="decisions">
      <div className={styles.head}>
        <h2 id="decisions">Waiting for your decision</h2>
        {decisions.length > 0 && (
          <span className={styles.count}>{isFull ? `${MOST}+` : decisions.length}</span>
        )}
      </div>
      {decisions.length === 0 ? (
        <p className={styles.nothing}>No doctor waits for a decision.</p>
      ) : (
        <ul className={styles.rows}>
          {decisions.map(({ _id, submittedAt, doctor }) => (
            <li key={_id} className={styles.decision}>
              <Face name={doctor.name} src={doctor.profilePicture} size={48} />
              <div className={styles.who}>
                <strong>{doctorName(doctor.name)}</strong>
                <span className="muted">
                  {[doctor.specialization, doctor.hospital].filter(Boolean).join(', ')}
                </span>
                <time dateTime={submittedAt} className={styles.age}>
                  Waiting for {formatAge(submittedAt, now)}
                </time>
              </div>
              <LinkButton variant="secondary" href={paths.adminDoctor(doctor._id)}>
                View Details
                <span className="visually-hidden"> of {doctorName(doctor.name)}</span>
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
      {isFull && <Link href={paths.adminDoctors()}>All doctors, waiting longest first</Link>}
    </section>
  );
}
