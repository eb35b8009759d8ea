import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { visitQuery } from '@/api/records';
import type { VisitFile } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { BackLink } from '@/domain/BackLink';
import { PrintedRecord } from '@/domain/record/PrintedRecord';
import { Versions } from '@/domain/record/Versions';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/states';
import { Booked } from './Booked';
import { Files } from './Files';
import { Past } from './Past';
import { PatientBar } from './PatientBar';
import { RecordForm } from './RecordForm';
import { RecordShown } from './RecordShown';
import { useKeeper } from './useKeeper';
import styles from './visit.module.css';

/** One visit as its doctor works on it: who, why, what was found before, and what is written now. */
export default function VisitPage() {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(visitQuery(id));
  return (
    <div className={styles.page}>
      <BackLink href={paths.doctorAppointments()}>Appointments</BackLink>
      {data ? (
        <Visit file={data} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Missing />
      ) : error ? (
        <>
          <PageHeading>Visit</PageHeading>
          <ErrorState
            title="Failed to fetch the visit"
            onRetry={() => refetch()}
            busy={isFetching}
          />
        </>
      ) : (
        <Waiting />
      )}
    </div>
  );
}

function Visit({ file }: { file: VisitFile }) {
  const { appointment: visit, record, attachments, past, patient } = file;
  const [params] = useSearchParams();
  const name = useRef<HTMLHeadingElement>(null);
  const keeper = useKeeper(file);
  const toName = () => name.current?.focus();

  const writable = appointmentCan.write(visit);
  // Once a visit is closed its record is shown first; what was begun is taken up again.
  const blank = visit.status === 'completed' && visit.attended !== false && record.version === 0;
  const begun = keeper.unsaved || keeper.keeping().savedAt !== null;
  const writing =
    writable && (visit.status === 'confirmed' || params.has('edit') || begun || blank);

  return (
    <>
      <PatientBar visit={visit} patient={patient} heading={name} />
      <div className={styles.columns} data-print="no">
        <div className={styles.context}>
          <Booked visit={visit} patient={patient} onDone={toName} />
          <Past visits={past} />
        </div>
        <div className={styles.work}>
          {writing ? (
            <RecordForm
              key={keeper.fresh}
              visit={visit}
              record={record}
              keeper={keeper}
              onDone={toName}
            />
          ) : (
            <RecordShown visit={visit} record={record} writable={writable} />
          )}
          <Versions visit={visit} reader="doctor" />
          <Files visit={visit} files={attachments} />
        </div>
      </div>
      <PrintedRecord visit={visit} reader="doctor" dateOfBirth={patient?.dateOfBirth ?? null} />
    </>
  );
}

function Waiting() {
  return (
    <>
      <PageHeading title="Visit" className="visually-hidden">
        Loading the visit
      </PageHeading>
      <Skeletons count={1}>
        <div className="stack">
          <Skeleton height={64} />
          <div className={styles.columns}>
            <Skeleton height={320} />
            <Skeleton height={480} />
          </div>
        </div>
      </Skeletons>
    </>
  );
}

function Missing() {
  return (
    <>
      <PageHeading>Visit not found</PageHeading>
      <EmptyState
        title="There is no such visit among yours"
        action={<LinkButton href={paths.doctorAppointments()}>See your appointments</LinkButton>}
      >
        The link may be incomplete, or it belongs to another account.
      </EmptyState>
    </>
  );
}
