import { useQueries, useQuery } from '@tanstack/react-query';
import { appointmentsQuery, doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';

const SHOWN = 3;

/**
 * The doctors whom a patient has seen or booked, latest first; those who take no bookings now are
 * left out. `undefined` until it is known.
 */
export function useKnownDoctors(wanted: boolean): Doctor[] | undefined {
  const visits = useQuery({
    ...appointmentsQuery({ ordering: '-startsAt', pageSize: 50 }),
    enabled: wanted,
  });
  const ids = wanted
    ? [
        ...new Set(
          visits.data?.appointments
            .filter((visit) => visit.status !== 'cancelled')
            .map((visit) => visit.doctor._id),
        ),
      ].slice(0, SHOWN)
    : [];
  const doctors = useQueries({ queries: ids.map((id) => doctorQuery(id)) });

  if (!wanted) return [];
  if (visits.isPending || doctors.some((doctor) => doctor.isPending)) return undefined;
  return doctors.flatMap((doctor) => doctor.data ?? []);
}
