import { isDate } from '@/lib/dates';
import type { DeskQuery } from '@/lib/paths';
import { choiceParam, pageParam } from '@/lib/searchParams';

export const VIEWS = ['list', 'day', 'week'] as const;
export const FILTERS = ['all', 'pending', 'confirmed', 'completed', 'cancelled'] as const;

const SCOPES = ['upcoming', 'past'] as const;
const BOOLEAN_VALUES = ['true', 'false'] as const;

/** Read the filters from the address bar; values that don't exist are ignored. */
export function readQuery(params: URLSearchParams) {
  const date = params.get('date') ?? '';
  const filter = choiceParam(params, 'status', FILTERS, 'all');
  return {
    view: choiceParam(params, 'view', VIEWS, 'list'),
    status: filter === 'all' ? undefined : filter,
    search: params.get('search')?.trim() || undefined,
    date: isDate(date) ? date : undefined,
    scope: choiceParam(params, 'scope', SCOPES, undefined),
    attended: choiceParam(params, 'attended', BOOLEAN_VALUES, undefined),
    waiting: choiceParam(params, 'waiting', ['true'], undefined),
    waitingForPatient: choiceParam(params, 'waitingForPatient', ['true'], undefined),
    page: pageParam(params),
  } satisfies DeskQuery;
}

export type ReadQuery = ReturnType<typeof readQuery>;
