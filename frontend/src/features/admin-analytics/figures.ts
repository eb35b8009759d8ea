import { t } from '@lingui/core/macro';
import type { Figures } from '@/api/types';
import { formatCount, formatPercent } from '@/lib/counts';
import { formatLocale, perLocale } from '@/lib/locale';

const durationList = perLocale(
  (locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }),
);

/** Compute and format figures. Unknown values are null, never 0. */

/** Return a part of a total in percent; null without a total. */
export function percentage(part: number | null, total: number | null): number | null {
  return part === null || !total ? null : (part / total) * 100;
}

export function formatShare(percent: number | null): string {
  return percent === null ? t`Unknown` : formatPercent(percent);
}

function formatUnit(value: number, unit: 'minute' | 'hour' | 'day'): string {
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(value);
}

/** "25 min", "3 hr 20 min", "2.5 days". */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return t`Unknown`;
  if (minutes < 60) return formatUnit(Math.round(minutes), 'minute');
  if (minutes >= 48 * 60) return formatUnit(minutes / 1440, 'day');
  const rest = Math.round(minutes % 60);
  const hours = formatUnit(Math.floor(minutes / 60), 'hour');
  if (!rest) return hours;
  const parts = [hours, formatUnit(rest, 'minute')];
  return durationList().format(parts);
}

/** Return the unit of axis ticks in minutes: 1, 60 or 1440. */
export function minuteTickUnit(minutes: number): number {
  if (minutes < 120) return 1;
  return minutes < 48 * 60 ? 60 : 1440;
}

export function formatNumber(count: number | null): string {
  return count === null ? t`Unknown` : formatCount(count);
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
