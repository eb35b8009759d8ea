import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { CalendarAppointment, CalendarDay, KeptTime } from '@/api/types';
import { statusLabel } from '@/domain/appointment/StatusBadge';
import { minuteText, toSpans } from '@/domain/schedule/hours';
import { PlusIcon } from '@/domain/staffIcons';
import { cx } from '@/lib/cx';
import { formatDay, formatShortDay } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
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
  const { t } = useLingui();
  const { view, day, items, range, now, dragPreview } = props;
  const id = useId();
  const length = range.last - range.first;
  const share = (minutes: number) => `${(minutes / length) * 100}%`;
  const at = (start: number, end: number) => ({
    insetBlockStart: share(start - range.first),
    height: share(end - start),
  });
  const previewStart = dragPreview && minuteText(dragPreview.start);
  const previewEnd = dragPreview && minuteText(dragPreview.end);
  const hasAppointments = items.some((item) => item.kind === 'appointment');
  const { dayOff, reason } = day;
  const dayOffText = reason ? t`Day off: ${reason}` : t`Day off`;
  const note = dayOff ? dayOffText : reason;
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
          {props.isToday && (
            <span className="visually-hidden">
              <Trans comment="after the date">, today</Trans>
            </span>
          )}
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
          <p className={cx(styles.emptyDay, 'visually-hidden')}>
            <Trans>No appointments</Trans>
          </p>
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
            <Trans>
              {previewStart} to {previewEnd}
            </Trans>
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
  const from = minuteText(item.start);
  const until = minuteText(item.end);
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
          <TimeRange from={from} until={until} />{' '}
          {item.blocked.reason ? (
            <Trans>
              <span className={styles.name}>{item.blocked.reason}</span>
              <span className="visually-hidden">, blocked</span>
            </Trans>
          ) : (
            <span className={styles.name}>
              <Trans>Blocked</Trans>
            </span>
          )}
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
          {item.absence.reason ? (
            <Trans>
              <span className={styles.name}>{item.absence.reason}</span>
              <span className="visually-hidden">
                , {from} to {until}, time off
              </span>
            </Trans>
          ) : (
            <Trans>
              <span className={styles.name}>Time off</span>
              <span className="visually-hidden">
                , {from} to {until}
              </span>
            </Trans>
          )}
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
          <Trans>
            <span>{from}</span>
            <span className="visually-hidden"> to {until}, free</span>
          </Trans>
        </button>
      );
    case 'more':
      return (
        <Link
          {...tab}
          className={styles.more}
          href={paths.doctorAppointments({ status: 'cancelled', date: day.date })}
        >
          <Plural value={item.count} one="# cancelled" other="# cancelled" />
        </Link>
      );
    case 'reserved':
      return (
        <p className={styles.reserved}>
          <TimeRange from={from} until={until} /> <ReservationText reservation={item.reservation} />
        </p>
      );
  }
}

/** The start, with the end for screen readers. */
function TimeRange({ from, until }: { from: string; until: string }) {
  return (
    <Trans>
      <span className="strong">{from}</span>
      <span className="visually-hidden"> to {until},</span>
    </Trans>
  );
}

function ReservationText({ reservation: { kind, patientName } }: { reservation: KeptTime }) {
  return kind === 'hold' ? (
    <Trans>Someone is booking</Trans>
  ) : (
    <Trans>Suggested to {patientName}</Trans>
  );
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
  const { t } = useLingui();
  const { bufferMinutes, cancelRequest, proposal, outsideHours } = appointment;
  const facts = formatFacts([
    t(statusLabel(appointment)),
    cancelRequest && t`the patient can’t make it`,
    proposal && t`another time suggested`,
    outsideHours && t`outside your hours`,
    bufferMinutes > 0 &&
      t`${plural(bufferMinutes, { one: 'then a buffer of # minute', other: 'then a buffer of # minutes' })}`,
  ]);
  return (
    <>
      <TimeRange from={from} until={until} />{' '}
      {appointment.status === 'completed' &&
        (appointment.attended === false ? (
          <CloseIcon className={styles.statusIcon} size={16} />
        ) : (
          <CheckIcon className={styles.statusIcon} size={16} />
        ))}
      {(cancelRequest || proposal) && <WarningIcon className={styles.statusIcon} size={16} />}
      <span className={styles.name}>{appointment.patient.name}</span>
      {outsideHours && (
        <span className={styles.outsideHours} aria-hidden="true">
          <Trans>outside hours</Trans>
        </span>
      )}
      <span className="visually-hidden">
        <Trans>, {facts}</Trans>
      </span>
    </>
  );
}
