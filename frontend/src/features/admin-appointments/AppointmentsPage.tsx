import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { adminAppointmentsQuery } from '@/api/admin';
import { DateRange } from '@/domain/staff/DateRange';
import { DoctorFilters } from '@/domain/staff/DoctorFilters';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { formatDate } from '@/lib/dates';
import { type AdminAppointmentsQuery, paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { SearchInput } from '@/ui/SearchInput';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { AppointmentTable } from './AppointmentTable';
import { ATTENDANCE_OPTIONS, DATE_OPTIONS, readQuery, STATUS_OPTIONS } from './query';

/** All appointments of the site, newest first, without medical data. */
export default function AppointmentsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = readQuery(params);
  const page = pageParam(params);
  const list = useQuery(adminAppointmentsQuery({ ...query, page }));

  /** Change the filters and return to the first page. */
  const change = (part: AdminAppointmentsQuery, replace = false) =>
    navigate(paths.adminRecords({ ...query, ...part }), { replace, state: { keepScroll: true } });
  const [typed, setTyped] = useDebouncedParam(query.search, (search) => change({ search }, true));
  const chips = filterChips(query);

  return (
    <Stack gap={5}>
      <PageHeading lead="Every appointment: upcoming ones first, then past ones, newest first. Symptoms, notes and prescriptions are not shown here.">
        Records
      </PageHeading>
      <Grid as="search" rowGap={3} align="end" className={styles.filters}>
        <div className={styles.wide}>
          <SearchInput label="Patient or doctor" value={typed} onChange={setTyped} />
        </div>
        <Select
          name="status"
          label="Status"
          optional="unmarked"
          placeholder="All"
          options={STATUS_OPTIONS}
          value={query.status ?? ''}
          onChange={(status) => change({ status: status || undefined })}
        />
        <Select
          name="attended"
          label="Attendance"
          optional="unmarked"
          placeholder="All"
          options={ATTENDANCE_OPTIONS}
          value={query.attended ?? ''}
          onChange={(attended) => change({ attended: attended || undefined })}
        />
        <DoctorFilters specialization={query.specialization} city={query.city} onChange={change} />
        <div className={styles.wide}>
          <Select
            name="dates"
            label="Dates"
            optional="unmarked"
            options={DATE_OPTIONS}
            value={query.dates ?? 'visit'}
            onChange={(dates) => change({ dates: dates === 'visit' ? undefined : dates })}
          />
        </div>
        <DateRange from={query.from} to={query.to} onChange={(part) => change(part)} />
      </Grid>
      <FilterChips chips={chips} clearHref={paths.adminRecords()} />
      <PaginatedList
        list={list}
        rows={(data) => data.appointments}
        failure="Failed to fetch appointments"
        rowHeight={64}
        href={(page) => paths.adminRecords({ ...query, page })}
        empty={
          chips.length > 0 ? (
            <EmptyState
              title="No appointment matches"
              action={
                <LinkButton variant="secondary" href={paths.adminRecords()}>
                  Show all appointments
                </LinkButton>
              }
            >
              Try fewer letters of the name, other dates, or one filter less.
            </EmptyState>
          ) : (
            <EmptyState title="No appointments yet">
              Every appointment that is booked appears here.
            </EmptyState>
          )
        }
      >
        {({ appointments }) => <AppointmentTable appointments={appointments} />}
      </PaginatedList>
    </Stack>
  );
}

/** Chip labels of the date range, by the kind of date. */
const DATE_LABELS: Record<string, [since: string, until: string]> = {
  visit: ['From', 'To'],
  booked: ['Booked from', 'Booked until'],
  cancelled: ['Cancelled from', 'Cancelled until'],
};

const optionLabel = (options: readonly { value: string; label: string }[], value?: string) =>
  options.find((option) => option.value === value)?.label;

function filterChips(query: AdminAppointmentsQuery) {
  const [since, until] = DATE_LABELS[query.dates ?? 'visit'] ?? ['From', 'To'];
  const labels: [keyof AdminAppointmentsQuery, string | undefined][] = [
    ['search', query.search && `“${query.search}”`],
    ['status', optionLabel(STATUS_OPTIONS, query.status)],
    ['attended', optionLabel(ATTENDANCE_OPTIONS, query.attended)],
    ['specialization', query.specialization],
    ['city', query.city],
    ['from', query.from && `${since} ${formatDate(query.from)}`],
    ['to', query.to && `${until} ${formatDate(query.to)}`],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminRecords({ ...query, [key]: undefined }) }] : [],
  );
}
