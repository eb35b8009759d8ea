import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { StaffDoctor } from '@/api/types';
import { deleteDoctor, invalidateUsers, previewDoctorDeletion } from '@/api/users';
import { AccountBadge, ApprovalBadge } from '@/domain/staff/verification/badges';
import { CASE_KIND_LABELS } from '@/domain/staff/verification/case';
import { DecisionButtons } from '@/domain/staff/verification/DecisionButtons';
import { EffectsDialog } from '@/domain/staff/verification/EffectsDialog';
import { formatAge } from '@/lib/age';
import { formatFacts } from '@/lib/formatList';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Badge } from '@/ui/Badge';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Email } from '@/ui/Email';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { toast } from '@/ui/toasts';
import styles from './users.module.css';

/** A doctor in the list; each decision shows the evidence first. */
export function DoctorCard({ doctor, onDeleted }: { doctor: StaffDoctor; onDeleted: () => void }) {
  const { t } = useLingui();
  const name = doctorName(doctor.name);
  const { city, state } = doctor.hospital.address;
  const age = doctor.waitingSince && formatAge(doctor.waitingSince);
  return (
    <Card as="li" tight gap={3}>
      <Inline gap={4} wrap={false} className={styles.person}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={56} />
        <div>
          <h2 className="card-title">
            <Link href={paths.adminDoctor(doctor._id)}>{name}</Link>
          </h2>
          <p className="muted">{specializationLabel(doctor.specialization)}</p>
        </div>
      </Inline>
      <Inline>
        <ApprovalBadge state={doctor.approval.state} />
        {doctor.status === 'inactive' && <AccountBadge status="inactive" />}
        {doctor.openCaseKind && (
          <Badge tone="amber">{t(CASE_KIND_LABELS[doctor.openCaseKind])}</Badge>
        )}
        {doctor.openCase && doctor.missing.length > 0 && (
          <Badge tone="red">
            <Trans>Incomplete</Trans>
          </Badge>
        )}
        {age && (
          <span className="attention">
            <Trans>Waiting for {age}</Trans>
          </span>
        )}
      </Inline>
      <FactList short>
        <div>
          <dt>
            <Trans>Hospital</Trans>
          </dt>
          <dd>{formatFacts([doctor.hospital.name, city, state])}</dd>
        </div>
        <div>
          <dt>
            <Trans>Experience</Trans>
          </dt>
          <dd>
            <Plural value={doctor.experience} one="# year" other="# years" />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>License</Trans>
          </dt>
          <dd>{doctor.licenseNumber}</dd>
        </div>
        <div>
          <dt>
            <Trans>Fee</Trans>
          </dt>
          <dd>{formatMoney(doctor.consultationFee, doctor.currency)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Email</Trans>
          </dt>
          <dd>
            <a href={`mailto:${doctor.email}`}>
              <Email address={doctor.email} />
            </a>
          </dd>
        </div>
      </FactList>
      <Inline gap={2} align="stretch" className={styles.cardActs}>
        <DecisionButtons doctor={doctor} isOpen={Boolean(doctor.openCase)} />
        <LinkButton variant="secondary" href={paths.adminDoctor(doctor._id)}>
          <Trans>
            View Details<span className="visually-hidden"> of {name}</span>
          </Trans>
        </LinkButton>
        <DeleteDoctor doctor={doctor} onDeleted={onDeleted} />
      </Inline>
    </Card>
  );
}

interface DeleteProps {
  doctor: Pick<StaffDoctor, '_id' | 'name' | 'email'>;
  /** Called when the account has ended, before the lists are refetched. */
  onDeleted: () => void;
}

/** Delete a doctor's account after a preview. */
export function DeleteDoctor({ doctor, onDeleted }: DeleteProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const name = doctorName(doctor.name);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trans>
          Delete<span className="visually-hidden"> {name}</span>
        </Trans>
      </Button>
      {asking && (
        <EffectsDialog
          action="delete"
          title={t`Are you sure you want to delete this doctor?`}
          person={doctor}
          preview={() => previewDoctorDeletion(doctor._id)}
          actionLabel={t`Delete`}
          busyLabel={t`Deleting...`}
          fallback={t`Failed to delete doctor`}
          onSubmit={async () => {
            const { message } = await deleteDoctor(doctor._id);
            flushSync(() => setAsking(false));
            onDeleted();
            toast.success(message);
            await invalidateUsers(client);
          }}
          onOutdated={() => void invalidateUsers(client)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
