import { useLingui } from '@lingui/react/macro';
import type { DoctorPage } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { orderedWeekdays } from '@/lib/weekStart';
import styles from './WeeklyHours.module.css';
import { workingDays } from './weekdays';

type Weekly = DoctorPage['weeklyHours'];

/**
 * The hours of each weekday, such as "09:00 to 13:00 and 14:00 to 18:00"; equal days share a row.
 */
export function WeeklyHours({ hours }: { hours: Weekly }) {
  const { t } = useLingui();
  const rows = new Map<string, string[]>();
  for (const day of orderedWeekdays()) {
    const spans = hours[day].map((interval) => {
      const [start, end] = [formatTime(interval.start), formatTime(interval.end)];
      return t`${start} to ${end}`;
    });
    if (spans.length === 0) continue;
    const text = formatList(spans);
    rows.set(text, [...(rows.get(text) ?? []), day]);
  }
  if (rows.size === 0) return <span className="muted">{t`No weekly hours`}</span>;
  return (
    <dl className={styles.hours}>
      {[...rows].map(([text, days]) => (
        <div key={text}>
          <dt>{workingDays(days)}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
