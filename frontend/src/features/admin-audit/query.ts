import { dateOf } from '@/domain/staff/DateRange';
import type { AuditQuery } from '@/lib/paths';
import { OUTCOMES } from './words';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/** What the address bar asks for; what the server would refuse asks for nothing. */
export function readQuery(params: URLSearchParams) {
  const text = (name: string, most: number) => {
    const value = params.get(name)?.trim();
    return value && value.length <= most ? value : undefined;
  };
  const agent = text('agent', 36);
  const outcome = text('outcome', 1);
  return {
    event: text('event', 48),
    agent: agent && isId(agent) ? agent : undefined,
    entityType: text('entityType', 24),
    entity: text('entity', 36),
    outcome: outcome && Object.hasOwn(OUTCOMES, outcome) ? outcome : undefined,
    requestId: text('requestId', 32),
    from: dateOf(params, 'from'),
    to: dateOf(params, 'to'),
  } satisfies AuditQuery;
}

/** The first part of an id: enough to tell two apart on a page. */
export const shortId = (id: string): string => id.slice(0, 8);
