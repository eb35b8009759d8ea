import { Trans, useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeading } from '@/ui/PageHeading';

/**
 * Shown for patients without appointments with this doctor and for unknown ids, which the server
 * does not distinguish.
 */
export function PatientNotFound() {
  const { t } = useLingui();
  return (
    <>
      <PageHeading>{t`Patient not found`}</PageHeading>
      <EmptyState
        title={t`This isn’t one of your patients`}
        action={
          <LinkButton variant="secondary" href={paths.doctorPatients()}>
            <Trans>Show your patients</Trans>
          </LinkButton>
        }
      >
        <Trans>You can see the people who have had an appointment with you.</Trans>
      </EmptyState>
    </>
  );
}
