import { t } from '@lingui/core/macro';
import { addDays, formatWeekday } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { WEEKDAYS } from '@/lib/options';
import { orderedWeekdays, weekStart } from '@/lib/weekStart';

/** Format working days, such as "Monday to Friday and Sunday". */
export function workingDays(days: readonly string[]): string {
  const runs: number[][] = [];
  for (const [index, weekday] of orderedWeekdays().entries()) {
    if (!days.includes(weekday)) continue;
    const run = runs[runs.length - 1];
    if (run && run[run.length - 1] === index - 1) run.push(index);
    else runs.push([index]);
  }
  const names = runs.flatMap((run) => {
    const each = run.map((index) => weekdayName((weekStart() + index) % 7));
    const [first, last] = [each[0], each[each.length - 1]];
    return run.length > 2 && first && last ? [t`${first} to ${last}`] : each;
  });
  return formatList(names);
}

const ANY_MONDAY = '2024-01-01';

function weekdayName(weekday: number): string {
  return formatWeekday(addDays(ANY_MONDAY, weekday));
}

/** Return the weekdays as options of a form. */
export function weekdayOptions(): { value: string; label: string }[] {
  return orderedWeekdays().map((value) => ({
    value,
    label: weekdayName(WEEKDAYS.indexOf(value)),
  }));
}
