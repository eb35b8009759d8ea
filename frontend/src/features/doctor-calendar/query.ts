import { isDate } from '@/lib/dates';
import type { DeskQuery } from '@/lib/paths';
import { choiceOf, pageOf } from '@/lib/searchParams';

export const VIEWS = ['list', 'day', 'week'] as const;
export const FILTERS = ['all', 'pending', 'confirmed', 'completed', 'cancelled'] as const;

const SCOPES = ['upcoming', 'past'] as const;
const TRUTHS = ['true', 'false'] as const;

/** Read the filters from the address bar; values that don't exist are ignored. */
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
    waitingForPatient: choiceOf(params, 'waitingForPatient', ['true'], undefined),
    page: pageOf(params),
  } satisfies DeskQuery;
}

export type ReadQuery = ReturnType<typeof readQuery>;
