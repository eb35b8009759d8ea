import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import { patientHistoryQuery } from '@/api/doctorDesk';
import { ApiError } from '@/api/errors';
import type { PatientFacts } from '@/api/types';
import { BackLink, lastListPath } from '@/domain/BackLink';
import { genderLabel } from '@/domain/genderLabel';
import { formatCount } from '@/lib/counts';
import { formatDate, formatDayTime } from '@/lib/dates';
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
  const { t } = useLingui();
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const page = pageParam(params);
  const history = useQuery(patientHistoryQuery(id, page, PAGE_SIZE));
  const { data, error } = history;

  const back = <BackLink href={listHref()}>{t`Patients`}</BackLink>;
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
        <PageHeading>{t`Patient`}</PageHeading>
        {history.isLoadingError ? (
          <ErrorState
            title={t`We couldn’t load this patient`}
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
              <LinkButton href={paths.doctorBook(id)}>
                <Trans>Book an appointment</Trans>
              </LinkButton>
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
          <Trans>Appointments with you</Trans>
        </h2>
        {appointments.length === 0 ? (
          <EmptyState title={page > 1 ? t`This page is empty` : t`No appointments`} />
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
  const { t } = useLingui();
  const { dateOfBirth, age, nextVisit: nextAppointment } = patient;
  const birthDate = dateOfBirth && formatDate(dateOfBirth);
  const facts = [
    [t`Date of birth`, birthDate && age !== null ? t`${birthDate} (${age})` : birthDate],
    [t`Gender`, genderLabel(patient.gender)],
    [t`Blood group`, patient.bloodGroup],
    [t`Phone`, patient.phone],
    [t`Email`, patient.email],
    [t`Appointments`, formatCount(patient.visits)],
  ] as const;
  return (
    <Grid as="dl" rowGap={3} gap={5} className={styles.details}>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={text ? undefined : 'muted'}>{text || <Trans>Not given</Trans>}</dd>
        </div>
      ))}
      <div>
        <dt>
          <Trans>Next appointment</Trans>
        </dt>
        <dd>
          {nextAppointment ? (
            <Link href={paths.doctorAppointment(nextAppointment.appointmentId)}>
              {formatDayTime(nextAppointment.date, nextAppointment.time)}
            </Link>
          ) : (
            <span className="muted">
              <Trans>None</Trans>
            </span>
          )}
        </dd>
      </div>
    </Grid>
  );
}
