import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { appointmentFileQuery } from '@/api/records';
import type { AppointmentFile } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { BackLink } from '@/domain/BackLink';
import { PrintedRecord } from '@/domain/record/PrintedRecord';
import { Versions } from '@/domain/record/Versions';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Attachments } from './Attachments';
import styles from './appointment.module.css';
import { BookingDetails } from './BookingDetails';
import { PatientBar } from './PatientBar';
import { PreviousAppointments } from './PreviousAppointments';
import { RecordForm } from './RecordForm';
import { RecordView } from './RecordView';
import { useDraftAutosave } from './useDraftAutosave';

/** One appointment for its doctor: patient, reason, earlier records, and the record. */
export default function AppointmentPage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(appointmentFileQuery(id));
  return (
    <Stack>
      <BackLink href={paths.doctorAppointments()}>{t`Appointments`}</BackLink>
      {data ? (
        <Appointment file={data} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <AppointmentNotFound />
      ) : error ? (
        <>
          <PageHeading>{t`Appointment`}</PageHeading>
          <ErrorState
            title={t`We couldn’t load this appointment`}
            onRetry={() => refetch()}
            busy={isFetching}
          />
        </>
      ) : (
        <AppointmentSkeleton />
      )}
    </Stack>
  );
}

function Appointment({ file }: { file: AppointmentFile }) {
  const { appointment, record, attachments, past, patient } = file;
  const [params] = useSearchParams();
  const name = useRef<HTMLHeadingElement>(null);
  const autosave = useDraftAutosave(file);
  const toName = () => name.current?.focus();

  const writable = appointmentCan.write(appointment);
  // Closed appointments open with their record, unless there is a draft.
  const blank =
    appointment.status === 'completed' && appointment.attended !== false && record.version === 0;
  const begun = autosave.hasUnsaved || autosave.getState().savedAt !== null;
  const writing =
    writable && (appointment.status === 'confirmed' || params.has('edit') || begun || blank);

  return (
    <>
      <PatientBar appointment={appointment} patient={patient} heading={name} />
      <Grid gap={5} align="start" className={styles.columns} data-print="no">
        <Stack className={styles.context}>
          <BookingDetails appointment={appointment} patient={patient} onDone={toName} />
          <PreviousAppointments appointments={past} />
        </Stack>
        <Stack className={styles.main}>
          {writing ? (
            <RecordForm
              key={autosave.resetCount}
              appointment={appointment}
              record={record}
              autosave={autosave}
              onDone={toName}
            />
          ) : (
            <RecordView appointment={appointment} record={record} canEdit={writable} />
          )}
          <Versions appointment={appointment} reader="doctor" />
          <Attachments appointment={appointment} files={attachments} />
        </Stack>
      </Grid>
      <PrintedRecord
        appointment={appointment}
        reader="doctor"
        dateOfBirth={patient?.dateOfBirth ?? null}
      />
    </>
  );
}

function AppointmentSkeleton() {
  const { t } = useLingui();
  return (
    <>
      <PageHeading title={t`Appointment`} className="visually-hidden">
        <Trans>Loading the appointment</Trans>
      </PageHeading>
      <Skeletons count={1}>
        <Stack>
          <Skeleton height={64} />
          <Grid gap={5} align="start" className={styles.columns}>
            <Skeleton height={320} />
            <Skeleton height={480} />
          </Grid>
        </Stack>
      </Skeletons>
    </>
  );
}

function AppointmentNotFound() {
  const { t } = useLingui();
  return (
    <>
      <PageHeading>{t`Appointment not found`}</PageHeading>
      <EmptyState
        title={t`This isn’t one of your appointments`}
        action={
          <LinkButton href={paths.doctorAppointments()}>
            <Trans>See your appointments</Trans>
          </LinkButton>
        }
      >
        <Trans>The link may be incomplete, or the appointment may belong to another account.</Trans>
      </EmptyState>
    </>
  );
}
