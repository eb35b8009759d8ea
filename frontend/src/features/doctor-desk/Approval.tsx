import { useQuery } from '@tanstack/react-query';
import type { DoctorUser } from '@/api/types';
import { ownCasesQuery } from '@/api/verification';
import { applicationGaps } from '@/domain/applicationGaps';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { VerifiedIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './desk.module.css';

/** Where the doctor stands with the admins: who is not approved is not listed and not booked. */
export function Approval({ approval }: { approval: DoctorUser['approval'] }) {
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
      return <Waiting />;
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

function Waiting() {
  const gaps = applicationGaps(useQuery(ownCasesQuery).data?.cases ?? []);
  return (
    <Banner tone={gaps ? 'warning' : 'info'} title="Waiting for approval">
      <p>An admin checks your licence before patients can find and book you.</p>
      {gaps && (
        <p>
          To check it we still need to know {gaps}.{' '}
          <Link href={paths.doctorVerification}>Complete your application</Link>
        </p>
      )}
      <p>
        Meanwhile you can complete your profile and hours.{' '}
        <Link href={paths.profile}>Look at your profile</Link>
        {!gaps && (
          <>
            {' '}
            or <Link href={paths.doctorVerification}>see your application</Link>
          </>
        )}
      </p>
    </Banner>
  );
}
