import { select } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { AppointmentsQuery } from '@/api/queries';
import { appointmentsQuery } from '@/api/queries';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { statusLabel } from '@/domain/appointment/StatusBadge';
import { formatCount } from '@/lib/counts';
import { formatDay } from '@/lib/dates';
import { type DeskQuery, paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { SearchInput } from '@/ui/SearchInput';
import { Tabs } from '@/ui/Tabs';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { AppointmentCard } from './AppointmentCard';
import styles from './appointments.module.css';
import { PatientRequestList, usePatientRequests } from './PatientRequestList';
import { FILTERS, type ReadQuery } from './query';

const PAGE_SIZE = 20;

/** The list with its filters, counts and search. */
export function FilteredAppointments({ query }: { query: ReadQuery }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const {
    view: _,
    status,
    search,
    date,
    scope,
    attended,
    waiting,
    waitingForPatient,
    page,
  } = query;
  const narrowing: DeskQuery = { search, date, scope, attended, waiting, waitingForPatient };
  const href = (change: DeskQuery) => paths.doctorAppointments({ status, ...narrowing, ...change });
  const [typed, setTyped] = useDebouncedParam(search, (text) =>
    navigate(href({ search: text, page: undefined }), {
      replace: true,
      state: { keepScroll: true },
    }),
  );

  // Live appointments come soonest first, others newest first; the whole list starts with upcoming ones.
  const live =
    waiting ||
    waitingForPatient ||
    status === 'pending' ||
    (status === 'confirmed' && scope !== 'past');
  const listQuery: AppointmentsQuery = {
    status,
    search,
    scope,
    ...(date && { from: date, to: date }),
    ...(waiting && { waiting: true }),
    ...(waitingForPatient && { waitingForPatient: true }),
    ...(attended && { attended: attended === 'true' }),
    counts: true,
    ordering: live || date ? 'startsAt' : status || scope || attended ? '-startsAt' : 'nearest',
    page,
    pageSize: PAGE_SIZE,
  };
  const { data } = useQuery(appointmentsQuery(listQuery));

  // Patients' requests come first, on the first page and among confirmed appointments.
  const hasFilters = Object.values(narrowing).some(Boolean);
  const asking = usePatientRequests();
  const above = !hasFilters && (!status || status === 'confirmed') && page === 1 ? asking : [];

  const chips = (
    [
      ['date', date && formatDay(date)],
      ['scope', scope && (scope === 'past' ? t`Past` : t`Upcoming`)],
      ['attended', attended && (attended === 'true' ? t`Without no-shows` : t`No-shows`)],
      ['waiting', waiting && t`Waiting for your reply`],
      ['waitingForPatient', waitingForPatient && t`Waiting for the patient`],
      ['search', search && t`“${search}”`],
    ] as const
  ).flatMap(([key, label]) => (label ? [{ key, label, href: href({ [key]: undefined }) }] : []));

  return (
    <>
      <Inline gap={4} align="end" justify="between">
        <Tabs
          label={t`Filter by status`}
          current={status ?? 'all'}
          tabs={FILTERS.map((key) => ({
            key,
            label:
              key === 'all'
                ? t({ message: 'All', context: 'appointments' })
                : t(statusLabel({ status: key, attended: null })),
            href: paths.doctorAppointments({
              ...narrowing,
              status: key === 'all' ? undefined : key,
            }),
            count: data?.counts && formatCount(data.counts[key]),
          }))}
        />
        <search className={styles.search}>
          <SearchInput
            label={t`Patient’s name or email`}
            data-shortcut="search"
            value={typed}
            onChange={setTyped}
          />
        </search>
      </Inline>
      <FilterChips chips={chips} clearHref={paths.doctorAppointments({ status })} />
      <PatientRequestList appointments={above} />
      <AppointmentList
        query={listQuery}
        href={(page) => href({ page })}
        rowHeight={220}
        empty={<EmptyList status={status} hasFilters={hasFilters} />}
      >
        {(appointments) => (
          <Grid as="ul" className={styles.list} data-wide="">
            {appointments
              .filter(({ _id }) => !above?.some((each) => each._id === _id))
              .map((appointment) => (
                <AppointmentCard key={appointment._id} appointment={appointment} heading="h2" />
              ))}
          </Grid>
        )}
      </AppointmentList>
    </>
  );
}

function EmptyList({ status, hasFilters }: { status: string | undefined; hasFilters: boolean }) {
  const { t } = useLingui();
  if (!status && !hasFilters) {
    return (
      <EmptyState title={t`No appointments yet`}>
        <Trans>When a patient books one of your free times, it appears here.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={
        hasFilters
          ? t`${select(status ?? '', {
              pending: 'No pending appointments match',
              confirmed: 'No confirmed appointments match',
              completed: 'No completed appointments match',
              cancelled: 'No cancelled appointments match',
              other: 'No appointments match',
            })}`
          : t`${select(status ?? '', {
              pending: 'No pending appointments',
              confirmed: 'No confirmed appointments',
              completed: 'No completed appointments',
              cancelled: 'No cancelled appointments',
              other: 'No appointments',
            })}`
      }
      action={
        <LinkButton variant="secondary" href={paths.doctorAppointments()}>
          <Trans>Show all</Trans>
        </LinkButton>
      }
    />
  );
}
