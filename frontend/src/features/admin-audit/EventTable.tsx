import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { AuditEvent } from '@/api/types';
import { formatLogTime } from '@/lib/dates';
import { type AuditQuery, paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { IconButton } from '@/ui/Button';
import { DataTable } from '@/ui/DataTable';
import { Grid } from '@/ui/Grid';
import { ChevronDownIcon, WarningIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './EventTable.module.css';
import { ACTIONS, detailEntries, entityText, eventText, OUTCOMES, roleText } from './labels';
import { shortId } from './query';

interface Props {
  events: AuditEvent[];
  /** The current filters; links in rows add to them. */
  query: AuditQuery;
}

export function EventTable({ events, query }: Props) {
  const { t } = useLingui();
  return (
    <DataTable
      cards
      caption={t`Events`}
      columns={[
        t`When (UTC)`,
        t`Event`,
        t`Actor`,
        t`Target`,
        t`Outcome`,
        { label: t`Details`, isVisuallyHidden: true },
      ]}
    >
      {events.map((event) => (
        <Row key={event.id} event={event} query={query} />
      ))}
    </DataTable>
  );
}

function Row({ event, query }: { event: AuditEvent; query: AuditQuery }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const id = useId();
  const eventName = eventText(event.event);
  const time = formatLogTime(event.recordedAt);
  return (
    // A separate `tbody`, so that a row and its details stay together.
    <tbody className={styles.event}>
      <tr data-card="">
        <td className={styles.time}>
          <When instant={event.recordedAt} />
        </td>
        <td className="strong">{eventName}</td>
        <td>
          <Agent event={event} query={query} />
        </td>
        <td>
          <Entity event={event} query={query} />
        </td>
        <td>
          <Outcome outcome={event.outcome} />
        </td>
        <td className={styles.toggleCell}>
          <IconButton
            label={t`Details of: ${eventName}, ${time}`}
            aria-expanded={open}
            aria-controls={id}
            className={styles.toggle}
            onClick={() => setOpen(!open)}
          >
            <ChevronDownIcon />
          </IconButton>
        </td>
      </tr>
      <tr id={id} hidden={!open} className={styles.detail}>
        <td colSpan={6}>{open && <Detail event={event} query={query} />}</td>
      </tr>
    </tbody>
  );
}

function When({ instant }: { instant: string }) {
  return <time dateTime={instant}>{formatLogTime(instant)}</time>;
}

function Agent({ event, query }: { event: AuditEvent; query: AuditQuery }) {
  if (!event.agentId) {
    return (
      <span className="muted">
        {event.requestId ? <Trans>Nobody signed in</Trans> : <Trans>The system</Trans>}
      </span>
    );
  }
  return (
    <>
      <Link href={paths.adminAudit({ ...query, agent: event.agentId })} keepScroll>
        {event.agentName ?? shortId(event.agentId)}
      </Link>
      {event.agentRole && <div className="muted">{roleText(event.agentRole)}</div>}
    </>
  );
}

function Entity({ event, query }: { event: AuditEvent; query: AuditQuery }) {
  const { entityType, entityId } = event;
  if (!entityType) return null;
  if (!entityId) return <>{entityText(entityType)}</>;
  return (
    <>
      <Link href={paths.adminAudit({ ...query, entityType, entity: entityId })} keepScroll>
        {event.entityName ?? `${entityText(entityType)} ${shortId(entityId)}`}
      </Link>
      {event.entityName && (
        <div className="muted">
          {entityText(entityType)} {shortId(entityId)}
        </div>
      )}
    </>
  );
}

function Outcome({ outcome }: Pick<AuditEvent, 'outcome'>) {
  const { t } = useLingui();
  const label = t(OUTCOMES[outcome]);
  if (outcome === '0') return <span className="muted">{label}</span>;
  return (
    <Badge tone={outcome === '8' ? 'red' : 'amber'} icon={<WarningIcon size={18} />}>
      {label}
    </Badge>
  );
}

function Detail({ event, query }: { event: AuditEvent; query: AuditQuery }) {
  const { t } = useLingui();
  return (
    <Grid as="dl" rowGap={2} gap={5} className={styles.facts}>
      {detailEntries(event).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name={t`Kind of action`}>
        {t(ACTIONS[event.action])} <code className="muted">{event.event}</code>
      </Fact>
      {event.entityId && <Fact name={t`Target`}>{event.entityId}</Fact>}
      {event.agentId && <Fact name={t`Actor`}>{event.agentId}</Fact>}
      {event.sourceAddress && <Fact name={t`IP address`}>{event.sourceAddress}</Fact>}
      {event.requestId && (
        <Fact name={t`Request`}>
          <Link href={paths.adminAudit({ ...query, requestId: event.requestId })} keepScroll>
            {event.requestId}
          </Link>
        </Fact>
      )}
      <Fact name={t`Event number`}>{event.id}</Fact>
      {event.entityType === 'doctor' && event.entityId && (
        <Fact name={t`Doctor`}>
          <Link href={paths.adminDoctor(event.entityId)}>
            <Trans>Open the application</Trans>
          </Link>
        </Fact>
      )}
    </Grid>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
