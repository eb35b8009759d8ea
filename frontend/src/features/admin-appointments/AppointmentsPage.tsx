import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { adminAppointmentsQuery } from '@/api/admin';
import { DateRange } from '@/domain/staff/DateRange';
import { DoctorFilters } from '@/domain/staff/DoctorFilters';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
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
import { ATTENDANCE_OPTIONS, DATE_OPTIONS, filterChips, readQuery, STATUS_OPTIONS } from './query';

/** All appointments of the site, newest first, without medical data. */
export default function AppointmentsPage() {
  const { t } = useLingui();
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
  const translated = (options: readonly { value: string; label: MessageDescriptor }[]) =>
    options.map(({ value, label }) => ({ value, label: t(label) }));

  return (
    <Stack gap={5}>
      <PageHeading
        lead={t`All appointments: upcoming ones first, then past ones, newest first. Symptoms, notes and prescriptions aren’t shown here.`}
      >
        {t`Records`}
      </PageHeading>
      <Grid as="search" rowGap={3} align="end" className={styles.filters}>
        <div className={styles.wide}>
          <SearchInput label={t`Patient or doctor`} value={typed} onChange={setTyped} />
        </div>
        <Select
          name="status"
          label={t`Status`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'statuses of appointments' })}
          options={translated(STATUS_OPTIONS)}
          value={query.status ?? ''}
          onChange={(status) => change({ status: status || undefined })}
        />
        <Select
          name="attended"
          label={t`Attendance`}
          optional="unmarked"
          placeholder={t({
            message: 'All',
            context: 'appointments, whether the patient came or not',
          })}
          options={translated(ATTENDANCE_OPTIONS)}
          value={query.attended ?? ''}
          onChange={(attended) => change({ attended: attended || undefined })}
        />
        <DoctorFilters specialization={query.specialization} city={query.city} onChange={change} />
        <div className={styles.wide}>
          <Select
            name="dates"
            label={t`Filter by`}
            optional="unmarked"
            options={translated(DATE_OPTIONS)}
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
        failure={t`Failed to fetch appointments`}
        rowHeight={64}
        href={(page) => paths.adminRecords({ ...query, page })}
        empty={
          chips.length > 0 ? (
            <EmptyState
              title={t`No matching appointments`}
              action={
                <LinkButton variant="secondary" href={paths.adminRecords()}>
                  {t`Show all appointments`}
                </LinkButton>
              }
            >
              {t`Try fewer letters of the name, other dates, or fewer filters.`}
            </EmptyState>
          ) : (
            <EmptyState title={t`No appointments yet`}>
              {t`Appointments show up here once they’re booked.`}
            </EmptyState>
          )
        }
      >
        {({ appointments }) => <AppointmentTable appointments={appointments} />}
      </PaginatedList>
    </Stack>
  );
}
