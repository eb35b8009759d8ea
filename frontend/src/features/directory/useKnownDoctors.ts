import { useQuery, useQueryClient } from '@tanstack/react-query';
import { appointmentsQuery, doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';

const MAX_DOCTORS = 3;

/**
 * The doctors a patient has seen or booked, latest first; those who are not bookable now are
 * left out. `undefined` until it is known.
 */
export function useKnownDoctors(isEnabled: boolean): Doctor[] | undefined {
  const client = useQueryClient();
  const appointments = useQuery({
    ...appointmentsQuery({ ordering: '-startsAt', pageSize: 50 }),
    enabled: isEnabled,
  });
  const ids = isEnabled
    ? [
        ...new Set(
          appointments.data?.appointments
            .filter((appointment) => appointment.status !== 'cancelled')
            .map((appointment) => appointment.doctor._id),
        ),
      ].slice(0, MAX_DOCTORS)
    : [];
  // One query, because `useQueries` adds 1.5 kB to what every page loads.
  const doctors = useQuery({
    queryKey: ['known-doctors', ids],
    queryFn: async () => {
      const found = await Promise.all(
        ids.map((id) => client.fetchQuery(doctorQuery(id)).catch(() => null)),
      );
      return found.filter((doctor) => doctor !== null);
    },
    enabled: ids.length > 0,
  });

  if (!isEnabled) return [];
  if (appointments.isPending) return undefined;
  return ids.length > 0 ? doctors.data : [];
}
