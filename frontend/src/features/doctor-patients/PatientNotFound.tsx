import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeading } from '@/ui/PageHeading';

/**
 * Shown for patients without appointments with this doctor and for unknown ids, which the server
 * does not distinguish.
 */
export function PatientNotFound() {
  return (
    <>
      <PageHeading>Patient not found</PageHeading>
      <EmptyState
        title="This is not one of your patients"
        action={
          <LinkButton variant="secondary" href={paths.doctorPatients()}>
            Show your patients
          </LinkButton>
        }
      >
        You see the people who have had an appointment with you.
      </EmptyState>
    </>
  );
}
