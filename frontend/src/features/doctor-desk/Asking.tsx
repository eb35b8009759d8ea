import { useQuery } from '@tanstack/react-query';
import type { AppointmentsQuery } from '@/api/calls';
import { appointmentsQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import styles from './desk.module.css';
import { asks, useStanding } from './standing';
import { VisitCard } from './VisitCard';

/** The confirmed visits whose patients ask to cancel or to move. */
const ASKING: AppointmentsQuery = {
  waiting: true,
  status: 'confirmed',
  ordering: 'startsAt',
  pageSize: 50,
};

/**
 * The visits whose patients ask something, those who cannot come first; undefined while that is not
 * known.
 */
export function useAsking(): Appointment[] | undefined {
  const { data } = useQuery(appointmentsQuery(ASKING));
  const sorted = data?.appointments
    .filter(asks)
    .toSorted((a, b) => Number(b.cancelRequest !== null) - Number(a.cancelRequest !== null));
  return useStanding(sorted, asks);
}

/** They come before all else. */
export function Asking({ visits }: { visits: Appointment[] | undefined }) {
  if (!visits?.length) return null;
  return (
    <section className="stack" aria-labelledby="asking">
      <h2 id="asking" className={styles.title}>
        Patients asking to cancel or move
      </h2>
      <ul className={styles.list} data-wide="" data-top="">
        {visits.map((visit) => (
          <VisitCard key={visit._id} visit={visit} />
        ))}
      </ul>
    </section>
  );
}
