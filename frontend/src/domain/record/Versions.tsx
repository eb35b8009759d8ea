import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionsQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { formatFullDay, inZone } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorState } from '@/ui/ErrorState';
import { Inline } from '@/ui/Inline';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { RecordSections } from './RecordSections';
import { changeCountText } from './record';
import styles from './record.module.css';

interface Props {
  appointment: Appointment;
  reader: 'patient' | 'doctor';
}

/** How often a record was changed, with the earlier versions. */
export function Versions({ appointment, reader }: Props) {
  const changed = changeCountText(appointment.record.version);
  if (!changed) return null;
  return (
    <div data-print="no">
      <Disclosure summary={`${changed}: earlier versions`} lazy>
        <EarlierVersion appointment={appointment} reader={reader} />
      </Disclosure>
    </div>
  );
}

const PAGE_SIZE = 10;

function EarlierVersion({ appointment, reader }: Props) {
  const [page, setPage] = useState(1);
  const { version: current } = appointment.record;
  const list = useQuery(versionsQuery(appointment._id, { page, pageSize: PAGE_SIZE }));
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
    <Stack>
      <Stack as="ol" className={styles.versions}>
        {earlier.map((record) => (
          <li key={record.version}>
            <p>
              <strong>Version {record.version}</strong>
              {record.writtenAt && (
                <span className="muted">
                  {' '}
                  written {writtenOn(record.writtenAt, appointment.timeZone)}
                </span>
              )}
            </p>
            <RecordSections
              record={record}
              appointmentDate={appointment.appointmentDate}
              reader={reader}
            />
          </li>
        ))}
      </Stack>
      {(page > 1 || pagination.hasNext) && (
        <Inline>
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
        </Inline>
      )}
    </Stack>
  );
}

/** With the year, as medical records require. */
function writtenOn(instant: string, zone: string): string {
  const { date, time } = inZone(instant, zone);
  return `${formatFullDay(date)}, ${time}`;
}
