import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import {
  addDays,
  addMonths,
  browserZone,
  dayParts,
  daysInMonth,
  formatDay,
  formatMonth,
  isMorning,
  monthOf,
  today,
  zoneLabel,
} from '@/lib/dates';
import { Button } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { CalendarIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import {
  covers,
  type Day,
  freeDays,
  monthRange,
  opensOn,
  type Slot,
  sharedToday,
  slotLabel,
  unavailableDaysText,
  useFreeSlots,
  useMonth,
  useNextFreeDay,
  viewerTime,
} from './freeSlots';
import type { MonthGrid } from './MonthGrid';
import styles from './SlotPicker.module.css';
import tiles from './SlotTiles.module.css';

interface Props {
  doctor: { _id: string; name: string; timeZone: string };
  /** The day whose times are shown; the first free one when null. */
  day: string | null;
  onDay: (date: string) => void;
  /** What stands in the place of the picker when no time is free at all. */
  none: ReactNode;
  /** Times are links to these addresses… */
  href?: (slot: Slot) => string;
  /** …or buttons that choose. */
  onChoose?: (slot: Slot) => void;
  chosen?: Slot | null;
  /** The secret of one's own hold: its time is shown as free. */
  holdId?: string;
}

/** Ten days that have free times, a month grid behind them, and the times of the day chosen. */
export function SlotPicker(props: Props) {
  const { doctor, none, holdId } = props;
  const { slots, nextFree, lastDay, failed, retrying, retry } = useFreeSlots(doctor._id, holdId);

  if (failed) {
    return <ErrorState title="We could not load the free times" onRetry={retry} busy={retrying} />;
  }
  if (!slots || !lastDay) return <Waiting />;
  if (!nextFree && freeDays(slots, 1).length === 0) return none;
  return <Picker {...props} slots={slots} lastDay={lastDay} />;
}

function Picker({
  doctor,
  day,
  onDay,
  href,
  onChoose,
  chosen,
  holdId,
  slots,
  lastDay,
}: Omit<Props, 'none'> & { slots: Day[]; lastDay: string }) {
  const id = useId();
  const zone = doctor.timeZone;
  const shown = freeDays(slots);
  const selected = day ?? shown[0]?.date ?? null;

  // Few want another date, so only they load the grid.
  const [grid, setGrid] = useState<{ Month: typeof MonthGrid } | null>(null);
  const inGrid = grid !== null;
  const [month, setMonth] = useState(() => monthOf(selected ?? today(zone)));
  const monthEnd = `${month}-${daysInMonth(month)}`;
  const gridDays = useMonth(doctor._id, inGrid && !covers(slots, monthEnd) ? month : null, holdId);
  const selectedDays = useMonth(
    doctor._id,
    selected && !covers(slots, selected) ? monthOf(selected) : null,
    holdId,
  );
  /** The free times of a day; null while they are not known. */
  const timesOn = (date: string): string[] | null => {
    const found = [slots, gridDays, selectedDays].flatMap(
      (days) => days?.find((each) => each.date === date) ?? [],
    );
    if (found[0]) return found[0].times;
    return date < today(zone) || date > lastDay ? [] : null;
  };

  const isKnownFull = (date: string) => timesOn(date)?.length === 0;

  const root = useRef<HTMLDivElement>(null);
  const times = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Where focus goes once the days or times that it wants are there.
  const [goTo, setGoTo] = useState<'days' | { timesOf: string } | null>(null);

  useEffect(() => {
    if (goTo === null) return;
    if (goTo === 'days') {
      const days = root.current?.querySelector('[data-days]');
      const target =
        days?.querySelector<HTMLElement>('[aria-pressed="true"], [tabindex="0"]') ??
        days?.querySelector<HTMLElement>('button');
      target?.focus();
    } else {
      // The page may keep the day in the address bar, which changes a moment later.
      if (goTo.timesOf !== selected) return;
      heading.current?.focus({ preventScroll: true });
      times.current?.scrollIntoView({ block: 'nearest' });
    }
    setGoTo(null);
  }, [goTo, selected]);

  const choose = (date: string) => {
    onDay(date);
    setGoTo({ timesOf: date });
  };

  const toggle = async () => {
    // At the end of a month nearly all of what can be chosen is in the next one.
    const start = day ?? shown[2]?.date ?? selected;
    if (!inGrid && start) setMonth(monthOf(start));
    setGrid(inGrid ? null : { Month: (await import('./MonthGrid')).MonthGrid });
    setGoTo('days');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setGoTo('days');
  };

  const until = shown[shown.length - 1];
  const closed = until
    ? unavailableDaysText(slots.slice(0, slots.indexOf(until) + 1), sharedToday(zone))
    : null;
  const free = selected ? timesOn(selected) : null;
  const range = monthRange(zone, lastDay);
  const isEmptyMonth = inGrid && monthDays(month, zone, lastDay).every(isKnownFull);

  return (
    <div ref={root} className={styles.picker}>
      <div data-days="">
        {grid ? (
          <grid.Month
            month={month}
            onMonth={setMonth}
            today={today(zone)}
            {...range}
            free={(date) => timesOn(date)?.length ?? null}
            selected={selected}
            onChoose={choose}
          />
        ) : (
          <ul className={styles.days} aria-label="Days with free times">
            {shown.map(({ date, times }) => (
              <li key={date}>
                <button
                  type="button"
                  className={cx(tiles.tile, styles.day)}
                  aria-pressed={date === selected}
                  onClick={() => choose(date)}
                >
                  <DayTile date={date} free={times.length} isToday={date === sharedToday(zone)} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {!inGrid && closed && <p className={styles.closed}>{closed}</p>}
      {isEmptyMonth && (
        <div className="stack" data-gap="2" role="status">
          <p>No free times in {formatMonth(`${month}-01`)}.</p>
          <NextFreeDay
            doctorId={doctor._id}
            from={`${addMonths(month, 1)}-01`}
            lastDay={lastDay}
            holdId={holdId}
            onFound={(date) => setMonth(monthOf(date))}
          />
        </div>
      )}
      {inGrid && month === range.last && (
        <p className={styles.closed}>
          Appointments can be booked until {formatDay(lastDay)}. Every day, one more day opens.
        </p>
      )}
      <Button
        variant="quiet"
        className={styles.toggle}
        icon={<CalendarIcon size={20} />}
        onClick={toggle}
      >
        {inGrid ? 'Back to the next free days' : 'Choose another date'}
      </Button>
      {selected && (
        <section
          ref={times}
          className={styles.times}
          aria-labelledby={`${id}-day`}
          onKeyDown={onKeyDown}
        >
          <div className={styles.head}>
            <h3 id={`${id}-day`} ref={heading} tabIndex={-1} className={styles.title}>
              {formatDay(selected)}
            </h3>
            <Button variant="quiet" className={styles.back} onClick={() => setGoTo('days')}>
              Change day
            </Button>
          </div>
          <ZoneNote zone={zone} sample={free?.[0] ? { date: selected, time: free[0] } : null} />
          {free === null ? (
            <Skeletons count={2}>
              <Skeleton height={48} />
            </Skeletons>
          ) : free.length === 0 ? (
            <NoTimesOn
              date={selected}
              shown={shown}
              doctor={doctor}
              lastDay={lastDay}
              holdId={holdId}
              onChoose={choose}
            />
          ) : (
            (['Morning', 'Afternoon'] as const).map((part) => {
              const some = free.filter((time) => isMorning(time) === (part === 'Morning'));
              if (some.length === 0) return null;
              return (
                <div key={part} className={styles.part}>
                  <h4 className={styles.partTitle}>{part}</h4>
                  <ul className={tiles.tiles}>
                    {some.map((time) => (
                      <li key={time}>
                        <Time
                          slot={{ date: selected, time }}
                          doctor={doctor}
                          href={href}
                          onChoose={onChoose}
                          pressed={chosen?.date === selected && chosen.time === time}
                        />
                      </li>
                    ))}
                  </ul>
                </div>
              );
            })
          )}
        </section>
      )}
    </div>
  );
}

function DayTile({ date, free, isToday }: { date: string; free: number; isToday: boolean }) {
  const { weekday, day } = dayParts(date);
  return (
    <>
      {/* The spaces are for the name that screen readers hear and voice control matches. */}
      <span className={tiles.light}>{isToday ? 'Today' : weekday}</span> <span>{day}</span>{' '}
      <span className={styles.count}>{free} free</span>
    </>
  );
}

function Time({
  slot,
  doctor,
  href,
  onChoose,
  pressed,
}: {
  slot: Slot;
  doctor: Props['doctor'];
  href: Props['href'];
  onChoose: Props['onChoose'];
  pressed: boolean;
}) {
  const own = viewerTime(slot, doctor.timeZone);
  const content = (
    <>
      <span>{slot.time}</span> {own && <span className={tiles.light}>{own} yours</span>}
    </>
  );
  const name = slotLabel(slot, doctor);
  return href ? (
    <Link className={tiles.tile} href={href(slot)} aria-label={name}>
      {content}
    </Link>
  ) : (
    <button
      type="button"
      className={tiles.tile}
      aria-pressed={pressed}
      aria-label={name}
      onClick={() => onChoose?.(slot)}
    >
      {content}
    </button>
  );
}

/** On which clock the times are, and whether the person's own shows another. */
function ZoneNote({ zone, sample }: { zone: string; sample: Slot | null }) {
  const differs = sample && viewerTime(sample, zone);
  return (
    <p className={styles.zone}>
      Times are in the clinic’s time zone ({zoneLabel(zone)})
      {differs && `. Your time (${zoneLabel(browserZone())}) is shown below each`}.
    </p>
  );
}

interface NoTimesProps {
  date: string;
  shown: Day[];
  doctor: Props['doctor'];
  lastDay: string;
  holdId: string | undefined;
  onChoose: (date: string) => void;
}

function NoTimesOn({ date, shown, doctor, lastDay, holdId, onChoose }: NoTimesProps) {
  const zone = doctor.timeZone;
  if (date > lastDay) {
    return (
      <p>
        Times for this day open on {formatDay(opensOn(date, lastDay, zone))}. Until then,
        appointments can be booked until {formatDay(lastDay)}.
      </p>
    );
  }
  const next = shown.find((day) => day.date > date);
  return (
    <div className="stack" data-gap="2">
      <p>No free times on this day.</p>
      {next ? (
        <div>
          <Button variant="secondary" onClick={() => onChoose(next.date)}>
            Show {formatDay(next.date)}
          </Button>
        </div>
      ) : (
        <NextFreeDay
          doctorId={doctor._id}
          from={date}
          lastDay={lastDay}
          holdId={holdId}
          onFound={onChoose}
        />
      )}
    </div>
  );
}

interface NextFreeDayProps {
  doctorId: string;
  from: string;
  lastDay: string;
  holdId: string | undefined;
  onFound: (date: string) => void;
}

/** To the next free day beyond what is loaded, over as many empty months as there are. */
function NextFreeDay({ doctorId, from, lastDay, holdId, onFound }: NextFreeDayProps) {
  const find = useNextFreeDay(doctorId, lastDay, holdId);
  const search = useMutation({
    mutationFn: () => find(from),
    onSuccess: (date) => date && onFound(date),
  });
  if (search.data === null) return <p>There are no free times after that, either.</p>;
  return (
    <div>
      <Button
        variant="secondary"
        busy={search.isPending}
        busyLabel="Looking..."
        onClick={() => search.mutate()}
      >
        Show the next free day
      </Button>
      {search.isError && <p role="alert">We could not load the free times. Please try again.</p>}
    </div>
  );
}

/** The days of a month that can be booked. */
function monthDays(month: string, zone: string, lastDay: string): string[] {
  const now = today(zone);
  return Array.from({ length: daysInMonth(month) }, (_, at) => addDays(`${month}-01`, at)).filter(
    (date) => date >= now && date <= lastDay,
  );
}

function Waiting() {
  return (
    <Skeletons count={1}>
      <div className={styles.picker}>
        <div className={styles.days}>
          {Array.from({ length: 10 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other name.
            <Skeleton key={index} height={82} />
          ))}
        </div>
        <Skeleton width="60%" height={28} />
        <div className={tiles.tiles}>
          {Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other name.
            <Skeleton key={index} height={48} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}
