import type { Appointment, Role } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { isExpired, visitSentence } from './sentence';
import styles from './VisitStatus.module.css';

/** The badge, the sentence that says what it means, and why a visit was cancelled. */
export function VisitStatus({ visit, reader }: { visit: Appointment; reader: Role }) {
  const sentence = visitSentence(visit, reader);
  return (
    <div className={styles.status}>
      <StatusBadge status={visit.status} />
      {sentence && (
        <p>
          {sentence}
          {visit.status === 'cancelled' && visit.cancelReason && !isExpired(visit) && (
            <span className="muted"> Reason: {visit.cancelReason}</span>
          )}
        </p>
      )}
    </div>
  );
}
