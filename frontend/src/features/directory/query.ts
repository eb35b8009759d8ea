import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { formatCount } from '@/lib/counts';
import { addDays, formatShortDay, isDate, today } from '@/lib/dates';
import { SPECIALIZATIONS } from '@/lib/options';
import type { DirectoryQuery } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { choiceParam, pageParam } from '@/lib/searchParams';

const ORDER_LABELS = [
  { value: 'nextFree', label: msg`Soonest opening` },
  { value: 'consultationFee', label: msg`Lowest fee` },
  { value: '-rating', label: msg`Best rated` },
  { value: 'name', label: msg`Name` },
] as const;
const EXPERIENCED = { value: '-experience', label: msg`Most experienced` } as const;

/** Sort orders; the empty one is the server's: by experience, or by relevance with a search text. */
export function orderOptions({ search }: DirectoryQuery) {
  return search
    ? [{ value: '', label: msg`Best match` } as const, EXPERIENCED, ...ORDER_LABELS]
    : [{ ...EXPERIENCED, value: '' } as const, ...ORDER_LABELS];
}

/** Availability spans; days are counted in the user's time zone. */
export const AVAILABILITY_SPANS = [
  { value: '', label: msg`Any time`, chip: undefined },
  { value: 'today', label: msg`Today`, chip: msg`Available today`, days: 0 },
  { value: '3days', label: msg`Within 3 days`, chip: msg`Available within 3 days`, days: 3 },
  { value: 'week', label: msg`Within a week`, chip: msg`Available within a week`, days: 7 },
] as const;

/** Convert the filter to the date that the server expects. */
export function availableByDate(availableBy: string | undefined): string | undefined {
  if (!availableBy || isDate(availableBy)) return availableBy;
  const span = AVAILABILITY_SPANS.find(({ value }) => value === availableBy);
  return span && 'days' in span ? addDays(today(), span.days) : undefined;
}

/** "Available within a week", "Available by Tue 8 Dec": "free" might be read as free of charge. */
export function spanLabel(availableBy: string | undefined): string | undefined {
  if (!availableBy) return undefined;
  if (isDate(availableBy)) {
    const day = formatShortDay(availableBy);
    return t`Available by ${day}`;
  }
  const chip = AVAILABILITY_SPANS.find(({ value }) => value === availableBy)?.chip;
  return chip && i18n._(chip);
}

/** Spans in a URL stay valid; past dates are ignored. */
function spanOf(params: URLSearchParams): string | undefined {
  const availableBy = params.get('availableBy') ?? '';
  if (isDate(availableBy)) return availableBy >= today() ? availableBy : undefined;
  return AVAILABILITY_SPANS.find(({ value }) => value === availableBy)?.value || undefined;
}

/** Read the query from the URL; invalid values are ignored. */
export function readQuery(params: URLSearchParams): DirectoryQuery {
  const text = (name: string) => params.get(name)?.trim().slice(0, MAX_SEARCH_LENGTH) || undefined;
  const page = pageParam(params);
  const search = text('search');
  return {
    search,
    specialization:
      choiceParam(params, 'specialization', ['', ...SPECIALIZATIONS], '') || undefined,
    city: text('city'),
    availableBy: spanOf(params),
    literal: search && params.get('literal') === 'true' ? 'true' : undefined,
    ordering:
      choiceParam(
        params,
        'ordering',
        orderOptions({ search }).map((order) => order.value),
        '',
      ) || undefined,
    page: page > 1 ? page : undefined,
  };
}

/** Return whether any filter is set. */
export function hasFilters({ search, specialization, city, availableBy }: DirectoryQuery): boolean {
  return Boolean(search || specialization || city || availableBy);
}

/** "34 doctors", "1,000+ doctors". */
export function doctorCountText({
  count,
  countIsExact,
}: {
  count: number;
  countIsExact: boolean;
}): string {
  if (!countIsExact) {
    const number = formatCount(count);
    return t`${number}+ doctors`;
  }
  return plural(count, { 0: 'No doctors', one: '# doctor', other: '# doctors' });
}
