import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { patientsQuery } from '@/api/doctorDesk';
import type { PatientRow } from '@/api/types';
import { rememberListPath } from '@/domain/BackLink';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { genderLabel, genderOptions } from '@/domain/genderLabel';
import { formatCount } from '@/lib/counts';
import { formatNearDay, formatTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
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
  { value: '', label: msg`Most recent booking` },
  { value: 'name', label: msg`Name, A to Z` },
  { value: '-name', label: msg`Name, Z to A` },
];
const ORDER_KEYS = ['name', '-name'] as const;

/** All patients who have booked with this doctor. */
export default function PatientsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = {
    search: params.get('search')?.trim() || undefined,
    gender: choiceParam(params, 'gender', GENDERS, undefined),
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
        {t`Patients`}
      </PageHeading>
      <Totals totals={data?.totals} />
      <Grid as="search" align="end" className={styles.filters}>
        <div className={styles.search}>
          <SearchInput label={t`Name or email`} value={typed} onChange={setTyped} />
        </div>
        <Select
          name="gender"
          label={t`Gender`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'genders' })}
          options={genderOptions()}
          value={query.gender ?? ''}
          onChange={(gender) => change({ gender: gender || undefined })}
        />
        <Select
          name="ordering"
          label={t`Sort by`}
          optional="unmarked"
          options={ORDERS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={query.ordering ?? ''}
          onChange={(ordering) => change({ ordering: ordering || undefined })}
        />
      </Grid>
      {list.isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load your patients`}
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
  ['all', msg`Total`],
  ['male', msg({ message: 'Male', context: 'gender' })],
  ['female', msg({ message: 'Female', context: 'gender' })],
  ['other', msg({ message: 'Other', context: 'gender' })],
] as const;

function Totals({
  totals,
}: {
  totals: Record<(typeof TOTAL_LABELS)[number][0], number> | undefined;
}) {
  const { t } = useLingui();
  return (
    <Grid as="dl" gap={0} className={styles.totals}>
      {TOTAL_LABELS.map(([key, label]) => (
        <div key={key}>
          <dt>{t(label)}</dt>
          <dd>{totals ? formatCount(totals[key]) : '–'}</dd>
        </div>
      ))}
    </Grid>
  );
}

function NoPatients({ hasFilters, page }: { hasFilters: boolean; page: number }) {
  const { t } = useLingui();
  if (hasFilters || page > 1) {
    return (
      <EmptyState
        title={hasFilters ? t`No patients match` : t`This page is empty`}
        action={
          <LinkButton variant="secondary" href={paths.doctorPatients()}>
            <Trans>Show all patients</Trans>
          </LinkButton>
        }
      />
    );
  }
  return (
    <EmptyState title={t`No patients yet`}>
      <Trans>Patients appear here after their first booking.</Trans>
    </EmptyState>
  );
}

function Patient({ patient }: { patient: PatientRow }) {
  const { t } = useLingui();
  const { name, age, lastVisit: lastAppointment, nextVisit: nextAppointment } = patient;
  const nextDay = nextAppointment && formatNearDay(nextAppointment.date);
  const nextTime = nextAppointment && formatTime(nextAppointment.time);
  return (
    <Card as="li" tight gap={3}>
      <Inline wrap={false} className={styles.patient}>
        <Avatar name={name} src={patient.profilePicture} size={56} />
        <div>
          <h2 className="card-title">
            <Link href={paths.doctorPatient(patient._id)}>{name}</Link>
          </h2>
          <p className="muted">
            {formatFacts([age !== null && t`Age ${age}`, genderLabel(patient.gender)])}
          </p>
        </div>
      </Inline>
      <FactList short>
        <div>
          <dt>
            <Trans>Phone</Trans>
          </dt>
          <dd>
            {patient.phone || (
              <span className="muted">
                <Trans>Not given</Trans>
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Appointments</Trans>
          </dt>
          <dd>{formatCount(patient.visits)}</dd>
        </div>
        <div>
          <dt>
            <Trans context="appointment">Last</Trans>
          </dt>
          <dd>
            {lastAppointment ? (
              formatNearDay(lastAppointment.date)
            ) : (
              <span className="muted">
                <Trans>None</Trans>
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans context="appointment">Next</Trans>
          </dt>
          <dd>
            {nextAppointment ? (
              <Trans>
                {nextDay}, {nextTime}
              </Trans>
            ) : (
              <span className="muted">
                <Trans>None</Trans>
              </span>
            )}
          </dd>
        </div>
      </FactList>
      <Inline gap={2} align="stretch" className={styles.actions}>
        <LinkButton variant="secondary" href={paths.doctorPatient(patient._id)}>
          <Trans>
            View History<span className="visually-hidden"> of {name}</span>
          </Trans>
        </LinkButton>
        <ContactButton patient={patient} />
        <LinkButton variant="quiet" href={paths.doctorBook(patient._id)}>
          <Trans>
            Book an appointment<span className="visually-hidden"> for {name}</span>
          </Trans>
        </LinkButton>
      </Inline>
    </Card>
  );
}
