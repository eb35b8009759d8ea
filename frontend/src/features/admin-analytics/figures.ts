import type { Figures } from '@/api/types';
import { formatCount } from '@/lib/counts';

/** Compute and format figures. Unknown values are null, never 0. */

/** Return a part of a total in percent; null without a total. */
export function percentage(part: number | null, total: number | null): number | null {
  return part === null || !total ? null : (part / total) * 100;
}

export function formatShare(percent: number | null): string {
  return percent === null ? 'Not known' : `${Math.round(percent)}%`;
}

/** "25 min", "3 h 20 min", "2.5 days". */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return 'Not known';
  if (minutes < 60) return `${Math.round(minutes)} min`;
  if (minutes >= 48 * 60) {
    return `${(minutes / 1440).toLocaleString('en-GB', { maximumFractionDigits: 1 })} days`;
  }
  const rest = Math.round(minutes % 60);
  return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ''}`;
}

/** Return the unit of axis ticks in minutes: 1, 60 or 1440. */
export function minuteTickUnit(minutes: number): number {
  if (minutes < 120) return 1;
  return minutes < 48 * 60 ? 60 : 1440;
}

export function formatNumber(count: number | null): string {
  return count === null ? 'Not known' : formatCount(count);
}

type CancelledFigures = Pick<
  Figures,
  'cancelledByPatient' | 'cancelledByDoctor' | 'cancelledByAdmin' | 'expired'
>;

export function countCancelled(figures: CancelledFigures): number {
  return (
    figures.cancelledByPatient +
    figures.cancelledByDoctor +
    figures.cancelledByAdmin +
    figures.expired
  );
}
