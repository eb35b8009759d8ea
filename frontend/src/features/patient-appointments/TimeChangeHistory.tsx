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
        Change history
      </h2>
      <Stack as="ol" gap={3}>
        {latestFirst.map(({ changedAt, changedBy, from, to }) => (
          <li key={changedAt}>
            <p>
              <del className={styles.previous}>{formatDayTime(from.date, from.time)}</del>{' '}
              <span className={styles.current}>
                <span aria-hidden="true">→ </span>
                <span className="visually-hidden">moved to </span>
                {formatDayTime(to.date, to.time)}
              </span>{' '}
              <span className="muted small">{zoneLabel(to.timeZone)}</span>
            </p>
            <p className="muted small">
              {formatInstant(changedAt)},{' '}
              {changedBy === 'patient' ? 'by you' : `by ${doctorName(doctor)}`}
            </p>
          </li>
        ))}
      </Stack>
    </Card>
  );
}
