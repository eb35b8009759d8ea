import { dateParam } from '@/domain/staff/DateRange';
import type { AuditQuery } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { OUTCOMES } from './labels';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Read the query from the URL; values that the server would refuse are ignored. */
export function readQuery(params: URLSearchParams) {
  const text = (name: string, maxLength: number) => {
    const value = params.get(name)?.trim();
    return value && value.length <= maxLength ? value : undefined;
  };
  const outcome = text('outcome', 1);
  return {
    event: text('event', 48),
    agent: text('agent', MAX_SEARCH_LENGTH),
    entityType: text('entityType', 24),
    entity: text('entity', MAX_SEARCH_LENGTH),
    outcome: outcome && Object.hasOwn(OUTCOMES, outcome) ? outcome : undefined,
    requestId: text('requestId', 32),
    from: dateParam(params, 'from'),
    to: dateParam(params, 'to'),
  } satisfies AuditQuery;
}

/** Return the end of an id; ids begin with the time, which rows often share. */
export const shortId = (id: string): string => id.slice(-8);

/** Return the search text, with ids shortened. */
export const shortText = (text: string): string => (UUID.test(text) ? shortId(text) : text);
