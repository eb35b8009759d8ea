import { Trans } from '@lingui/react/macro';
import type { TimeChange } from '@/api/types';
import { formatDayTime, formatInstant, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Card } from '@/ui/Card';
import { Stack } from '@/ui/Stack';
import styles from './TimeChangeHistory.module.css';

/** Previous times of an appointment, latest change first. */
export function TimeChangeHistory({ changes, doctor }: { changes: TimeChange[]; doctor: string }) {
  if (changes.length === 0) return null;
  const latestFirst = changes.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
  return (
    <Card as="section" aria-labelledby="history">
      <h2 id="history" className={styles.title}>
        <Trans>Change history</Trans>
      </h2>
      <Stack as="ol" gap={3}>
        {latestFirst.map((change) => (
          <ChangeItem key={change.changedAt} change={change} doctor={doctorName(doctor)} />
        ))}
      </Stack>
    </Card>
  );
}

function ChangeItem({ change, doctor }: { change: TimeChange; doctor: string }) {
  const { from, to } = change;
  const oldTime = formatDayTime(from.date, from.time);
  const newTime = formatDayTime(to.date, to.time);
  const zone = zoneLabel(to.timeZone);
  const changedAt = formatInstant(change.changedAt);
  return (
    <li>
      <p>
        <Trans>
          <del className={styles.previous}>{oldTime}</del>{' '}
          <span className={styles.current}>
            <span aria-hidden="true">→ </span>
            <span className="visually-hidden">moved to </span>
            {newTime}
          </span>{' '}
          <span className="muted small">{zone}</span>
        </Trans>
      </p>
      <p className="muted small">
        {change.changedBy === 'patient' ? (
          <Trans>{changedAt}, by you</Trans>
        ) : (
          <Trans>
            {changedAt}, by {doctor}
          </Trans>
        )}
      </p>
    </li>
  );
}
