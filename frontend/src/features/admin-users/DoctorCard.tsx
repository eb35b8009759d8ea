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
import { pluralize } from '@/lib/counts';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
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
  const name = doctorName(doctor.name);
  const { city, state } = doctor.hospital.address;
  return (
    <Card as="li" tight gap={3}>
      <Inline gap={4} wrap={false} className={styles.person}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={56} />
        <div>
          <h2 className="card-title">
            <Link href={paths.adminDoctor(doctor._id)}>{name}</Link>
          </h2>
          <p className="muted">{doctor.specialization}</p>
        </div>
      </Inline>
      <Inline>
        <ApprovalBadge state={doctor.approval.state} />
        {doctor.status === 'inactive' && <AccountBadge status="inactive" />}
        {doctor.openCaseKind && <Badge tone="amber">{CASE_KIND_LABELS[doctor.openCaseKind]}</Badge>}
        {doctor.openCase && doctor.missing.length > 0 && <Badge tone="red">Incomplete</Badge>}
        {doctor.waitingSince && (
          <span className="attention">Waiting for {formatAge(doctor.waitingSince)}</span>
        )}
      </Inline>
      <FactList short>
        <div>
          <dt>Hospital</dt>
          <dd>{[doctor.hospital.name, city, state].filter(Boolean).join(', ')}</dd>
        </div>
        <div>
          <dt>Experience</dt>
          <dd>{pluralize(doctor.experience, 'year')}</dd>
        </div>
        <div>
          <dt>License</dt>
          <dd>{doctor.licenseNumber}</dd>
        </div>
        <div>
          <dt>Fee</dt>
          <dd>{formatMoney(doctor.consultationFee, doctor.currency)}</dd>
        </div>
        <div>
          <dt>Email</dt>
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
          View Details
          <span className="visually-hidden"> of {name}</span>
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
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete<span className="visually-hidden"> {doctorName(doctor.name)}</span>
      </Button>
      {asking && (
        <EffectsDialog
          action="delete"
          title="Are you sure you want to delete this doctor?"
          person={doctor}
          preview={() => previewDoctorDeletion(doctor._id)}
          actionLabel="Delete"
          busyLabel="Deleting..."
          fallback="Failed to delete doctor"
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
