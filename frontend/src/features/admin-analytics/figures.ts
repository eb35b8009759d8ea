import type { Figures } from '@/api/types';
import { formatCount } from '@/lib/counts';

/** How the figures are worked out and written. Nothing known is nothing, never 0. */

/** A part of a whole in per cent; null where there is no whole. */
export function percentage(part: number | null, total: number | null): number | null {
  return part === null || !total ? null : (part / total) * 100;
}

export function formatShare(percent: number | null): string {
  return percent === null ? 'Not known' : `${Math.round(percent)} %`;
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

/** Whether so many minutes are best told apart in minutes, hours or days. */
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
