import type { Appointment, Role } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { visitSentence } from './sentence';
import styles from './VisitStatus.module.css';

/** The badge, the sentence that says what it means, and why a visit was cancelled. */
export function VisitStatus({ visit, reader }: { visit: Appointment; reader: Role }) {
  return (
    <div className={styles.status}>
      <StatusBadge status={visit.status} />
      <p>
        {visitSentence(visit, reader)}
        {visit.status === 'cancelled' && visit.cancelReason && (
          <span className="muted"> Reason: {visit.cancelReason}</span>
        )}
      </p>
    </div>
  );
}
