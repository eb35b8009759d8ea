import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import { patientHistoryQuery } from '@/api/doctorDesk';
import { ApiError } from '@/api/errors';
import type { PatientFacts } from '@/api/types';
import { BackLink, lastListPath } from '@/domain/BackLink';
import { formatDate, formatDayTime } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { ContactButton } from './ContactButton';
import { HistoryEntry } from './HistoryEntry';
import { PatientNotFound } from './PatientNotFound';
import styles from './patients.module.css';

const PAGE_SIZE = 10;

/** One patient with all appointments with this doctor, newest first. */
export default function PatientPage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const page = pageParam(params);
  const history = useQuery(patientHistoryQuery(id, page, PAGE_SIZE));
  const { data, error } = history;

  const back = <BackLink href={listHref()}>Patients</BackLink>;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Stack gap={5}>
        {back}
        <PatientNotFound />
      </Stack>
    );
  }
  if (!data) {
    return (
      <Stack gap={5}>
        {back}
        <PageHeading>Patient</PageHeading>
        {history.isLoadingError ? (
          <ErrorState
            title="We could not load this patient"
            onRetry={() => history.refetch()}
            busy={history.isFetching}
          />
        ) : (
          <Skeletons count={1}>
            <Stack>
              <Skeleton height={120} />
              <Skeleton height={180} />
              <Skeleton height={180} />
            </Stack>
          </Skeletons>
        )}
      </Stack>
    );
  }
  const { patient, appointments, pagination } = data;
  return (
    <Stack gap={5}>
      {back}
      <Inline gap={4} wrap={false} className={styles.person}>
        <Avatar name={patient.name} src={patient.profilePicture} size={72} />
        <PageHeading
          className={styles.personHead}
          actions={
            <>
              <LinkButton href={paths.doctorBook(id)}>Book an appointment</LinkButton>
              <ContactButton patient={patient} />
            </>
          }
        >
          {patient.name}
        </PageHeading>
      </Inline>
      <Facts patient={patient} />
      <Stack as="section" aria-labelledby="visits">
        <h2 id="visits" className="subheading">
          Appointments with you
        </h2>
        {appointments.length === 0 ? (
          <EmptyState title={page > 1 ? 'This page is empty' : 'No appointments'} />
        ) : (
          <Grid
            as="ol"
            gap={3}
            className={styles.appointments}
            data-stale={history.isPlaceholderData ? '' : undefined}
            reversed
          >
            {appointments.map((appointment) => (
              <HistoryEntry key={appointment._id} appointment={appointment} />
            ))}
          </Grid>
        )}
        <Pagination
          page={pagination.page}
          hasNext={pagination.hasNext}
          href={(page) => paths.doctorPatient(id, { page })}
        />
      </Stack>
    </Stack>
  );
}

/** The patient list with its filters, if the user came from there. */
function listHref(): string {
  const last = lastListPath();
  return last?.startsWith(paths.doctorPatients()) ? last : paths.doctorPatients();
}

function Facts({ patient }: { patient: PatientFacts }) {
  const { dateOfBirth, age, nextVisit: nextAppointment } = patient;
  const facts = [
    [
      'Date of birth',
      dateOfBirth && `${formatDate(dateOfBirth)}${age === null ? '' : ` (${age})`}`,
    ],
    ['Gender', capitalize(patient.gender)],
    ['Blood group', patient.bloodGroup],
    ['Phone', patient.phone],
    ['Email', patient.email],
    ['Appointments', String(patient.visits)],
  ] as const;
  return (
    <Grid as="dl" rowGap={3} gap={5} className={styles.details}>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={text ? undefined : 'muted'}>{text || 'Not given'}</dd>
        </div>
      ))}
      <div>
        <dt>Next appointment</dt>
        <dd>
          {nextAppointment ? (
            <Link href={paths.doctorAppointment(nextAppointment.appointmentId)}>
              {formatDayTime(nextAppointment.date, nextAppointment.time)}
            </Link>
          ) : (
            <span className="muted">None</span>
          )}
        </dd>
      </div>
    </Grid>
  );
}
