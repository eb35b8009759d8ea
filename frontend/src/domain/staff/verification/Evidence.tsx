import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Case, StaffDoctor } from '@/api/types';
import { downloadEvidence, readEvidence } from '@/api/users';
import { useDownload } from '@/domain/record/useDownload';
import { formatAge } from '@/lib/age';
import { formatDate } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
import { Badge } from '@/ui/Badge';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { DownloadIcon, PictureIcon, RecordIcon, WarningIcon } from '@/ui/icons';
import { hasExpired, type License, localDate } from './case';
import styles from './decision.module.css';

interface Props {
  doctor: StaffDoctor;
  /** The newest application. */
  newest: Case | undefined;
}

/**
 * The evidence of an application: the claimed license, its document and the message of the doctor.
 */
export function Evidence({ doctor, newest }: Props) {
  const open = newest?.state === 'open' ? newest : undefined;
  return (
    <Card as="section" gap={4} aria-labelledby="evidence">
      <h2 id="evidence">License</h2>
      {open && (
        <p className="muted">
          Submitted on {formatDate(localDate(open.submittedAt))}, waiting for{' '}
          {formatAge(open.submittedAt)}
        </p>
      )}
      <LicenseFacts
        license={open ?? doctor}
        specialization={open?.specialization ?? doctor.specialization}
      />
      {newest && <EvidenceFile doctorId={doctor._id} verificationCase={newest} />}
      {newest?.document?.contentType === 'application/pdf' && (
        <p className="muted small">
          Digital signatures in a PDF do not survive the upload and can’t be checked here.
        </p>
      )}
      {open && doctor.isApproved && (
        <Disclosure summary="License as approved before">
          <LicenseFacts license={doctor} specialization={doctor.specialization} />
        </Disclosure>
      )}
      {open?.message && (
        <>
          <h3>The doctor’s message</h3>
          <p className={styles.quote}>{open.message}</p>
        </>
      )}
    </Card>
  );
}

/** The document of an application. */
export function EvidenceFile({
  doctorId,
  verificationCase,
}: {
  doctorId: string;
  verificationCase: Case;
}) {
  const save = useDownload('Failed to download the file');
  const { document: file } = verificationCase;
  const [isShown, setIsShown] = useState(false);
  if (!file) return <p className="muted">No document was uploaded with the application.</p>;
  const isPicture = file.contentType.startsWith('image/');
  const Icon = isPicture ? PictureIcon : RecordIcon;
  return (
    <Inline rowGap={2} className={styles.file}>
      <Icon />
      <p>
        {file.name}
        <span className="muted"> {formatFileSize(file.size)}</span>
      </p>
      {isPicture && (
        <Button
          variant="secondary"
          aria-expanded={isShown}
          aria-label={`${isShown ? 'Hide' : 'Show'} ${file.name}`}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
      )}
      <Button
        variant="secondary"
        icon={<DownloadIcon size={20} />}
        busy={save.isPending}
        busyLabel="Downloading..."
        aria-label={`Download ${file.name}`}
        onClick={() =>
          save.mutate(() => downloadEvidence(doctorId, verificationCase._id, file.name))
        }
      >
        Download
      </Button>
      {isShown && <Preview doctorId={doctorId} verificationCase={verificationCase} />}
    </Inline>
  );
}

/** A picture of a license, loaded only on request because access is logged. */
function Preview({ doctorId, verificationCase }: { doctorId: string; verificationCase: Case }) {
  const picture = useQuery({
    queryKey: ['staff', 'evidence', verificationCase._id],
    queryFn: () => readEvidence(doctorId, verificationCase._id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (!picture.data) return;
    const url = URL.createObjectURL(picture.data);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [picture.data]);
  if (picture.isError) return <p>The document could not be loaded.</p>;
  if (!address) return <p className="muted">Loading the document…</p>;
  return <img className={styles.preview} src={address} alt="Copy of the license" />;
}

interface FactsProps {
  license: License;
  specialization: string;
}

export function LicenseFacts({ license, specialization }: FactsProps) {
  const notGiven = <span className="muted">Not given</span>;
  return (
    <FactList>
      <div>
        <dt>License number</dt>
        <dd className={styles.key}>{license.licenseNumber || notGiven}</dd>
      </div>
      <div>
        <dt>Issued by</dt>
        <dd>{license.licenseAuthority || notGiven}</dd>
      </div>
      <div>
        <dt>Region</dt>
        <dd>{license.licenseRegion || notGiven}</dd>
      </div>
      <div>
        <dt>Valid until</dt>
        <dd>
          {license.licenseExpiresOn ? formatDate(license.licenseExpiresOn) : notGiven}{' '}
          {hasExpired(license.licenseExpiresOn) && (
            <Badge tone="red" icon={<WarningIcon size={18} />}>
              Expired
            </Badge>
          )}
        </dd>
      </div>
      <div>
        <dt>Specialty</dt>
        <dd>{specialization}</dd>
      </div>
    </FactList>
  );
}
