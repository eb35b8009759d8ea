import { plural, t } from '@lingui/core/macro';

/** Format a duration: "3 hours", "2 days". */
export function formatAge(start: string, now: Date = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - new Date(start).getTime()) / 60_000));
  if (minutes < 1) return t`less than a minute`;
  if (minutes < 60) return plural(minutes, { one: '# minute', other: '# minutes' });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return plural(hours, { one: '# hour', other: '# hours' });
  const days = Math.floor(hours / 24);
  return plural(days, { one: '# day', other: '# days' });
}
