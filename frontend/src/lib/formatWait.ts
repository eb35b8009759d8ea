import { plural } from '@lingui/core/macro';

/** Format a waiting time: "40 seconds", "12 minutes", "1 hour". */
export function formatWait(seconds: number): string {
  if (seconds < 90) return plural(seconds, { one: '# second', other: '# seconds' });
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return plural(minutes, { one: '# minute', other: '# minutes' });
  const hours = Math.round(minutes / 60);
  return plural(hours, { one: '# hour', other: '# hours' });
}
