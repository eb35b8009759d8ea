import type { DoctorUser } from '@/api/types';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { VerifiedIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './desk.module.css';

/** Where the doctor stands with the admins: who is not approved is not listed and not booked. */
export function Approval({ approval }: { approval: DoctorUser['approval'] }) {
  const profile = <Link href={paths.profile}>Look at your profile</Link>;
  const again = <Link href={paths.doctorVerification}>Apply again</Link>;
  const reason = approval.reason && <p>Reason: {approval.reason}</p>;
  switch (approval.state) {
    case 'approved':
      return (
        <p className={styles.approved}>
          <VerifiedIcon />
          You are approved: patients can find and book you.
        </p>
      );
    case 'pending':
      return (
        <Banner tone="info" title="Waiting for approval">
          <p>
            An admin checks your licence before patients can find and book you. Meanwhile you can
            complete your profile and hours. {profile} or{' '}
            <Link href={paths.doctorVerification}>see your application</Link>
          </p>
        </Banner>
      );
    case 'rejected':
      return (
        <Banner tone="warning" title="Your registration was not approved">
          {reason}
          <p>Patients cannot find or book you. {again}</p>
        </Banner>
      );
    case 'revoked':
      return (
        <Banner tone="warning" title="Your approval was withdrawn">
          {reason}
          <p>
            Patients can no longer find or book you. Visits that are already booked stand. {again}
          </p>
        </Banner>
      );
  }
}
