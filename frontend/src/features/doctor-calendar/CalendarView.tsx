import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { calendarQuery } from '@/api/doctorDesk';
import { today as todayIn } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { daysIntoWeek } from '@/lib/weekStart';
import { ErrorState } from '@/ui/ErrorState';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import { CalendarDialog, type OpenDialog } from './CalendarDialog';
import { CalendarGrid } from './CalendarGrid';
import { CalendarLegend } from './CalendarLegend';
import { CalendarToolbar } from './CalendarToolbar';
import { assignLanes, dayItems, shownDays, suggestTime } from './layout';
import { useCalendarFocus } from './useCalendarFocus';

interface Props {
  view: 'day' | 'week';
  date: string;
  zone: string;
}

/**
 * A day or week of appointments. It is a list by day and time, laid out as a grid on wide screens: one
 * tab stop with arrow key navigation. Every drag has an equivalent button.
 */
export default function CalendarView({ view, date, zone }: Props) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const now = useNow();
  const { from, days } = shownDays(view, date, daysIntoWeek(date));
  const { data, isLoadingError, isFetching, refetch } = useQuery(calendarQuery(from, days));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const columns = data?.days.map((day) => assignLanes(dayItems(data, day, now))) ?? [];
  const focus = useCalendarFocus({
    root,
    columns,
    from,
    days,
    now,
    zone,
    onNavigate: (day) =>
      navigate(paths.doctorAppointments({ view, date: day }), { state: { keepScroll: true } }),
  });

  const addTime = () => {
    if (data) setDialog({ kind: 'time', action: 'book', ...suggestTime(data, now) });
  };
  // New time off begins on the shown day unless that has passed.
  const addAbsence = () => {
    const firstDay = view === 'day' && date > todayIn(zone) ? date : undefined;
    setDialog({ kind: 'newAbsence', date: firstDay });
  };

  return (
    <Stack as="section" aria-label={t`Calendar`}>
      <CalendarToolbar
        view={view}
        from={from}
        days={days}
        zone={zone}
        onAddTime={addTime}
        onAddAbsence={addAbsence}
      />
      {isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load the calendar`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : !data ? (
        <Skeletons count={1}>
          <Skeleton height={620} />
        </Skeletons>
      ) : (
        <>
          <CalendarGrid
            calendar={data}
            columns={columns}
            view={view}
            now={now}
            zone={zone}
            root={root}
            focus={focus}
            onOpen={setDialog}
          />
          <CalendarLegend />
        </>
      )}
      {data && dialog && (
        <CalendarDialog
          dialog={dialog}
          calendar={data}
          now={now}
          zone={zone}
          onClose={() => setDialog(null)}
        />
      )}
    </Stack>
  );
}
