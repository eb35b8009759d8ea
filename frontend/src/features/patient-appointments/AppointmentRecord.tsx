import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { appointmentFileQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { FileList } from '@/domain/record/FileList';
import { FollowUpButton } from '@/domain/record/FollowUpButton';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { PrintedRecord } from '@/domain/record/PrintedRecord';
import { RecordSections } from '@/domain/record/RecordSections';
import { hasMedicines, recordContent } from '@/domain/record/record';
import { Versions } from '@/domain/record/Versions';
import { useUser } from '@/domain/session/session';
import { formatInstant } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorState } from '@/ui/ErrorState';
import { Inline } from '@/ui/Inline';
import { PrintIcon } from '@/ui/pageIcons';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { AccessLog } from './AccessLog';
import styles from './AppointmentRecord.module.css';
import { CorrectionHint } from './CorrectionHint';

/** The doctor's record for the patient: next steps first, then everything else. */
export default function AppointmentRecord({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const { dateOfBirth } = useUser();
  const record = recordContent(appointment);
  const { writtenAt } = appointment.record;
  const written = writtenAt && formatInstant(writtenAt, appointment.timeZone);
  return (
    <>
      <Card as="section" gap={4} aria-labelledby="record" data-print="no">
        <div>
          <h2 id="record" className="subheading">
            <Trans>Appointment summary</Trans>
          </h2>
          {written && (
            <p className="muted small">
              <Trans>Written {written}</Trans>
            </p>
          )}
        </div>
        <RecordSections
          record={record}
          appointmentDate={appointment.appointmentDate}
          reader="patient"
          next={<FollowUpButton appointment={appointment} />}
        />
        <Inline align="stretch" fillOnPhone>
          {hasMedicines(record) && <PrescriptionButton appointmentId={appointment._id} />}
          <Button variant="secondary" icon={<PrintIcon size={20} />} onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        </Inline>
        <Versions appointment={appointment} reader="patient" />
      </Card>

      <AppointmentFiles appointment={appointment} />

      <Card
        as="section"
        gap={0}
        className={styles.about}
        aria-label={t`About this record`}
        data-print="no"
      >
        <Disclosure summary={t`Who opened this record`} lazy>
          <AccessLog appointment={appointment} />
        </Disclosure>
        <Disclosure summary={t`Is something wrong or missing?`}>
          <CorrectionHint appointment={appointment} />
        </Disclosure>
      </Card>

      <PrintedRecord appointment={appointment} reader="patient" dateOfBirth={dateOfBirth} />
    </>
  );
}

function AppointmentFiles({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const file = useQuery(appointmentFileQuery(appointment._id));
  const files = file.data?.attachments;
  if (files?.length === 0) return null;
  return (
    <Card as="section" gap={4} aria-labelledby="files" data-print="no">
      <h2 id="files" className="subheading">
        <Trans>Files</Trans>
      </h2>
      {files ? (
        <FileList appointmentId={appointment._id} files={files} timeZone={appointment.timeZone} />
      ) : file.isLoadingError ? (
        <ErrorState title={t`We couldn’t load the files`} onRetry={() => file.refetch()} />
      ) : (
        <Skeletons count={1}>
          <Skeleton height={56} />
        </Skeletons>
      )}
    </Card>
  );
}
