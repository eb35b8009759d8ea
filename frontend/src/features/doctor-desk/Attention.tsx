import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AppointmentsQuery } from '@/api/calls';
import { appointmentsQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import styles from './desk.module.css';
import { VisitCard } from './VisitCard';

/** The confirmed visits ahead, soonest first; what patients ask for beside a status is among them. */
export const AHEAD: AppointmentsQuery = { scope: 'upcoming', status: 'confirmed', pageSize: 100 };

/** Tell whether the patient asks something of the doctor: to cancel, or to move. */
function asks(visit: Appointment): boolean {
  return visit.cancelRequest !== null || visit.proposal?.proposedBy === 'patient';
}

/**
 * The visits whose patients ask something, those who cannot come first. What is dealt with stays
 * among them until the page is left, so that nothing slides away under the pointer.
 * Undefined while that is not known.
 */
export function useAttention(): Appointment[] | undefined {
  const { data, isPending } = useQuery(appointmentsQuery(AHEAD));
  const seen = useRef(new Map<string, number>());
  const visits = data?.appointments ?? [];
  for (const visit of visits) {
    if (asks(visit) && !seen.current.has(visit._id)) {
      seen.current.set(visit._id, visit.cancelRequest ? 0 : 1);
    }
  }
  if (isPending) return undefined;
  const rank = (visit: Appointment) => seen.current.get(visit._id) ?? 2;
  return visits.filter((visit) => rank(visit) < 2).sort((a, b) => rank(a) - rank(b));
}

/** They come before all else. */
export function Attention({ visits, brief }: { visits?: Appointment[]; brief?: boolean }) {
  if (!visits?.length) return null;
  return (
    <section className="stack" aria-labelledby="asking">
      <div className={styles.sectionHead}>
        <h2 id="asking">Patients asking to cancel or move</h2>
      </div>
      <ul className={styles.list} data-wide="" data-top="">
        {visits.map((visit) => (
          <VisitCard key={visit._id} visit={visit} brief={brief} />
        ))}
      </ul>
    </section>
  );
}

/** The visits of a list that do not stand, or will not stand, above it. */
export function others(visits: Appointment[], above: Appointment[] | undefined): Appointment[] {
  return visits.filter((visit) =>
    above ? !above.some(({ _id }) => _id === visit._id) : !asks(visit),
  );
}
