import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readersQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { ErrorState } from '@/ui/ErrorState';
import { Inline } from '@/ui/Inline';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import styles from './AppointmentRecord.module.css';
import { accessLogText, groupByDay } from './accessLogEntries';

const PAGE_SIZE = 20;

/** Who opened an appointment's medical texts and when, newest first, except the patient. */
export function AccessLog({ appointment }: { appointment: Appointment }) {
  const [page, setPage] = useState(1);
  const list = useQuery(readersQuery(appointment._id, { page, pageSize: PAGE_SIZE }));
  if (list.isLoadingError) {
    return <ErrorState title="We couldn’t load who opened this" onRetry={() => list.refetch()} />;
  }
  if (!list.data) {
    return (
      <Skeletons count={2}>
        <Skeleton height={28} />
      </Skeletons>
    );
  }
  const { readers, pagination } = list.data;
  if (readers.length === 0) {
    return <p className="muted">Nobody has opened this yet, apart from you.</p>;
  }
  return (
    <Stack>
      <p className="muted">
        Only your doctor for this appointment can open it, and staff with special permission. Every
        time is listed here.
      </p>
      <Stack as="ol" className={styles.days}>
        {groupByDay(readers, appointment.timeZone).map((day) => (
          <li key={day.date}>
            <h3 className={styles.day}>{formatDay(day.date)}</h3>
            <Stack as="ul" gap={0}>
              {day.readers.map((reader) => (
                <li key={`${reader.at} ${reader.what} ${reader.name}`}>
                  {accessLogText(reader, appointment.timeZone)}
                </li>
              ))}
            </Stack>
          </li>
        ))}
      </Stack>
      {(page > 1 || pagination.hasNext) && (
        <Inline>
          {page > 1 && (
            <Button variant="secondary" onClick={() => setPage(page - 1)}>
              Later
            </Button>
          )}
          {pagination.hasNext && (
            <Button variant="secondary" onClick={() => setPage(page + 1)}>
              Earlier
            </Button>
          )}
        </Inline>
      )}
    </Stack>
  );
}
