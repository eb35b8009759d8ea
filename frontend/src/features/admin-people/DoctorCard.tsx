import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { deleteDoctor, forgetPeople, previewDeletedDoctor } from '@/api/people';
import type { StaffDoctor } from '@/api/types';
import { formatAge } from '@/lib/age';
import { counted } from '@/lib/counts';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Email } from '@/ui/Email';
import { Face } from '@/ui/Face';
import { Link } from '@/ui/Link';
import { notify } from '@/ui/notices';
import { AccountBadge, ApprovalBadge } from './badges';
import { EffectsDialog } from './EffectsDialog';
import styles from './people.module.css';

/** A doctor in the list. Decisions are made on the case page, where the evidence is. */
export function DoctorCard({ doctor, onDeleted }: { doctor: StaffDoctor; onDeleted: () => void }) {
  const name = doctorName(doctor.name);
  const { city, state } = doctor.hospital.address;
  return (
    <Card as="li" tight className={styles.doctor}>
      <div className={styles.who}>
        <Face name={doctor.name} src={doctor.profilePicture} size={56} />
        <div>
          <h2 className={styles.name}>
            <Link href={paths.adminDoctor(doctor._id)}>{name}</Link>
          </h2>
          <p className="muted">{doctor.specialization}</p>
        </div>
      </div>
      <div className="row">
        <ApprovalBadge state={doctor.approval.state} />
        {doctor.status === 'inactive' && <AccountBadge status="inactive" />}
        {doctor.waitingSince && (
          <span className={styles.waiting}>Waiting for {formatAge(doctor.waitingSince)}</span>
        )}
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Hospital</dt>
          <dd>{[doctor.hospital.name, city, state].filter(Boolean).join(', ')}</dd>
        </div>
        <div>
          <dt>Experience</dt>
          <dd>{counted(doctor.experience, 'year')}</dd>
        </div>
        <div>
          <dt>Licence</dt>
          <dd>{doctor.licenseNumber}</dd>
        </div>
        <div>
          <dt>Fee</dt>
          <dd>{formatMoney(doctor.consultationFee, doctor.currency)}</dd>
        </div>
        <div>
          <dt>E-mail</dt>
          <dd>
            <a href={`mailto:${doctor.email}`}>
              <Email address={doctor.email} />
            </a>
          </dd>
        </div>
      </dl>
      <div className={styles.cardActs}>
        <LinkButton
          variant={doctor.openCase ? 'primary' : 'secondary'}
          href={paths.adminDoctor(doctor._id)}
        >
          {doctor.openCase ? 'Review' : 'View Details'}
          <span className="visually-hidden"> of {name}</span>
        </LinkButton>
        <DeleteDoctor doctor={doctor} onDeleted={onDeleted} />
      </div>
    </Card>
  );
}

interface DeleteProps {
  doctor: Pick<StaffDoctor, '_id' | 'name' | 'email'>;
  /** Called when the account has ended, before the lists are asked for anew. */
  onDeleted: () => void;
}

/** The button that ends a doctor's account, after a look at what that does. */
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
          act="delete"
          title="Are you sure you want to delete this doctor?"
          person={doctor}
          preview={() => previewDeletedDoctor(doctor._id)}
          action="Delete"
          busyLabel="Deleting..."
          fallback="Failed to delete doctor"
          onSubmit={async () => {
            const { message } = await deleteDoctor(doctor._id);
            flushSync(() => setAsking(false));
            onDeleted();
            notify.success(message);
            await forgetPeople(client);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
