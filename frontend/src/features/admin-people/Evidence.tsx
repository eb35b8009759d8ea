import type { Case, StaffDoctor } from '@/api/types';
import { formatAge } from '@/lib/age';
import { formatDate } from '@/lib/dates';
import { Badge } from '@/ui/Badge';
import { WarningIcon } from '@/ui/icons';
import { dayOf, hasExpired, type License } from './case';
import styles from './people.module.css';

/** What the decision rests on: the licence as claimed, and the doctor's own words. */
export function Evidence({ doctor, shown }: { doctor: StaffDoctor; shown: Case | undefined }) {
  const open = shown?.state === 'open' ? shown : undefined;
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
      {open?.message && (
        <>
          <h3>The doctor’s message</h3>
          <p className={styles.words}>{open.message}</p>
        </>
      )}
    </section>
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
