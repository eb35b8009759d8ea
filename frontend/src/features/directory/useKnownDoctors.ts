import { useQueries, useQuery } from '@tanstack/react-query';
import { appointmentsQuery, doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';

const MAX_DOCTORS = 3;

/**
 * The doctors a patient has seen or booked, latest first; those who are not bookable now are
 * left out. `undefined` until it is known.
 */
export function useKnownDoctors(isEnabled: boolean): Doctor[] | undefined {
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
  const doctors = useQueries({ queries: ids.map((id) => doctorQuery(id)) });

  if (!isEnabled) return [];
  if (appointments.isPending || doctors.some((doctor) => doctor.isPending)) return undefined;
  return doctors.flatMap((doctor) => doctor.data ?? []);
}
