import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';

/** A patient who has had no visit with this doctor, or nobody at all: the server does not say which. */
export function NotYours() {
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
        You see the people who have had a visit with you.
      </EmptyState>
    </>
  );
}
