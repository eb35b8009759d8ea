import type { Doctor } from '@/api/types';
import { capitalize } from '@/lib/names';
import { WEEKDAYS } from '@/lib/options';

/** "12 years of experience". */
export function experienceText({ experience }: Pick<Doctor, 'experience'>): string {
  if (experience === 0) return 'In the first year of practice';
  return experience === 1 ? '1 year of experience' : `${experience} years of experience`;
}

/** "Boston, MA". */
export function locationText({ hospital: { address } }: Pick<Doctor, 'hospital'>): string {
  return [address.city, address.state].filter(Boolean).join(', ');
}

/** Format working days, such as "Monday to Friday and Sunday". */
export function workingDays(days: readonly string[]): string {
  const runs: string[][] = [];
  for (const weekday of WEEKDAYS) {
    if (!days.includes(weekday)) continue;
    const run = runs[runs.length - 1];
    const before = WEEKDAYS[WEEKDAYS.indexOf(weekday) - 1];
    if (run && run[run.length - 1] === before) run.push(weekday);
    else runs.push([weekday]);
  }
  const names = runs.flatMap((run) => {
    const named = run.map(capitalize);
    return run.length > 2 ? [`${named[0]} to ${named[named.length - 1]}`] : named;
  });
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}
