import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { DoctorUser } from '@/api/types';
import { ownCasesQuery } from '@/api/verification';
import { missingApplicationText } from '@/domain/missingApplicationText';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Inline } from '@/ui/Inline';
import { VerifiedIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './dashboard.module.css';

/** The state of the doctor's approval: without one, patients can't find or book the doctor. */
export function ApprovalBanner({ approval }: { approval: DoctorUser['approval'] }) {
  const { t } = useLingui();
  const reason = approval.reason && (
    <p>
      <Trans>Reason: {approval.reason}</Trans>
    </p>
  );
  switch (approval.state) {
    case 'approved':
      return (
        <Inline as="p" gap={2} align="start" wrap={false} className={styles.approved}>
          <VerifiedIcon />
          <Trans>You’re approved. Patients can find and book you.</Trans>
        </Inline>
      );
    case 'pending':
      return <PendingApproval />;
    case 'rejected':
      return (
        <Banner tone="warning" title={t`We didn’t approve your registration`}>
          {reason}
          <p>
            <Trans>
              Patients can’t find or book you.{' '}
              <Link href={paths.doctorVerification}>Apply again</Link>
            </Trans>
          </p>
        </Banner>
      );
    case 'revoked':
      return (
        <Banner tone="warning" title={t`We’ve withdrawn your approval`}>
          {reason}
          <p>
            <Trans>
              Patients can no longer find or book you. Your existing appointments stay as they are.{' '}
              <Link href={paths.doctorVerification}>Apply again</Link>
            </Trans>
          </p>
        </Banner>
      );
  }
}

function PendingApproval() {
  const { t } = useLingui();
  const gaps = missingApplicationText(useQuery(ownCasesQuery).data?.cases ?? []);
  return (
    <Banner tone={gaps ? 'warning' : 'info'} title={t`Waiting for approval`}>
      <p>
        <Trans>We check your license before patients can find and book you.</Trans>
      </p>
      {gaps && (
        <p>
          {gaps}{' '}
          <Link href={paths.doctorVerification}>
            <Trans>Complete your application</Trans>
          </Link>
        </p>
      )}
      <p>
        {gaps ? (
          <Trans>
            Until then, you can complete your profile and hours.{' '}
            <Link href={paths.profile}>View your profile</Link>
          </Trans>
        ) : (
          <Trans>
            Until then, you can complete your profile and hours.{' '}
            <Link href={paths.profile}>View your profile</Link> or{' '}
            <Link href={paths.doctorVerification}>see your application</Link>
          </Trans>
        )}
      </p>
    </Banner>
  );
}
