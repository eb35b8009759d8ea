import { msg } from '@lingui/core/macro';
import { dateParam } from '@/domain/staff/DateRange';
import { addDays, daysBetween, today } from '@/lib/dates';
import { SPECIALIZATIONS } from '@/lib/options';
import { choiceParam } from '@/lib/searchParams';

export const PRESETS = [7, 30, 90] as const;
export const STEPS = [
  { value: 'day', label: msg`Day` },
  { value: 'week', label: msg`Week` },
] as const;

const DEFAULT_DAYS = 30;
/** The server's limit of steps: adminpanel/api/analytics_serializers.py. */
const MAX_DAYS = 366;

/** Return the last days including today, in UTC like the server. */
export function lastDays(days: number, day: string = today('UTC')) {
  return { from: addDays(day, 1 - days), to: day };
}

/** Read the query from the URL: always a complete period, in steps that can be drawn. */
export function readQuery(params: URLSearchParams, day: string = today('UTC')) {
  const to = dateParam(params, 'to') ?? day;
  const from = dateParam(params, 'from') ?? addDays(to, 1 - DEFAULT_DAYS);
  const [first, last] = from <= to ? [from, to] : [to, from];
  const isLong = daysBetween(first, last) >= MAX_DAYS;
  return {
    from: first,
    to: last,
    by: isLong ? 'week' : choiceParam(params, 'by', ['day', 'week'], 'day'),
    specialization: choiceParam(params, 'specialization', SPECIALIZATIONS, undefined),
    city: params.get('city')?.trim().slice(0, 100) || undefined,
  };
}

export type Period = ReturnType<typeof readQuery>;

/** Return the preset that matches a period, if any. */
export function findPreset({ from, to }: Pick<Period, 'from' | 'to'>, day = today('UTC')) {
  return to === day ? PRESETS.find((days) => lastDays(days, day).from === from) : undefined;
}
