import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readersQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { byDay, readerSentence } from './readers';
import styles from './VisitRecord.module.css';

const PAGE_SIZE = 20;

/** Who opened a record and when, newest first; what the patient reads is not among it. */
export function Readers({ visit }: { visit: Appointment }) {
  const [page, setPage] = useState(1);
  const list = useQuery(readersQuery(visit._id, { page, pageSize: PAGE_SIZE }));
  if (list.isLoadingError) {
    return (
      <ErrorState title="Failed to fetch who opened this record" onRetry={() => list.refetch()} />
    );
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
    return <p className="muted">Nobody but you has opened this record yet.</p>;
  }
  return (
    <div className="stack">
      <p className="muted">Only the doctor of this visit can open it. Each time is noted here.</p>
      <ol className={styles.days}>
        {byDay(readers, visit.timeZone).map((day) => (
          <li key={day.date}>
            <h3 className={styles.day}>{formatDay(day.date)}</h3>
            <ul className={styles.readers}>
              {day.readers.map((reader) => (
                <li key={`${reader.at} ${reader.what} ${reader.name}`}>
                  {readerSentence(reader, visit.timeZone)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {(page > 1 || pagination.hasNext) && (
        <div className="row">
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
        </div>
      )}
    </div>
  );
}
