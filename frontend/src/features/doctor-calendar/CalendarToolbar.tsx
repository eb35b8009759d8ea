import { Trans, useLingui } from '@lingui/react/macro';
import { PlusIcon } from '@/domain/staffIcons';
import { addDays, formatDay, formatPeriod, today as todayIn, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { ChevronLeftIcon } from '@/ui/icons';
import { ChevronRightIcon } from '@/ui/pageIcons';
import styles from './calendar.module.css';

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
  const { t } = useLingui();
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
        aria-label={view === 'week' ? t`Weeks` : t`Days`}
      >
        <LinkButton
          variant="secondary"
          href={hrefOf(addDays(from, -days))}
          keepScroll
          aria-label={view === 'week' ? t`Previous week` : t`Previous day`}
          icon={<ChevronLeftIcon size={20} />}
        />
        <LinkButton
          variant="secondary"
          href={hrefOf()}
          keepScroll
          aria-current={today >= from && today < addDays(from, days) ? 'date' : undefined}
        >
          <Trans>Today</Trans>
        </LinkButton>
        <LinkButton
          variant="secondary"
          href={hrefOf(addDays(from, days))}
          keepScroll
          aria-label={view === 'week' ? t`Next week` : t`Next day`}
          icon={<ChevronRightIcon size={20} />}
        />
      </Inline>
      <Inline rowGap={0} gap={3} align="baseline" className={styles.heading}>
        <h2 className="subheading" aria-live="polite">
          {days === 1 ? formatDay(from) : formatPeriod(from, addDays(from, days - 1))}
        </h2>
        <span className="muted">{zoneLabel(zone)}</span>
      </Inline>
      <Inline gap={2} align="stretch" className={styles.actions}>
        <Button variant="secondary" onClick={onAddAbsence}>
          <Trans>Add time off</Trans>
        </Button>
        <Button icon={<PlusIcon size={18} />} onClick={onAddTime}>
          <Trans>Book or block time</Trans>
        </Button>
      </Inline>
    </Inline>
  );
}
