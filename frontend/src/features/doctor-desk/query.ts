import { isDate } from '@/lib/dates';
import { choiceOf, pageOf } from '@/lib/paging';
import type { DeskQuery } from '@/lib/paths';

export const VIEWS = ['list', 'day', 'week'] as const;
export const FILTERS = ['all', 'pending', 'confirmed', 'completed', 'cancelled'] as const;

const SCOPES = ['upcoming', 'past'] as const;
const TRUTHS = ['true', 'false'] as const;

/** What the address bar asks for; nonsense asks for nothing. */
export function readQuery(params: URLSearchParams) {
  const date = params.get('date') ?? '';
  const filter = choiceOf(params, 'status', FILTERS, 'all');
  return {
    view: choiceOf(params, 'view', VIEWS, 'list'),
    status: filter === 'all' ? undefined : filter,
    search: params.get('search')?.trim() || undefined,
    date: isDate(date) ? date : undefined,
    scope: choiceOf(params, 'scope', SCOPES, undefined),
    attended: choiceOf(params, 'attended', TRUTHS, undefined),
    waiting: choiceOf(params, 'waiting', ['true'], undefined),
    page: pageOf(params),
  } satisfies DeskQuery;
}

export type ReadQuery = ReturnType<typeof readQuery>;
