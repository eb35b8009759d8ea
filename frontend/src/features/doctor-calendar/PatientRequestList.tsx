import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AppointmentsQuery } from '@/api/queries';
import { appointmentsQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { hasPatientRequest, useStableRows } from '@/domain/doctor/useStableRows';
import { Grid } from '@/ui/Grid';
import { Stack } from '@/ui/Stack';
import { AppointmentCard } from './AppointmentCard';
import styles from './appointments.module.css';

/** Confirmed appointments whose patients request to cancel or to move. */
const PATIENT_REQUESTS_QUERY: AppointmentsQuery = {
  waiting: true,
  status: 'confirmed',
  ordering: 'startsAt',
  pageSize: 50,
};

/** Appointments with requests of the patient, cancellations first; undefined while loading. */
export function usePatientRequests(): Appointment[] | undefined {
  const { data } = useQuery(appointmentsQuery(PATIENT_REQUESTS_QUERY));
  const requests = data?.appointments
    .filter(hasPatientRequest)
    .toSorted((a, b) => Number(b.cancelRequest !== null) - Number(a.cancelRequest !== null));
  return useStableRows(requests, hasPatientRequest);
}

/** Patients' requests, above the list. */
export function PatientRequestList({ appointments }: { appointments: Appointment[] | undefined }) {
  if (!appointments?.length) return null;
  return (
    <Stack as="section" aria-labelledby="asking">
      <h2 id="asking" className="subheading">
        <Trans>Patients asking to cancel or reschedule</Trans>
      </h2>
      <Grid as="ul" className={styles.list} data-wide="" data-top="">
        {appointments.map((appointment) => (
          <AppointmentCard key={appointment._id} appointment={appointment} />
        ))}
      </Grid>
    </Stack>
  );
}
