import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { daysInMonth, formatDay, monthOf, today } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { CalendarIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import {
  type Day,
  freeDays,
  includesDate,
  monthRange,
  type Slot,
  sharedToday,
  useFreeSlots,
  useMonth,
  useNextFreeDay,
} from '../freeSlots';
import type { MonthGrid } from '../MonthGrid';
import { unavailableDaysText } from '../unavailableDays';
import { DayTiles } from './DayTiles';
import { MonthNotes } from './MonthNotes';
import { NoTimes } from './NoTimes';
import styles from './SlotPicker.module.css';
import { SlotPickerSkeleton } from './SlotPickerSkeleton';
import { SlotTimes } from './SlotTimes';
import { usePickerFocus } from './usePickerFocus';

interface Props {
  doctor: { _id: string; name: string; timeZone: string };
  /** The day whose times are shown; null for the first free one. */
  day: string | null;
  onDay: (date: string) => void;
  /** Shown instead of the picker if no time is free. */
  emptyState: ReactNode;
  /** Times are links to these addresses… */
  href?: (slot: Slot) => string;
  /** …or buttons that choose. */
  onChoose?: (slot: Slot) => void;
  selectedSlot?: Slot | null;
  /** The secret of the user's own hold, whose time is shown as free. */
  holdId?: string;
}

/** Ten days with free times, a month grid, and the times of the selected day. */
export function SlotPicker(props: Props) {
  const { t } = useLingui();
  const { doctor, emptyState, holdId } = props;
  const { slots, nextFree, lastDay, hasFailed, isRetrying, retry } = useFreeSlots(
    doctor._id,
    holdId,
  );

  if (hasFailed) {
    return (
      <ErrorState title={t`We couldn’t load the openings`} onRetry={retry} busy={isRetrying} />
    );
  }
  if (!slots || !lastDay) return <SlotPickerSkeleton />;
  if (!nextFree && freeDays(slots, 1).length === 0) return emptyState;
  return <Picker {...props} slots={slots} lastDay={lastDay} />;
}

function Picker({
  doctor,
  day,
  onDay,
  href,
  onChoose,
  selectedSlot,
  holdId,
  slots,
  lastDay,
}: Omit<Props, 'emptyState'> & { slots: Day[]; lastDay: string }) {
  const { t } = useLingui();
  const zone = doctor.timeZone;
  const nextDays = freeDays(slots);
  const selectedDate = day ?? nextDays[0]?.date ?? null;

  // Rarely used, so loaded on click.
  const [grid, setGrid] = useState<{ Month: typeof MonthGrid } | null>(null);
  const [month, setMonth] = useState(() => monthOf(selectedDate ?? today(zone)));
  const timesOn = useFreeTimes({
    doctor,
    slots,
    lastDay,
    month: grid ? month : null,
    selectedDate,
    holdId,
  });
  const findNextFreeDay = useNextFreeDay(doctor._id, lastDay, holdId);
  const { root, section, heading, focusDays, focusTimesOf } = usePickerFocus(selectedDate);

  const chooseDay = (date: string) => {
    onDay(date);
    focusTimesOf(date);
  };

  const toggleGrid = async () => {
    // At the end of a month most free days are in the next one.
    const start = day ?? nextDays[2]?.date ?? selectedDate;
    if (!grid && start) setMonth(monthOf(start));
    setGrid(grid ? null : { Month: (await import('../MonthGrid')).MonthGrid });
    focusDays();
  };

  const lastTile = nextDays[nextDays.length - 1];
  const unavailable = lastTile
    ? unavailableDaysText(slots.slice(0, slots.indexOf(lastTile) + 1), sharedToday(zone))
    : null;
  const times = selectedDate ? timesOn(selectedDate) : null;

  return (
    <Stack ref={root} gap={3}>
      <div data-days="">
        {grid ? (
          <grid.Month
            month={month}
            onMonth={setMonth}
            today={today(zone)}
            {...monthRange(zone, lastDay)}
            free={(date) => timesOn(date)?.length ?? null}
            selectedDate={selectedDate}
            onChoose={chooseDay}
          />
        ) : (
          <DayTiles days={nextDays} selectedDate={selectedDate} zone={zone} onChoose={chooseDay} />
        )}
      </div>
      {!grid && unavailable && <p className="muted small">{unavailable}</p>}
      {grid && (
        <MonthNotes
          month={month}
          zone={zone}
          lastDay={lastDay}
          timesOn={timesOn}
          findNextFreeDay={findNextFreeDay}
          onMonth={setMonth}
        />
      )}
      <Button
        variant="quiet"
        className={styles.toggle}
        icon={<CalendarIcon size={20} />}
        onClick={toggleGrid}
      >
        {grid ? t`Back to the next openings` : t`Choose another date`}
      </Button>
      {selectedDate && (
        <SelectedDay ref={section} date={selectedDate} heading={heading} onChangeDay={focusDays}>
          {times?.length === 0 ? (
            <NoTimes
              date={selectedDate}
              next={nextDays.find(({ date }) => date > selectedDate)?.date}
              zone={zone}
              lastDay={lastDay}
              findNextFreeDay={findNextFreeDay}
              onChoose={chooseDay}
            />
          ) : (
            <SlotTimes
              doctor={doctor}
              date={selectedDate}
              times={times}
              href={href}
              onChoose={onChoose}
              selectedSlot={selectedSlot}
            />
          )}
        </SelectedDay>
      )}
    </Stack>
  );
}

interface SelectedDayProps {
  ref: Ref<HTMLElement>;
  date: string;
  heading: Ref<HTMLHeadingElement>;
  onChangeDay: () => void;
  children: ReactNode;
}

/** The section with the times of the selected day; Escape leads back to the days. */
function SelectedDay({ ref, date, heading, onChangeDay, children }: SelectedDayProps) {
  const id = useId();
  return (
    <Stack
      as="section"
      ref={ref}
      gap={3}
      className={styles.times}
      aria-labelledby={id}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onChangeDay();
      }}
    >
      <Toolbar gap={2} className={styles.header}>
        <h3 id={id} ref={heading} tabIndex={-1}>
          {formatDay(date)}
        </h3>
        <Button variant="quiet" className={styles.changeDay} onClick={onChangeDay}>
          <Trans>Change day</Trans>
        </Button>
      </Toolbar>
      {children}
    </Stack>
  );
}

interface FreeTimesOptions {
  doctor: Props['doctor'];
  slots: Day[];
  lastDay: string;
  /** The month in the grid; null if it is closed. */
  month: string | null;
  selectedDate: string | null;
  holdId: string | undefined;
}

/** Return a function for the free times of a day; it returns null while they are unknown. */
function useFreeTimes({ doctor, slots, lastDay, month, selectedDate, holdId }: FreeTimesOptions) {
  const isMonthLoaded = month !== null && includesDate(slots, `${month}-${daysInMonth(month)}`);
  const isSelectedLoaded = selectedDate !== null && includesDate(slots, selectedDate);
  const gridDays = useMonth(doctor._id, isMonthLoaded ? null : month, holdId);
  const selectedDays = useMonth(
    doctor._id,
    selectedDate && !isSelectedLoaded ? monthOf(selectedDate) : null,
    holdId,
  );
  return (date: string): string[] | null => {
    for (const days of [slots, gridDays, selectedDays]) {
      const loaded = days?.find((each) => each.date === date);
      if (loaded) return loaded.times;
    }
    return date < today(doctor.timeZone) || date > lastDay ? [] : null;
  };
}
