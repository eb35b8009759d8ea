import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { placedKey } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatCount } from '@/lib/counts';
import styles from './dashboard.module.css';
import { VisitRow } from './VisitRow';

/**
 * The rows that the server names, and those that were dealt with on this page, which stay where they
 * are until it is left, so that nothing slides away under the pointer.
 */
export function standing(
  kept: Map<string, Appointment>,
  rows: readonly Appointment[],
  placed: (id: string) => Appointment | undefined,
): Appointment[] {
  const named = new Map(rows.map((visit) => [visit._id, visit]));
  for (const id of kept.keys()) {
    const dealtWith = placed(id);
    if (named.has(id)) continue;
    if (dealtWith) kept.set(id, dealtWith);
    else kept.delete(id);
  }
  for (const [id, visit] of named) kept.set(id, visit);
  return [...kept.values()];
}

/** Live visits ahead that cannot take place as things stand. */
export function Stranded({ visits, total }: { visits: Appointment[]; total: number }) {
  const client = useQueryClient();
  const kept = useRef(new Map<string, Appointment>());
  const rows = standing(kept.current, visits, (id) =>
    client.getQueryData<Appointment>(placedKey(id)),
  );
  return (
    <section className="stack" data-gap="2" aria-labelledby="stranded">
      <div className={styles.head}>
        <h2 id="stranded">Visits that cannot take place</h2>
        {total > 0 && <span className={styles.count}>{formatCount(total)}</span>}
      </div>
      {rows.length === 0 ? (
        <p className={styles.nothing}>Every upcoming appointment can take place.</p>
      ) : (
        <>
          <p className="muted">
            The doctor is no longer listed, or one of the two accounts is stopped. Set that right,
            or cancel the visit with a reason that both sides read.
          </p>
          <ul className={styles.rows}>
            {rows.map((visit) => (
              <VisitRow key={visit._id} visit={visit} />
            ))}
          </ul>
        </>
      )}
      {total > visits.length && (
        <p className="muted">
          The {visits.length} soonest of {formatCount(total)} are shown; the others follow as these
          are dealt with.
        </p>
      )}
    </section>
  );
}
