import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { auditLogQuery } from '@/api/admin';
import type { AuditEvent } from '@/api/types';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { DateRange } from '@/domain/staff/DateRange';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { formatDate } from '@/lib/dates';
import { type AuditQuery, paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { EventTable } from './EventTable';
import { IdFilters } from './IdFilters';
import { ENTITIES, entityText, eventOptions, eventText, OUTCOMES, optionsFor } from './labels';
import { readQuery, shortText } from './query';

/** The immutable audit log, newest first. */
export default function AuditPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = readQuery(params);
  const page = pageParam(params);
  const list = useQuery(auditLogQuery({ ...query, page }));

  /** Change the filters and return to the first page. */
  const change = (part: AuditQuery) =>
    navigate(paths.adminAudit({ ...query, ...part }), { state: { keepScroll: true } });
  const chips = filterChips(query, list.data?.events ?? []);

  return (
    <Stack gap={5}>
      <PageHeading
        lead={t`Who did what, newest first. Nobody can change or delete an event. Viewing this page is logged too.`}
        actions={
          <>
            <LinkButton variant="secondary" href={paths.adminReadings()}>
              <Trans>Viewed personal data</Trans>
            </LinkButton>
            <DownloadCsvButton path="/admin/audit.csv" name="audit.csv" query={query} />
          </>
        }
      >
        {t`Audit log`}
      </PageHeading>
      <Stack as="search">
        <Grid rowGap={3} align="end" className={styles.filters}>
          <div className={styles.wide}>
            <Select
              name="event"
              label={t`Event`}
              optional="unmarked"
              placeholder={t({ message: 'All', context: 'events' })}
              options={eventOptions(query.event)}
              value={query.event ?? ''}
              onChange={(event) => change({ event: event || undefined })}
            />
          </div>
          <Select
            name="entityType"
            label={t`Kind of target`}
            optional="unmarked"
            placeholder={t({ message: 'All', context: 'kinds of targets' })}
            options={optionsFor(ENTITIES, query.entityType)}
            value={query.entityType ?? ''}
            onChange={(entityType) => change({ entityType: entityType || undefined })}
          />
          <Select
            name="outcome"
            label={t`Outcome`}
            optional="unmarked"
            placeholder={t({ message: 'All', context: 'outcomes' })}
            options={optionsFor(OUTCOMES, query.outcome)}
            value={query.outcome ?? ''}
            onChange={(outcome) => change({ outcome: outcome || undefined })}
          />
          <DateRange
            from={query.from}
            to={query.to}
            onChange={change}
            labels={{ from: t`From (UTC)`, to: t`To (UTC)` }}
          />
        </Grid>
        <IdFilters query={query} onChange={change} />
      </Stack>
      <FilterChips chips={chips} clearHref={paths.adminAudit()} />
      <PaginatedList
        list={list}
        rows={(data) => data.events}
        failure={t`We couldn’t load the audit log`}
        rowHeight={52}
        href={(page) => paths.adminAudit({ ...query, page })}
        empty={
          <EmptyState
            title={chips.length > 0 ? t`No matching events` : t`The audit log is empty`}
            action={
              chips.length > 0 && (
                <LinkButton variant="secondary" href={paths.adminAudit()}>
                  <Trans>Show all events</Trans>
                </LinkButton>
              )
            }
          >
            {chips.length > 0
              ? t`Remove a filter, or choose other dates.`
              : t`Sign-ins, changes and views of records appear here as they happen.`}
          </EmptyState>
        }
      >
        {({ events }) => <EventTable events={events} query={query} />}
      </PaginatedList>
    </Stack>
  );
}

function filterChips(query: AuditQuery, events: AuditEvent[]) {
  // The audit log has no names: show the name of an id if a row on the page has it.
  const actor = events.find(({ agentId }) => agentId === query.agent)?.agentName;
  const target = events.find(({ entityId }) => entityId === query.entity)?.entityName;
  const agent = query.agent && (actor ?? shortText(query.agent));
  const entity = query.entity && (target ?? shortText(query.entity));
  const request = query.requestId && shortText(query.requestId);
  const outcome = query.outcome && OUTCOMES[query.outcome as AuditEvent['outcome']];
  const from = query.from && formatDate(query.from);
  const to = query.to && formatDate(query.to);
  const labels: [keyof AuditQuery, string | undefined][] = [
    ['event', query.event && eventText(query.event)],
    ['agent', agent && t`By ${agent}`],
    ['entityType', query.entityType && entityText(query.entityType)],
    ['entity', entity && t`Target: ${entity}`],
    ['outcome', outcome && i18n._(outcome)],
    ['requestId', request && t`Request ${request}`],
    ['from', from && t`From ${from}`],
    ['to', to && t`To ${to}`],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminAudit({ ...query, [key]: undefined }) }] : [],
  );
}
