import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { calendarQuery } from '@/api/doctorDesk';
import { AbsenceDialog } from '@/domain/schedule/AbsenceDialog';
import { clock } from '@/domain/schedule/hours';
import { PlusIcon } from '@/domain/staffIcons';
import { cx } from '@/lib/cx';
import {
  addDays,
  daysBetween,
  formatDay,
  formatShortDay,
  monthOf,
  today as todayIn,
  weekdayOf,
  zoneLabel,
} from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { CheckIcon, ChevronLeftIcon, ChevronRightIcon, CloseIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { useNow } from '@/ui/useNow';
import { AppointmentDialog } from './AppointmentDialog';
import { BlockedDialog } from './BlockedDialog';
import styles from './calendar.module.css';
import { DayColumn, type Opened } from './DayColumn';
import {
  daysOf,
  hourHeight,
  hourRange,
  inTheWay,
  itemsOf,
  minuteNow,
  nearest,
  nextTime,
  place,
  walk,
} from './layout';
import { RescheduleDraggedDialog } from './RescheduleDraggedDialog';
import { TimeDialog } from './TimeDialog';
import { useDrag } from './useDrag';

interface Props {
  view: 'day' | 'week';
  date: string;
  zone: string;
}

const PAGE_KEYS: Record<string, 1 | -1> = { PageUp: -1, PageDown: 1 };

/** "23 to 29 November 2026", "30 November to 6 December 2026". */
function titleOf(from: string, days: number): string {
  if (days === 1) return formatDay(from);
  const last = addDays(from, days - 1);
  const format = (date: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(
      new Date(`${date}T00:00:00Z`),
    );
  const same = monthOf(from) === monthOf(last);
  const start = format(from, same ? { day: 'numeric' } : { day: 'numeric', month: 'long' });
  return `${start} to ${format(last, { day: 'numeric', month: 'long', year: 'numeric' })}`;
}

/**
 * A day or a week of appointments. It is a list by day and time, drawn as a grid where there is room: one
 * tab stop, in which arrows move. What a drag does, a button does too.
 */
export default function CalendarView({ view, date, zone }: Props) {
  const navigate = useNavigate();
  const now = useNow();
  const { from, days } = daysOf(view, date, weekdayOf(date));
  const { data, isLoadingError, isFetching, refetch } = useQuery(calendarQuery(from, days));
  const [opened, setOpened] = useState<Opened | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  // Where focus goes once the days that it wants are there.
  const [wanted, setWanted] = useState<{ date: string; minute: number } | null>(null);

  const href = (day: string) => paths.doctorAppointments({ view, date: day });
  const go = (day: string) => navigate(href(day), { state: { keepScroll: true } });
  const today = todayIn(zone);

  const range = data && hourRange(data);
  const columns = data?.days.map((day) => place(itemsOf(data, day, now))) ?? [];
  const drag = useDrag({
    root,
    calendar: data,
    range,
    now,
    onMove: (appointmentId, slot) => setOpened({ kind: 'move', id: appointmentId, ...slot }),
    onStroke: (stroke) => setOpened({ kind: 'time', what: 'block', ...stroke }),
  });

  // The one item that Tab reaches: where one was, else what comes next.
  const keys = columns.flat().filter((item) => item.kind !== 'kept');
  const stop =
    keys.find((item) => item.key === cursor) ??
    columns[data ? Math.max(0, daysBetween(from, today)) : 0]?.find(
      (item) => item.kind === 'visit' && item.end > (minuteNow(now, zone, today) ?? 0),
    ) ??
    keys.find((item) => item.kind === 'visit') ??
    keys[0];

  const focus = (key: string) => {
    setCursor(key);
    root.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`)?.focus();
  };

  // Drawn as a list, a narrow screen leaves the empty times out.
  const reachable = () =>
    columns.map((items) =>
      items.filter((item) => {
        const element = root.current?.querySelector(`[data-item="${CSS.escape(item.key)}"]`);
        const row = element?.closest('li');
        return row && getComputedStyle(row).display !== 'none';
      }),
    );

  useEffect(() => {
    if (!wanted || !data) return;
    const items = reachable()[daysBetween(from, wanted.date)];
    // The address has not changed yet.
    if (!items) return;
    setWanted(null);
    const near = nearest(items, wanted.minute);
    const item = near === null ? undefined : items[near];
    if (item) focus(item.key);
    else root.current?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = (event.target as Element).closest('[data-item]');
    const key = target?.getAttribute('data-item');
    const all = reachable();
    const day = all.findIndex((items) => items.some((item) => item.key === key));
    const at = all[day]?.findIndex((item) => item.key === key) ?? -1;
    const item = all[day]?.[at];
    if (!item) return;
    const turn = PAGE_KEYS[event.key];
    const next = turn ? null : walk(all, [day, at], event.key);
    const found = next && all[next[0]]?.[next[1]];
    if (found) focus(found.key);
    else if (turn || event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      // Beyond the edge lies the next week or day.
      const step = turn ?? (event.key === 'ArrowLeft' ? -1 : 1);
      const there = turn ? addDays(from, day + step * days) : addDays(from, step < 0 ? -1 : days);
      setWanted({ date: there, minute: item.start });
      go(there);
    } else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
  };

  // The day that is shown, where it is still to come.
  const firstDayOff = view === 'day' && date > today ? date : undefined;
  const openTime = () => {
    if (data) setOpened({ kind: 'time', what: 'book', ...nextTime(data, now) });
  };

  return (
    <section className={styles.calendar} aria-label="Calendar">
      <div className={styles.bar}>
        <nav className={styles.turn} aria-label={view === 'week' ? 'Weeks' : 'Days'}>
          <LinkButton
            variant="secondary"
            href={href(addDays(from, -days))}
            keepScroll
            aria-label={view === 'week' ? 'Week before' : 'Day before'}
            icon={<ChevronLeftIcon size={20} />}
          />
          <LinkButton
            variant="secondary"
            href={paths.doctorAppointments({ view })}
            keepScroll
            aria-current={today >= from && today < addDays(from, days) ? 'date' : undefined}
          >
            Today
          </LinkButton>
          <LinkButton
            variant="secondary"
            href={href(addDays(from, days))}
            keepScroll
            aria-label={view === 'week' ? 'Week after' : 'Day after'}
            icon={<ChevronRightIcon size={20} />}
          />
        </nav>
        <div className={styles.heading}>
          <h2 aria-live="polite">{titleOf(from, days)}</h2>
          <span className="muted">{zoneLabel(zone)}</span>
        </div>
        <div className={styles.add}>
          <Button
            variant="secondary"
            onClick={() => setOpened({ kind: 'newAbsence', date: firstDayOff })}
          >
            Add time off
          </Button>
          <Button icon={<PlusIcon size={18} />} onClick={openTime}>
            Book or block time
          </Button>
        </div>
      </div>

      {isLoadingError ? (
        <ErrorState
          title="We could not load the calendar"
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : !data || !range ? (
        <Skeletons count={1}>
          <Skeleton height={620} />
        </Skeletons>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: listens for the keys and drags of the buttons inside. */}
          <div
            ref={root}
            className={styles.grid}
            data-view={view}
            data-walk=""
            data-dragging={drag.ghost ? '' : undefined}
            tabIndex={-1}
            onKeyDown={onKeyDown}
            {...drag.handlers}
            style={
              {
                '--days': days,
                '--hour': `${hourHeight(data.visitMinutes)}px`,
                '--hours': (range.last - range.first) / 60,
              } as React.CSSProperties
            }
          >
            <div className={styles.ticks} aria-hidden="true">
              {Array.from({ length: (range.last - range.first) / 60 }, (_, at) => {
                const minute = range.first + at * 60;
                return <span key={minute}>{clock(minute)}</span>;
              })}
            </div>
            {data.days.map((day, index) => (
              <DayColumn
                key={day.date}
                day={day}
                items={columns[index] ?? []}
                range={range}
                isToday={day.date === today}
                isPast={day.date < today}
                now={minuteNow(now, zone, day.date)}
                stop={stop?.key ?? null}
                ghost={drag.ghost?.date === day.date ? drag.ghost : null}
                dragged={drag.ghost?.appointmentId ?? null}
                heading={
                  view === 'week' ? (
                    <Link
                      href={paths.doctorAppointments({ view: 'day', date: day.date })}
                      keepScroll
                    >
                      {formatShortDay(day.date)}
                    </Link>
                  ) : (
                    formatDay(day.date)
                  )
                }
                onFocus={setCursor}
                onOpen={setOpened}
              />
            ))}
          </div>
          <Legend />
        </>
      )}

      {data && opened?.kind === 'visit' && (
        <AppointmentDialog
          appointment={opened.appointment}
          zone={zone}
          onClose={() => setOpened(null)}
        />
      )}
      {data && opened?.kind === 'move' && (
        <RescheduleDraggedDialog
          id={opened.id}
          slot={{ date: opened.date, time: clock(opened.minute) }}
          obstacle={inTheWay(data, opened.date, opened.minute, now, opened.id)}
          onClose={() => setOpened(null)}
        />
      )}
      {data && opened?.kind === 'blocked' && (
        <BlockedDialog
          date={opened.date}
          blocked={opened.blocked}
          onClose={() => setOpened(null)}
        />
      )}
      {data && opened?.kind === 'absence' && (
        <AbsenceDialog absence={opened.absence} timeZone={zone} onClose={() => setOpened(null)} />
      )}
      {data && opened?.kind === 'newAbsence' && (
        <AbsenceDialog timeZone={zone} date={opened.date} onClose={() => setOpened(null)} />
      )}
      {data && opened?.kind === 'time' && (
        <TimeDialog first={opened} calendar={data} now={now} onClose={() => setOpened(null)} />
      )}
    </section>
  );
}

/** As DayColumn.tsx draws them. */
const LOOKS = [
  { status: 'pending', label: 'pending' },
  { status: 'confirmed', label: 'confirmed' },
  { status: 'completed', label: 'completed', mark: <CheckIcon size={16} /> },
  { status: 'completed', label: 'no-show', mark: <CloseIcon size={16} /> },
  { status: 'cancelled', label: 'cancelled' },
];

function Legend() {
  return (
    <div className={styles.foot}>
      <ul className={styles.legend} aria-label="How appointments look">
        {LOOKS.map(({ status, label, mark }) => (
          <li key={label} data-status={status}>
            <span className={styles.swatch} aria-hidden="true">
              {mark}
            </span>
            <span>{label}</span>
          </li>
        ))}
      </ul>
      <p className={cx(styles.hint, 'muted small')}>
        Drag an appointment to another free time, or draw over empty time to block or book it. With
        the keyboard, arrow keys move between appointments and times, and Enter opens one. A striped
        tail is the buffer that an appointment was booked with; “outside hours” marks one that you
        kept where patients can’t book.
      </p>
    </div>
  );
}
