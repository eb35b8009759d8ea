import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionsQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { formatFullDay, formatTime, inZone } from '@/lib/dates';
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
  const { t } = useLingui();
  const changed = changeCountText(appointment.record.version);
  if (!changed) return null;
  return (
    <div data-print="no">
      <Disclosure summary={t`${changed}: earlier versions`} lazy>
        <EarlierVersion appointment={appointment} reader={reader} />
      </Disclosure>
    </div>
  );
}

const PAGE_SIZE = 10;

function EarlierVersion({ appointment, reader }: Props) {
  const { t } = useLingui();
  const [page, setPage] = useState(1);
  const { version: current } = appointment.record;
  const list = useQuery(versionsQuery(appointment._id, { page, pageSize: PAGE_SIZE }));
  if (list.isLoadingError) {
    return (
      <ErrorState title={t`We couldn’t load the earlier versions`} onRetry={() => list.refetch()} />
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
              <VersionText record={record} timeZone={appointment.timeZone} />
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
              {t`Newer versions`}
            </Button>
          )}
          {pagination.hasNext && (
            <Button variant="secondary" onClick={() => setPage(page + 1)}>
              {t`Older versions`}
            </Button>
          )}
        </Inline>
      )}
    </Stack>
  );
}

/** The number of a version and when it was written; with the year, as medical records require. */
function VersionText({
  record: { version, writtenAt },
  timeZone,
}: {
  record: Pick<Appointment['record'], 'version' | 'writtenAt'>;
  timeZone: string;
}) {
  if (!writtenAt) {
    return (
      <Trans>
        <strong>Version {version}</strong>
      </Trans>
    );
  }
  const written = inZone(writtenAt, timeZone);
  const [day, time] = [formatFullDay(written.date), formatTime(written.time)];
  return (
    <Trans>
      <strong>Version {version}</strong>{' '}
      <span className="muted">
        written {day}, {time}
      </span>
    </Trans>
  );
}
