import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionsQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { formatInstant } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Disclosure } from '@/ui/Disclosure';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { RecordParts } from './RecordParts';
import { changedTimes } from './record';
import styles from './record.module.css';

interface Props {
  visit: Appointment;
  reader: 'patient' | 'doctor';
}

/** How often a record was changed; unfolded, what it said before. */
export function Versions({ visit, reader }: Props) {
  const changed = changedTimes(visit.record.version);
  if (!changed) return null;
  return (
    <div data-print="no">
      <Disclosure summary={`${changed}: earlier versions`} lazy>
        <Earlier visit={visit} reader={reader} />
      </Disclosure>
    </div>
  );
}

const PAGE_SIZE = 10;

function Earlier({ visit, reader }: Props) {
  const [page, setPage] = useState(1);
  const { version: current } = visit.record;
  const list = useQuery(versionsQuery(visit._id, { page, pageSize: PAGE_SIZE }));
  if (list.isLoadingError) {
    return (
      <ErrorState title="Failed to fetch the earlier versions" onRetry={() => list.refetch()} />
    );
  }
  if (!list.data) {
    return (
      <Skeletons count={1}>
        <Skeleton height={120} />
      </Skeletons>
    );
  }
  const { versions, pagination } = list.data;
  const earlier = versions.filter(({ version }) => version < current);
  return (
    <div className="stack">
      <ol className={styles.versions}>
        {earlier.map((record) => (
          <li key={record.version}>
            <p className={styles.versionHead}>
              <strong>Version {record.version}</strong>
              {record.writtenAt && (
                <span className="muted">
                  {' '}
                  written {formatInstant(record.writtenAt, visit.timeZone)}
                </span>
              )}
            </p>
            <RecordParts record={record} visitDate={visit.appointmentDate} reader={reader} />
          </li>
        ))}
      </ol>
      {(page > 1 || pagination.hasNext) && (
        <div className="row">
          {page > 1 && (
            <Button variant="secondary" onClick={() => setPage(page - 1)}>
              Newer versions
            </Button>
          )}
          {pagination.hasNext && (
            <Button variant="secondary" onClick={() => setPage(page + 1)}>
              Older versions
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
