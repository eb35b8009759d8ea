import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Case, StaffDoctor } from '@/api/types';
import { downloadEvidence, readEvidence } from '@/api/users';
import { useDownload } from '@/domain/record/useDownload';
import { formatAge } from '@/lib/age';
import { formatDate } from '@/lib/dates';
import { formatFileSize } from '@/lib/fileSize';
import { specializationLabel } from '@/lib/specializations';
import { Badge } from '@/ui/Badge';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { DownloadIcon, PictureIcon, WarningIcon } from '@/ui/icons';
import { RecordIcon } from '@/ui/pageIcons';
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
  const { t } = useLingui();
  const open = newest?.state === 'open' ? newest : undefined;
  const submittedOn = open && formatDate(localDate(open.submittedAt));
  const age = open && formatAge(open.submittedAt);
  return (
    <Card as="section" gap={4} aria-labelledby="evidence">
      <h2 id="evidence">
        <Trans>License</Trans>
      </h2>
      {open && (
        <p className="muted">
          <Trans>
            Submitted on {submittedOn}, waiting for {age}
          </Trans>
        </p>
      )}
      <LicenseFacts
        license={open ?? doctor}
        specialization={open?.specialization ?? doctor.specialization}
      />
      {newest && <EvidenceFile doctorId={doctor._id} verificationCase={newest} />}
      {newest?.document?.contentType === 'application/pdf' && (
        <p className="muted small">
          <Trans>
            We remove digital signatures from uploaded PDFs, so you can’t check them here.
          </Trans>
        </p>
      )}
      {open && doctor.isApproved && (
        <Disclosure summary={t`License as approved before`}>
          <LicenseFacts license={doctor} specialization={doctor.specialization} />
        </Disclosure>
      )}
      {open?.message && (
        <>
          <h3>
            <Trans>The doctor’s message</Trans>
          </h3>
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
  const { t } = useLingui();
  const save = useDownload(t`Failed to download the file`);
  const { document: file } = verificationCase;
  const [isShown, setIsShown] = useState(false);
  if (!file) {
    return (
      <p className="muted">
        <Trans>The doctor didn’t upload a document with the application.</Trans>
      </p>
    );
  }
  const { name } = file;
  const isPicture = file.contentType.startsWith('image/');
  const Icon = isPicture ? PictureIcon : RecordIcon;
  return (
    <Inline rowGap={2} className={styles.file}>
      <Icon />
      <p>
        {name}
        <span className="muted"> {formatFileSize(file.size)}</span>
      </p>
      {isPicture && (
        <Button
          variant="secondary"
          aria-expanded={isShown}
          aria-label={isShown ? t`Hide ${name}` : t`Show ${name}`}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
        </Button>
      )}
      <Button
        variant="secondary"
        icon={<DownloadIcon size={20} />}
        busy={save.isPending}
        busyLabel={t`Downloading...`}
        aria-label={t`Download ${name}`}
        onClick={() => save.mutate(() => downloadEvidence(doctorId, verificationCase._id, name))}
      >
        <Trans>Download</Trans>
      </Button>
      {isShown && <Preview doctorId={doctorId} verificationCase={verificationCase} />}
    </Inline>
  );
}

/** A picture of a license, loaded only on request because access is logged. */
function Preview({ doctorId, verificationCase }: { doctorId: string; verificationCase: Case }) {
  const { t } = useLingui();
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
  if (picture.isError) {
    return (
      <p>
        <Trans>We couldn’t load the document.</Trans>
      </p>
    );
  }
  if (!address) {
    return (
      <p className="muted">
        <Trans>Loading the document…</Trans>
      </p>
    );
  }
  return <img className={styles.preview} src={address} alt={t`Copy of the license`} />;
}

interface FactsProps {
  license: License;
  specialization: string;
}

export function LicenseFacts({ license, specialization }: FactsProps) {
  const notGiven = (
    <span className="muted">
      <Trans>Not given</Trans>
    </span>
  );
  return (
    <FactList>
      <div>
        <dt>
          <Trans>License number</Trans>
        </dt>
        <dd className={styles.key}>{license.licenseNumber || notGiven}</dd>
      </div>
      <div>
        <dt>
          <Trans>Issued by</Trans>
        </dt>
        <dd>{license.licenseAuthority || notGiven}</dd>
      </div>
      <div>
        <dt>
          <Trans>Region</Trans>
        </dt>
        <dd>{license.licenseRegion || notGiven}</dd>
      </div>
      <div>
        <dt>
          <Trans>Valid until</Trans>
        </dt>
        <dd>
          {license.licenseExpiresOn ? formatDate(license.licenseExpiresOn) : notGiven}{' '}
          {hasExpired(license.licenseExpiresOn) && (
            <Badge tone="red" icon={<WarningIcon size={18} />}>
              <Trans>Expired</Trans>
            </Badge>
          )}
        </dd>
      </div>
      <div>
        <dt>
          <Trans>Specialty</Trans>
        </dt>
        <dd>{specializationLabel(specialization)}</dd>
      </div>
    </FactList>
  );
}
