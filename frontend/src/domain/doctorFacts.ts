import { plural, t } from '@lingui/core/macro';
import type { Doctor } from '@/api/types';
import { addDays, formatWeekday } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { WEEKDAYS } from '@/lib/options';

/** "12 years of experience". */
export function experienceText({ experience }: Pick<Doctor, 'experience'>): string {
  return plural(experience, {
    0: 'In the first year of practice',
    one: '# year of experience',
    other: '# years of experience',
  });
}

/** "Boston, MA". */
export function locationText({ hospital: { address } }: Pick<Doctor, 'hospital'>): string {
  return [address.city, address.state].filter(Boolean).join(', ');
}

/** Format working days, such as "Monday to Friday and Sunday". */
export function workingDays(days: readonly string[]): string {
  const runs: number[][] = [];
  for (const [index, weekday] of WEEKDAYS.entries()) {
    if (!days.includes(weekday)) continue;
    const run = runs[runs.length - 1];
    if (run && run[run.length - 1] === index - 1) run.push(index);
    else runs.push([index]);
  }
  const names = runs.flatMap((run) => {
    const each = run.map(weekdayName);
    const [first, last] = [each[0], each[each.length - 1]];
    return run.length > 2 && first && last ? [t`${first} to ${last}`] : each;
  });
  return formatList(names);
}

const ANY_MONDAY = '2024-01-01';

function weekdayName(weekday: number): string {
  return formatWeekday(addDays(ANY_MONDAY, weekday));
}

/** The weekdays as options of a form, from Monday. */
export function weekdayOptions(): { value: string; label: string }[] {
  return WEEKDAYS.map((value, index) => ({ value, label: weekdayName(index) }));
}
