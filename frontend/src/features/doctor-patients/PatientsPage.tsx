import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { patientsQuery } from '@/api/doctorDesk';
import type { PatientRow } from '@/api/types';
import { rememberListPath } from '@/domain/BackLink';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { formatNearDay } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { GENDERS } from '@/lib/options';
import { type PatientsQuery, paths } from '@/lib/paths';
import { choiceParam, pageParam } from '@/lib/searchParams';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { FactList } from '@/ui/FactList';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { SearchInput } from '@/ui/SearchInput';
import { Select } from '@/ui/Select';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { ContactButton } from './ContactButton';
import styles from './patients.module.css';

const PAGE_SIZE = 24;

const ORDERS = [
  { value: '', label: 'Booked last' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
];
const GENDER_KEYS = GENDERS.map(({ value }) => value);
const ORDER_KEYS = ['name', '-name'] as const;

const number = new Intl.NumberFormat('en-GB');

/** All patients who have booked with this doctor. */
export default function PatientsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = {
    search: params.get('search')?.trim() || undefined,
    gender: choiceParam(params, 'gender', GENDER_KEYS, undefined),
    ordering: choiceParam(params, 'ordering', ORDER_KEYS, undefined),
  };
  const page = pageParam(params);
  const here = paths.doctorPatients({ ...query, page: page > 1 ? page : undefined });
  useEffect(() => rememberListPath(here), [here]);
  const list = useQuery(patientsQuery({ ...query, page, pageSize: PAGE_SIZE }));

  /** Change the filters and return to the first page. */
  const change = (part: PatientsQuery, replace = false) =>
    navigate(paths.doctorPatients({ ...query, ...part }), {
      replace,
      state: { keepScroll: true },
    });
  const [typed, setTyped] = useDebouncedParam(query.search, (search) => change({ search }, true));
  const { data } = list;

  return (
    <Stack gap={5}>
      <PageHeading actions={<DownloadCsvButton path="/doctors/patients.csv" name="patients.csv" />}>
        Patients
      </PageHeading>
      <Totals totals={data?.totals} />
      <Grid as="search" align="end" className={styles.filters}>
        <div className={styles.search}>
          <SearchInput label="Name or email" value={typed} onChange={setTyped} />
        </div>
        <Select
          name="gender"
          label="Gender"
          optional="unmarked"
          placeholder="All"
          options={GENDERS}
          value={query.gender ?? ''}
          onChange={(gender) => change({ gender: gender || undefined })}
        />
        <Select
          name="ordering"
          label="Order"
          optional="unmarked"
          options={ORDERS}
          value={query.ordering ?? ''}
          onChange={(ordering) => change({ ordering: ordering || undefined })}
        />
      </Grid>
      {list.isLoadingError ? (
        <ErrorState
          title="We could not load your patients"
          onRetry={() => list.refetch()}
          busy={list.isFetching}
        />
      ) : !data ? (
        <Skeletons count={1}>
          <Grid className={styles.list}>
            {[0, 1, 2, 3, 4, 5].map((key) => (
              <Skeleton key={key} height={236} />
            ))}
          </Grid>
        </Skeletons>
      ) : data.patients.length === 0 ? (
        <NoPatients hasFilters={Boolean(query.search || query.gender)} page={page} />
      ) : (
        <>
          <Grid
            as="ul"
            className={styles.list}
            data-stale={list.isPlaceholderData ? '' : undefined}
          >
            {data.patients.map((patient) => (
              <Patient key={patient._id} patient={patient} />
            ))}
          </Grid>
          <Pagination
            page={data.pagination.page}
            hasNext={data.pagination.hasNext}
            href={(page) => paths.doctorPatients({ ...query, page })}
          />
        </>
      )}
    </Stack>
  );
}

const TOTAL_LABELS = [
  ['all', 'Total'],
  ['male', 'Male'],
  ['female', 'Female'],
  ['other', 'Other'],
] as const;

function Totals({
  totals,
}: {
  totals: Record<(typeof TOTAL_LABELS)[number][0], number> | undefined;
}) {
  return (
    <Grid as="dl" gap={0} className={styles.totals}>
      {TOTAL_LABELS.map(([key, label]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{totals ? number.format(totals[key]) : '–'}</dd>
        </div>
      ))}
    </Grid>
  );
}

function NoPatients({ hasFilters, page }: { hasFilters: boolean; page: number }) {
  if (hasFilters || page > 1) {
    return (
      <EmptyState
        title={hasFilters ? 'No patient matches' : 'This page is empty'}
        action={
          <LinkButton variant="secondary" href={paths.doctorPatients()}>
            Show all patients
          </LinkButton>
        }
      />
    );
  }
  return (
    <EmptyState title="No patients yet">Patients appear here after their first booking.</EmptyState>
  );
}

function Patient({ patient }: { patient: PatientRow }) {
  const { lastVisit: lastAppointment, nextVisit: nextAppointment } = patient;
  return (
    <Card as="li" tight gap={3}>
      <Inline wrap={false} className={styles.patient}>
        <Avatar name={patient.name} src={patient.profilePicture} size={56} />
        <div>
          <h2 className="card-title">
            <Link href={paths.doctorPatient(patient._id)}>{patient.name}</Link>
          </h2>
          <p className="muted">
            {[patient.age === null ? '' : `Age ${patient.age}`, capitalize(patient.gender)]
              .filter(Boolean)
              .join(', ')}
          </p>
        </div>
      </Inline>
      <FactList short>
        <div>
          <dt>Phone</dt>
          <dd>{patient.phone || <span className="muted">Not given</span>}</dd>
        </div>
        <div>
          <dt>Appointments</dt>
          <dd>{number.format(patient.visits)}</dd>
        </div>
        <div>
          <dt>Last</dt>
          <dd>
            {lastAppointment ? (
              formatNearDay(lastAppointment.date)
            ) : (
              <span className="muted">None</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>
            {nextAppointment ? (
              `${formatNearDay(nextAppointment.date)}, ${nextAppointment.time}`
            ) : (
              <span className="muted">None</span>
            )}
          </dd>
        </div>
      </FactList>
      <Inline gap={2} align="stretch" className={styles.actions}>
        <LinkButton variant="secondary" href={paths.doctorPatient(patient._id)}>
          View History<span className="visually-hidden"> of {patient.name}</span>
        </LinkButton>
        <ContactButton patient={patient} />
        <LinkButton variant="quiet" href={paths.doctorBook(patient._id)}>
          Book an appointment<span className="visually-hidden"> for {patient.name}</span>
        </LinkButton>
      </Inline>
    </Card>
  );
}
