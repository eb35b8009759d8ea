import { plural } from '@lingui/core/macro';

/** Format minutes as whole days, hours or minutes: "2 days", "1 hour", "90 minutes". */
export function durationText(minutes: number): string {
  const hours = minutes / 60;
  const days = hours / 24;
  if (minutes > 0 && Number.isInteger(days)) return plural(days, { one: '# day', other: '# days' });
  if (minutes > 0 && Number.isInteger(hours)) {
    return plural(hours, { one: '# hour', other: '# hours' });
  }
  return plural(minutes, { one: '# minute', other: '# minutes' });
}
