import { useQuery } from '@tanstack/react-query';
import type { DoctorUser } from '@/api/types';
import { ownCasesQuery } from '@/api/verification';
import { missingApplicationFields } from '@/domain/missingApplicationFields';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Inline } from '@/ui/Inline';
import { VerifiedIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** The state of the doctor's approval: without one, patients can't find or book the doctor. */
export function ApprovalBanner({ approval }: { approval: DoctorUser['approval'] }) {
  const again = <Link href={paths.doctorVerification}>Apply again</Link>;
  const reason = approval.reason && <p>Reason: {approval.reason}</p>;
  switch (approval.state) {
    case 'approved':
      return (
        <Inline as="p" gap={2} align="start" wrap={false} className={styles.approved}>
          <VerifiedIcon />
          You are approved: patients can find and book you.
        </Inline>
      );
    case 'pending':
      return <PendingApproval />;
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
            Patients can no longer find or book you. Existing appointments stay as they are. {again}
          </p>
        </Banner>
      );
  }
}

function PendingApproval() {
  const gaps = missingApplicationFields(useQuery(ownCasesQuery).data?.cases ?? []);
  return (
    <Banner tone={gaps ? 'warning' : 'info'} title="Waiting for approval">
      <p>An admin checks your license before patients can find and book you.</p>
      {gaps && (
        <p>
          To check it we still need to know {gaps}.{' '}
          <Link href={paths.doctorVerification}>Complete your application</Link>
        </p>
      )}
      <p>
        Until then you can complete your profile and hours.{' '}
        <Link href={paths.profile}>View your profile</Link>
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
