import { PlusIcon } from '@/domain/staffIcons';
import { addDays, formatDay, monthOf, today as todayIn, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { ChevronLeftIcon, ChevronRightIcon } from '@/ui/icons';
import styles from './calendar.module.css';

/** Format a period: "23 to 29 November 2026", "30 November to 6 December 2026". */
function formatPeriod(from: string, days: number): string {
  if (days === 1) return formatDay(from);
  const last = addDays(from, days - 1);
  const format = (date: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options }).format(
      new Date(`${date}T00:00:00Z`),
    );
  const isOneMonth = monthOf(from) === monthOf(last);
  const start = format(from, isOneMonth ? { day: 'numeric' } : { day: 'numeric', month: 'long' });
  return `${start} to ${format(last, { day: 'numeric', month: 'long', year: 'numeric' })}`;
}

interface Props {
  view: 'day' | 'week';
  from: string;
  days: number;
  zone: string;
  onAddTime: () => void;
  onAddAbsence: () => void;
}

/** The shown period, navigation, and buttons to add items. */
export function CalendarToolbar({ view, from, days, zone, onAddTime, onAddAbsence }: Props) {
  const hrefOf = (date?: string) => paths.doctorAppointments({ view, date });
  const today = todayIn(zone);
  return (
    <Inline rowGap={3} gap={4}>
      <Inline
        as="nav"
        wrap={false}
        gap={1}
        align="stretch"
        className={styles.pager}
        aria-label={view === 'week' ? 'Weeks' : 'Days'}
      >
        <LinkButton
          variant="secondary"
          href={hrefOf(addDays(from, -days))}
          keepScroll
          aria-label={view === 'week' ? 'Week before' : 'Day before'}
          icon={<ChevronLeftIcon size={20} />}
        />
        <LinkButton
          variant="secondary"
          href={hrefOf()}
          keepScroll
          aria-current={today >= from && today < addDays(from, days) ? 'date' : undefined}
        >
          Today
        </LinkButton>
        <LinkButton
          variant="secondary"
          href={hrefOf(addDays(from, days))}
          keepScroll
          aria-label={view === 'week' ? 'Week after' : 'Day after'}
          icon={<ChevronRightIcon size={20} />}
        />
      </Inline>
      <Inline rowGap={0} gap={3} align="baseline" className={styles.heading}>
        <h2 className="subheading" aria-live="polite">
          {formatPeriod(from, days)}
        </h2>
        <span className="muted">{zoneLabel(zone)}</span>
      </Inline>
      <Inline gap={2} align="stretch" className={styles.actions}>
        <Button variant="secondary" onClick={onAddAbsence}>
          Add time off
        </Button>
        <Button icon={<PlusIcon size={18} />} onClick={onAddTime}>
          Book or block time
        </Button>
      </Inline>
    </Inline>
  );
}
