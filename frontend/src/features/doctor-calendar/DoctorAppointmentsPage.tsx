import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { ShortcutsDialog } from '@/domain/doctor/ShortcutsDialog';
import { useUser } from '@/domain/session/session';
import { addDays, today as todayIn } from '@/lib/dates';
import { type DeskQuery, paths } from '@/lib/paths';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Tabs } from '@/ui/Tabs';
import { FilteredAppointments } from './FilteredAppointments';
import { readQuery, VIEWS } from './query';

// Loaded only for the calendar views.
const CalendarView = lazy(() => import('./CalendarView'));

const LABELS = { list: msg`List`, day: msg`Day`, week: msg`Week` };

/** All appointments, as a list or a calendar; view and filters are in the URL. */
export default function DoctorAppointmentsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const user = useUser();
  const query = readQuery(params);
  const { view, date } = query;
  const zone = user.role === 'doctor' ? user.timeZone : 'UTC';
  const day = date ?? todayIn(zone);

  const go = (change: DeskQuery) =>
    navigate(paths.doctorAppointments(change), { state: { keepScroll: true } });
  const step = (days: number) => () => go({ view, date: addDays(day, days) });
  const length = view === 'week' ? 7 : 1;
  const list = view === 'list';

  return (
    <Stack gap={5}>
      <PageHeading
        actions={<DownloadCsvButton path="/doctors/appointments.csv" name="appointments.csv" />}
      >
        {t`Appointments`}
      </PageHeading>
      <Inline align="stretch">
        <Tabs
          label={t`View`}
          current={view}
          tabs={VIEWS.map((key) => ({
            key,
            label: t(LABELS[key]),
            // The day is kept between day and week; the list starts without filters.
            href: paths.doctorAppointments({
              view: key,
              date: key === 'list' || list ? undefined : date,
            }),
          }))}
        />
      </Inline>
      {list ? (
        <FilteredAppointments query={query} />
      ) : (
        <Suspense
          fallback={
            <Skeletons count={1}>
              <Skeleton height={600} />
            </Skeletons>
          }
        >
          <CalendarView view={view} date={day} zone={zone} />
        </Suspense>
      )}
      <ShortcutsDialog
        handlers={{
          list: () => go({}),
          day: () => go({ view: 'day', date }),
          week: () => go({ view: 'week', date }),
          ...(list
            ? {
                search: () =>
                  document.querySelector<HTMLElement>('[data-shortcut="search"]')?.focus(),
              }
            : {
                today: () => go({ view }),
                earlier: step(-length),
                later: step(length),
              }),
        }}
      />
    </Stack>
  );
}
