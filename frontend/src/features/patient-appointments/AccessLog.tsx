import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const [page, setPage] = useState(1);
  const list = useQuery(readersQuery(appointment._id, { page, pageSize: PAGE_SIZE }));
  if (list.isLoadingError) {
    return (
      <ErrorState title={t`We couldn’t load who opened this`} onRetry={() => list.refetch()} />
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
    return (
      <p className="muted">
        <Trans>Nobody has opened this yet, apart from you.</Trans>
      </p>
    );
  }
  return (
    <Stack>
      <p className="muted">
        <Trans>
          Only your doctor for this appointment and staff with special permission can open this. You
          can see every time they did.
        </Trans>
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
              <Trans context="newer entries">Later</Trans>
            </Button>
          )}
          {pagination.hasNext && (
            <Button variant="secondary" onClick={() => setPage(page + 1)}>
              <Trans context="older entries">Earlier</Trans>
            </Button>
          )}
        </Inline>
      )}
    </Stack>
  );
}
