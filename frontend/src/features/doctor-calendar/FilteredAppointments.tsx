import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { AppointmentsQuery } from '@/api/queries';
import { appointmentsQuery } from '@/api/queries';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
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

type Filter = (typeof FILTERS)[number];

const LABELS: Record<Filter, string> = {
  all: 'All',
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

const PAGE_SIZE = 20;

const number = new Intl.NumberFormat('en-GB');

/** The list with its filters, counts and search. */
export function FilteredAppointments({ query }: { query: ReadQuery }) {
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
      ['scope', scope && (scope === 'past' ? 'Past' : 'Upcoming')],
      ['attended', attended && (attended === 'true' ? 'Without no-shows' : 'No-shows')],
      ['waiting', waiting && 'Waiting for your answer'],
      ['waitingForPatient', waitingForPatient && 'Waiting for the patient'],
      ['search', search && `“${search}”`],
    ] as const
  ).flatMap(([key, label]) => (label ? [{ key, label, href: href({ [key]: undefined }) }] : []));

  return (
    <>
      <Inline gap={4} align="end" justify="between">
        <Tabs
          label="Filter by status"
          current={status ?? 'all'}
          tabs={FILTERS.map((key) => ({
            key,
            label: LABELS[key],
            href: paths.doctorAppointments({
              ...narrowing,
              status: key === 'all' ? undefined : key,
            }),
            count: data?.counts && number.format(data.counts[key]),
          }))}
        />
        <search className={styles.search}>
          <SearchInput
            label="Patient’s name or email"
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
  if (!status && !hasFilters) {
    return (
      <EmptyState title="No appointments yet">
        When a patient books one of your free times, it appears here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={
        hasFilters
          ? `No ${status ? `${status} ` : ''}appointments match`
          : `No ${status} appointments`
      }
      action={
        <LinkButton variant="secondary" href={paths.doctorAppointments()}>
          Show all
        </LinkButton>
      }
    />
  );
}
