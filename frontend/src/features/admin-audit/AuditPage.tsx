import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { trailQuery } from '@/api/staff';
import type { AuditEvent } from '@/api/types';
import { Download } from '@/domain/Download';
import { DateRange } from '@/domain/staff/DateRange';
import { Listed } from '@/domain/staff/Listed';
import styles from '@/domain/staff/table.module.css';
import { formatDate } from '@/lib/dates';
import { pageOf } from '@/lib/paging';
import { type AuditQuery, paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Chips } from '@/ui/Chips';
import { Select } from '@/ui/inputs';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { EventTable } from './EventTable';
import { IdFilters } from './IdFilters';
import { readQuery, shortId } from './query';
import { choicesOf, ENTITIES, entityWords, eventChoices, eventWords, OUTCOMES } from './words';

/** Who did what to what, and when: the trail that nobody can change, newest first. */
export default function AuditPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = readQuery(params);
  const page = pageOf(params);
  const list = useQuery(trailQuery({ ...query, page }));

  /** Another question starts at its first page. */
  const change = (part: AuditQuery) =>
    navigate(paths.adminAudit({ ...query, ...part }), { state: { keepScroll: true } });
  const chips = chipsOf(query, list.data?.events ?? []);

  return (
    <div className="stack" data-gap="5">
      <PageHeading
        lead="Who did what, newest first. Nobody can change or delete a row, and looking here adds one."
        actions={<Download path="/admin/audit.csv" name="audit.csv" query={query} />}
      >
        Audit trail
      </PageHeading>
      <search className="stack">
        <div className={styles.filters}>
          <div className={styles.wide}>
            <Select
              name="event"
              label="What happened"
              optional="unmarked"
              placeholder="Everything"
              options={eventChoices(query.event)}
              value={query.event ?? ''}
              onChange={(event) => change({ event: event || undefined })}
            />
          </div>
          <Select
            name="entityType"
            label="To what"
            optional="unmarked"
            placeholder="Everything"
            options={choicesOf(ENTITIES, query.entityType)}
            value={query.entityType ?? ''}
            onChange={(entityType) => change({ entityType: entityType || undefined })}
          />
          <Select
            name="outcome"
            label="Outcome"
            optional="unmarked"
            placeholder="All"
            options={choicesOf(OUTCOMES, query.outcome)}
            value={query.outcome ?? ''}
            onChange={(outcome) => change({ outcome: outcome || undefined })}
          />
          <DateRange
            from={query.from}
            to={query.to}
            onChange={change}
            labels={{ from: 'From (UTC)', to: 'To (UTC)' }}
          />
        </div>
        <IdFilters query={query} onChange={change} />
      </search>
      <Chips chips={chips} clearHref={paths.adminAudit()} />
      <Listed
        list={list}
        rows={(data) => data.events}
        failure="We could not load the trail"
        rowHeight={52}
        href={(wanted) => paths.adminAudit({ ...query, page: wanted })}
        empty={
          <EmptyState
            title={chips.length > 0 ? 'Nothing like this is on the trail' : 'The trail is empty'}
            action={
              chips.length > 0 && (
                <LinkButton variant="secondary" href={paths.adminAudit()}>
                  Show everything
                </LinkButton>
              )
            }
          >
            {chips.length > 0
              ? 'Take a filter away, or look at other dates.'
              : 'Sign-ins, changes and reads of records appear here as they happen.'}
          </EmptyState>
        }
      >
        {({ events }) => <EventTable events={events} query={query} />}
      </Listed>
    </div>
  );
}

function chipsOf(query: AuditQuery, events: AuditEvent[]) {
  // The trail itself holds no names: one is known while a row on the page shows it.
  const name = events.find(({ agentId }) => agentId === query.agent)?.agentName;
  const labels: [keyof AuditQuery, string | undefined][] = [
    ['event', query.event && eventWords(query.event)],
    ['agent', query.agent && `By ${name ?? shortId(query.agent)}`],
    ['entityType', query.entityType && entityWords(query.entityType)],
    ['entity', query.entity && `To ${shortId(query.entity)}`],
    ['outcome', query.outcome && OUTCOMES[query.outcome as AuditEvent['outcome']]],
    ['requestId', query.requestId && `Request ${shortId(query.requestId)}`],
    ['from', query.from && `From ${formatDate(query.from)}`],
    ['to', query.to && `To ${formatDate(query.to)}`],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminAudit({ ...query, [key]: undefined }) }] : [],
  );
}
