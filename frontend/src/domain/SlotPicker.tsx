import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import {
  browserZone,
  dayParts,
  daysInMonth,
  formatDay,
  isMorning,
  monthOf,
  today,
  zoneLabel,
} from '@/lib/dates';
import { Button } from '@/ui/Button';
import { CalendarIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import {
  closedLine,
  covers,
  type Day,
  freeDays,
  monthRange,
  ownClock,
  type Slot,
  sharedToday,
  timeName,
  timesFree,
  useFreeTimes,
  useMonth,
} from './freeTimes';
import type { MonthGrid } from './MonthGrid';
import styles from './SlotPicker.module.css';
import tiles from './TimeTiles.module.css';

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
  const { slots, nextFree, failed, retrying, retry } = useFreeTimes(doctor._id, holdId);

  if (failed) {
    return <ErrorState title="We could not load the free times" onRetry={retry} busy={retrying} />;
  }
  if (!slots) return <Waiting />;
  if (!nextFree && freeDays(slots, 1).length === 0) return none;
  return <Picker {...props} slots={slots} />;
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
}: Omit<Props, 'none'> & { slots: Day[] }) {
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
    return date < today(zone) ? [] : null;
  };

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
    if (!inGrid && selected) setMonth(monthOf(selected));
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
    ? closedLine(slots.slice(0, slots.indexOf(until) + 1), sharedToday(zone))
    : null;
  const free = selected ? timesOn(selected) : null;

  return (
    <div ref={root} className={styles.picker}>
      <div data-days="">
        {grid ? (
          <grid.Month
            month={month}
            onMonth={setMonth}
            today={today(zone)}
            {...monthRange(zone)}
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
                  aria-label={`${formatDay(date)}, ${timesFree(times.length)}`}
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
            <NoTimesOn date={selected} shown={shown} onChoose={choose} />
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
      <span className={tiles.light}>{isToday ? 'Today' : weekday}</span>
      <span>{day}</span>
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
  const own = ownClock(slot, doctor.timeZone);
  const content = (
    <>
      <span>{slot.time}</span>
      {own && <span className={tiles.light}>{own} yours</span>}
    </>
  );
  const name = timeName(slot, doctor);
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
  const differs = sample && ownClock(sample, zone);
  return (
    <p className={styles.zone}>
      {zoneLabel(zone)}, on the clinic’s clock
      {differs && `. Your own time (${zoneLabel(browserZone())}) stands below each`}.
    </p>
  );
}

function NoTimesOn({
  date,
  shown,
  onChoose,
}: {
  date: string;
  shown: Day[];
  onChoose: (date: string) => void;
}) {
  const next = shown.find((day) => day.date > date) ?? shown[0];
  return (
    <div className="stack" data-gap="2">
      <p>No free times on this day.</p>
      {next && (
        <div>
          <Button variant="secondary" onClick={() => onChoose(next.date)}>
            Show {formatDay(next.date)}
          </Button>
        </div>
      )}
    </div>
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
