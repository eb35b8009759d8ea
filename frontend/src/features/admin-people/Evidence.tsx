import { downloadEvidence } from '@/api/people';
import type { Case, StaffDoctor } from '@/api/types';
import { useDownload } from '@/domain/record/useDownload';
import { formatAge } from '@/lib/age';
import { formatDate } from '@/lib/dates';
import { formatSize } from '@/lib/size';
import { Badge } from '@/ui/Badge';
import { Button } from '@/ui/Button';
import { Disclosure } from '@/ui/Disclosure';
import { DownloadIcon, PictureIcon, RecordIcon, WarningIcon } from '@/ui/icons';
import { dayOf, hasExpired, type License } from './case';
import styles from './people.module.css';

interface Props {
  doctor: StaffDoctor;
  /** The newest application. */
  newest: Case | undefined;
}

/** What the decision rests on: the licence as claimed, its document, and the doctor's own words. */
export function Evidence({ doctor, newest }: Props) {
  const open = newest?.state === 'open' ? newest : undefined;
  return (
    <section className={styles.sheet} aria-labelledby="evidence">
      <h2 id="evidence">The evidence</h2>
      {open && (
        <p className="muted">
          Submitted on {formatDate(dayOf(open.submittedAt))}, waiting for{' '}
          {formatAge(open.submittedAt)}
        </p>
      )}
      <LicenseFacts
        license={open ?? doctor}
        specialization={open?.specialization ?? doctor.specialization}
      />
      {newest && <EvidenceFile doctorId={doctor._id} shown={newest} />}
      {open && doctor.isApproved && (
        <Disclosure summary="The licence as it was approved">
          <LicenseFacts license={doctor} specialization={doctor.specialization} />
        </Disclosure>
      )}
      {open?.message && (
        <>
          <h3>The doctor’s message</h3>
          <p className={styles.words}>{open.message}</p>
        </>
      )}
    </section>
  );
}

/** The document that came with an application. */
export function EvidenceFile({ doctorId, shown }: { doctorId: string; shown: Case }) {
  const save = useDownload('Failed to download the file');
  const { document: file } = shown;
  if (!file) return <p className="muted">No document came with the application.</p>;
  const Icon = file.contentType.startsWith('image/') ? PictureIcon : RecordIcon;
  return (
    <div className={styles.file}>
      <Icon />
      <p>
        {file.name}
        <span className="muted"> {formatSize(file.size)}</span>
      </p>
      <Button
        variant="secondary"
        icon={<DownloadIcon size={20} />}
        busy={save.isPending}
        busyLabel="Downloading..."
        aria-label={`Download ${file.name}`}
        onClick={() => save.mutate(() => downloadEvidence(doctorId, shown._id, file.name))}
      >
        Download
      </Button>
    </div>
  );
}

interface FactsProps {
  license: License;
  specialization: string;
}

export function LicenseFacts({ license, specialization }: FactsProps) {
  const none = <span className="muted">Not given</span>;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Licence number</dt>
        <dd className={styles.key}>{license.licenseNumber || none}</dd>
      </div>
      <div>
        <dt>Authority</dt>
        <dd>{license.licenseAuthority || none}</dd>
      </div>
      <div>
        <dt>Region</dt>
        <dd>{license.licenseRegion || none}</dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>
          {license.licenseExpiresOn ? formatDate(license.licenseExpiresOn) : none}{' '}
          {hasExpired(license.licenseExpiresOn) && (
            <Badge tone="red" icon={<WarningIcon size={18} />}>
              Has run out
            </Badge>
          )}
        </dd>
      </div>
      <div>
        <dt>Specialization</dt>
        <dd>{specialization}</dd>
      </div>
    </dl>
  );
}
