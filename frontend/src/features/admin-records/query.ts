import { dateOf } from '@/domain/staff/DateRange';
import { choiceOf } from '@/lib/paging';
import type { AdminRecordsQuery } from '@/lib/paths';

export const STATUSES = ['pending', 'confirmed', 'completed', 'cancelled'] as const;
export const CAME = [
  { value: 'true', label: 'Patient came' },
  { value: 'false', label: 'Patient did not come' },
] as const;

/** What the address bar asks for; nonsense asks for nothing. */
export function readQuery(params: URLSearchParams) {
  return {
    search: params.get('search')?.trim() || undefined,
    status: choiceOf(params, 'status', STATUSES, undefined),
    attended: choiceOf(params, 'attended', ['true', 'false'], undefined),
    from: dateOf(params, 'from'),
    to: dateOf(params, 'to'),
  } satisfies AdminRecordsQuery;
}
