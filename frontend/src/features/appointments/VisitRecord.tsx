import { useQuery } from '@tanstack/react-query';
import { visitQuery } from '@/api/records';
import type { Appointment } from '@/api/types';
import { FileList } from '@/domain/record/FileList';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { PrintedRecord } from '@/domain/record/PrintedRecord';
import { RecordParts } from '@/domain/record/RecordParts';
import { isPrescribed, recordedOf } from '@/domain/record/record';
import { Versions } from '@/domain/record/Versions';
import { useUser } from '@/domain/session/session';
import { telHref } from '@/lib/contact';
import { formatInstant } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { PrintIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { Readers } from './Readers';
import styles from './VisitRecord.module.css';

/** What the doctor wrote, for the patient: what to do next first, then everything to keep. */
export default function VisitRecord({ visit }: { visit: Appointment }) {
  const { dateOfBirth } = useUser();
  const record = recordedOf(visit);
  const { writtenAt } = visit.record;
  return (
    <>
      <Card as="section" className={styles.record} aria-labelledby="record" data-print="no">
        <div>
          <h2 id="record">What the doctor wrote</h2>
          {writtenAt && (
            <p className="muted small">Written {formatInstant(writtenAt, visit.timeZone)}</p>
          )}
        </div>
        <RecordParts
          record={record}
          visitDate={visit.appointmentDate}
          reader="patient"
          next={<LinkButton href={paths.doctor(visit.doctor._id)}>Book this visit</LinkButton>}
        />
        <div className={styles.acts}>
          {isPrescribed(record) && <PrescriptionButton visitId={visit._id} />}
          <Button variant="secondary" icon={<PrintIcon size={20} />} onClick={() => window.print()}>
            Print
          </Button>
        </div>
        <Versions visit={visit} reader="patient" />
      </Card>

      <VisitFiles visit={visit} />

      <Card as="section" className={styles.more} aria-label="About this record" data-print="no">
        <Disclosure summary="Who opened this record" lazy>
          <Readers visit={visit} />
        </Disclosure>
        <Disclosure summary="Something is wrong or missing?">
          <Wrong visit={visit} />
        </Disclosure>
      </Card>

      <PrintedRecord visit={visit} reader="patient" dateOfBirth={dateOfBirth} />
    </>
  );
}

function VisitFiles({ visit }: { visit: Appointment }) {
  const file = useQuery(visitQuery(visit._id));
  const files = file.data?.attachments;
  if (files?.length === 0) return null;
  return (
    <Card as="section" className={styles.record} aria-labelledby="files" data-print="no">
      <h2 id="files">Files</h2>
      {files ? (
        <FileList visitId={visit._id} files={files} timeZone={visit.timeZone} />
      ) : file.isLoadingError ? (
        <ErrorState title="Failed to fetch the files" onRetry={() => file.refetch()} />
      ) : (
        <Skeletons count={1}>
          <Skeleton height={56} />
        </Skeletons>
      )}
    </Card>
  );
}

/** Whom to ask: only the doctor can change the record. */
function Wrong({ visit }: { visit: Appointment }) {
  const { phone, name } = visit.hospital;
  const doctor = doctorName(visit.doctor.name);
  return (
    <div className="stack" data-gap="2">
      <p>
        Only {doctor} can change this record. Tell the clinic what is wrong or missing, and name the
        day of your visit.
      </p>
      <p>
        {phone ? (
          <>
            Call {name || 'the clinic'}:{' '}
            <a href={telHref(phone)} className={styles.phone}>
              {phone}
            </a>
          </>
        ) : (
          <>
            The clinic gave no phone number here. <Link href={paths.contact}>Write to us</Link> and
            we pass it on.
          </>
        )}
      </p>
      <p className="muted">
        When the record changes you are told, and you can still read what it said before.
      </p>
    </div>
  );
}
