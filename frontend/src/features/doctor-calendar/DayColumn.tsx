import { useId } from 'react';
import type { CalendarAppointment, CalendarDay } from '@/api/types';
import { formatMinute, toSpans } from '@/domain/schedule/hours';
import { PlusIcon } from '@/domain/staffIcons';
import { cx } from '@/lib/cx';
import { formatDay, formatShortDay } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { CheckIcon, CloseIcon, WarningIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import type { OpenDialog } from './CalendarDialog';
import styles from './calendar.module.css';
import type { PlacedItem } from './layout';
import type { DragPreview } from './useCalendarDrag';

interface Props {
  view: 'day' | 'week';
  day: CalendarDay;
  items: PlacedItem[];
  range: { first: number; last: number };
  isToday: boolean;
  isPast: boolean;
  /** The current minute, in the column of today. */
  now: number | null;
  /** The item in the tab order. */
  tabStop: string | null;
  dragPreview: DragPreview | null;
  /** The dragged appointment. */
  draggedId: string | null;
  onFocus: (key: string) => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** One day with its hours, items and free times. */
export function DayColumn(props: Props) {
  const { view, day, items, range, now, dragPreview } = props;
  const id = useId();
  const length = range.last - range.first;
  const share = (minutes: number) => `${(minutes / length) * 100}%`;
  const at = (start: number, end: number) => ({
    insetBlockStart: share(start - range.first),
    height: share(end - start),
  });
  const hasAppointments = items.some((item) => item.kind === 'appointment');
  const note = day.dayOff ? `Day off${day.reason && `: ${day.reason}`}` : day.reason;
  return (
    <section
      className={styles.day}
      aria-labelledby={id}
      data-today={props.isToday ? '' : undefined}
      data-past={props.isPast ? '' : undefined}
    >
      <div className={styles.dayHeader} data-note={note ? '' : undefined}>
        <h3 id={id} className={view === 'day' ? 'visually-hidden' : undefined}>
          {view === 'week' ? (
            <Link href={paths.doctorAppointments({ view: 'day', date: day.date })} keepScroll>
              {formatShortDay(day.date)}
            </Link>
          ) : (
            formatDay(day.date)
          )}
          {props.isToday && <span className="visually-hidden">, today</span>}
        </h3>
        {note && (
          <p className={styles.dayNote} title={note}>
            {note}
          </p>
        )}
      </div>
      <div className={styles.column} data-column={day.date}>
        <div aria-hidden="true">
          {toSpans(day.hours).map(([start, end]) => (
            <div key={start} className={styles.openHours} style={at(start, end)} />
          ))}
          {items.map(
            (item) =>
              item.kind === 'appointment' &&
              item.appointment.status !== 'cancelled' &&
              item.appointment.bufferMinutes > 0 &&
              item.end < range.last && (
                <div
                  key={item.key}
                  className={styles.buffer}
                  style={at(
                    item.end,
                    Math.min(range.last, item.end + item.appointment.bufferMinutes),
                  )}
                />
              ),
          )}
        </div>
        {!hasAppointments && (
          <p className={cx(styles.emptyDay, 'visually-hidden')}>No appointments</p>
        )}
        <ol className={styles.items}>
          {items.map((item) => (
            <li
              key={item.key}
              className={styles.item}
              data-kind={item.kind}
              style={{
                ...at(item.start, item.end),
                insetInlineStart: `${(item.lane / item.lanes) * 100}%`,
                width: `${100 / item.lanes}%`,
              }}
            >
              <ColumnItem item={item} {...props} />
            </li>
          ))}
        </ol>
        {dragPreview && (
          <div
            className={styles.dragPreview}
            style={at(dragPreview.start, dragPreview.end)}
            aria-hidden="true"
          >
            {formatMinute(dragPreview.start)} to {formatMinute(dragPreview.end)}
          </div>
        )}
        {now !== null && now >= range.first && now <= range.last && (
          <div
            className={styles.currentTime}
            style={{ insetBlockStart: share(now - range.first) }}
            aria-hidden="true"
          />
        )}
      </div>
    </section>
  );
}

function ColumnItem({
  item,
  day,
  tabStop,
  draggedId,
  onFocus,
  onOpen,
}: Props & { item: PlacedItem }) {
  const from = formatMinute(item.start);
  const until = formatMinute(item.end);
  const tab = {
    'data-item': item.key,
    tabIndex: item.key === tabStop ? 0 : -1,
    onFocus: () => onFocus(item.key),
  };
  switch (item.kind) {
    case 'appointment':
      return (
        <button
          type="button"
          {...tab}
          className={cx(styles.status, styles.appointment)}
          data-visit={item.isContinued ? undefined : item.key}
          data-outside={item.appointment.outsideHours ? '' : undefined}
          data-row=""
          data-shortcut="open"
          data-status={item.appointment.status}
          data-short={item.end - item.start < 45 ? '' : undefined}
          data-dragged={item.key === draggedId ? '' : undefined}
          onClick={() => onOpen({ kind: 'appointment', appointment: item.appointment })}
        >
          <AppointmentText appointment={item.appointment} from={from} until={until} />
        </button>
      );
    case 'blocked':
      return (
        <button
          type="button"
          {...tab}
          className={styles.blocked}
          onClick={() => onOpen({ kind: 'blocked', date: day.date, blocked: item.blocked })}
        >
          <span className="strong">{from}</span>
          <span className="visually-hidden"> to {until},</span>{' '}
          <span className={styles.name}>{item.blocked.reason || 'Blocked'}</span>
          {item.blocked.reason && <span className="visually-hidden">, blocked</span>}
        </button>
      );
    case 'absence':
      return (
        <button
          type="button"
          {...tab}
          className={styles.blocked}
          onClick={() => onOpen({ kind: 'absence', absence: item.absence })}
        >
          <span className={styles.name}>{item.absence.reason || 'Time off'}</span>
          <span className="visually-hidden">
            , {from} to {until}
            {item.absence.reason && ', time off'}
          </span>
        </button>
      );
    case 'empty':
      return (
        <button
          type="button"
          {...tab}
          className={styles.empty}
          onClick={() =>
            onOpen({
              kind: 'time',
              action: 'book',
              date: day.date,
              start: item.start,
              end: item.end,
            })
          }
        >
          <PlusIcon size={18} />
          <span>{from}</span>
          <span className="visually-hidden"> to {until}, free</span>
        </button>
      );
    case 'more':
      return (
        <Link
          {...tab}
          className={styles.more}
          href={paths.doctorAppointments({ status: 'cancelled', date: day.date })}
        >
          {item.count} cancelled
        </Link>
      );
    case 'reserved':
      return (
        <p className={styles.reserved}>
          <span className="strong">{from}</span>
          <span className="visually-hidden"> to {until},</span>{' '}
          {item.reservation.kind === 'hold'
            ? 'Being booked'
            : `Proposed to ${item.reservation.patientName}`}
        </p>
      );
  }
}

function AppointmentText({
  appointment,
  from,
  until,
}: {
  appointment: CalendarAppointment;
  from: string;
  until: string;
}) {
  const asks = [
    appointment.cancelRequest && 'the patient can’t make it',
    appointment.proposal && 'another time is proposed',
  ].filter(Boolean);
  const also = [
    appointment.attended === false ? 'no-show' : appointment.status,
    ...asks,
    appointment.outsideHours && 'outside your hours',
    appointment.bufferMinutes > 0 && `then ${appointment.bufferMinutes} minutes of buffer`,
  ].filter(Boolean);
  return (
    <>
      <span className="strong">{from}</span>
      <span className="visually-hidden"> to {until},</span>{' '}
      {appointment.status === 'completed' &&
        (appointment.attended === false ? (
          <CloseIcon className={styles.statusIcon} size={16} />
        ) : (
          <CheckIcon className={styles.statusIcon} size={16} />
        ))}
      {asks.length > 0 && <WarningIcon className={styles.statusIcon} size={16} />}
      <span className={styles.name}>{appointment.patient.name}</span>
      {appointment.outsideHours && (
        <span className={styles.outsideHours} aria-hidden="true">
          outside hours
        </span>
      )}
      <span className="visually-hidden">, {also.join(', ')}</span>
    </>
  );
}
