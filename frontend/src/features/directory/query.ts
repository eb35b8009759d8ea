import { SPECIALIZATIONS } from '@/lib/options';
import { choiceOf, pageOf } from '@/lib/paging';
import type { DirectoryQuery } from '@/lib/paths';

/** The orders of the list; the empty one is the server's own, by experience. */
export const ORDERS = [
  { value: '', label: 'Most experienced' },
  { value: 'nextFree', label: 'Soonest free time' },
  { value: 'consultationFee', label: 'Lowest fee' },
  { value: '-rating', label: 'Best rated' },
  { value: 'name', label: 'Name' },
] as const;

export const TEXT_LENGTH = 100;

/** What the address bar asks for; nonsense in it counts as nothing. */
export function readQuery(params: URLSearchParams): DirectoryQuery {
  const text = (name: string) => params.get(name)?.trim().slice(0, TEXT_LENGTH) || undefined;
  const page = pageOf(params);
  return {
    search: text('search'),
    specialization: choiceOf(params, 'specialization', ['', ...SPECIALIZATIONS], '') || undefined,
    city: text('city'),
    ordering:
      choiceOf(
        params,
        'ordering',
        ORDERS.map((order) => order.value),
        '',
      ) || undefined,
    page: page > 1 ? page : undefined,
  };
}

/** Whether anything narrows the list. */
export function isNarrowed({ search, specialization, city }: DirectoryQuery): boolean {
  return Boolean(search || specialization || city);
}

/** "34 doctors", "1,000+ doctors". */
export function countOf({ count, countIsExact }: { count: number; countIsExact: boolean }): string {
  const number = count.toLocaleString('en-GB');
  if (!countIsExact) return `${number}+ doctors`;
  if (count === 0) return 'No doctors';
  return count === 1 ? '1 doctor' : `${number} doctors`;
}
