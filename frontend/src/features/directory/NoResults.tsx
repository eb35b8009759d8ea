import { useHasContact } from '@/domain/useHasContact';
import { type DirectoryQuery, paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { Inline } from '@/ui/Inline';
import { NoResultsIllustration } from './NoResultsIllustration';
import { hasFilters } from './query';

/** Shown without results: what to change, and a link to all doctors. */
export function NoResults({ query }: { query: DirectoryQuery }) {
  const hasContact = useHasContact();
  const { search, specialization, city, availableBy, ordering, page } = query;
  const title = 'No doctors found matching your criteria.';
  if (page) {
    return (
      <EmptyState
        art={<NoResultsIllustration />}
        title={title}
        action={
          <LinkButton href={paths.findDoctors({ ...query, page: undefined })}>
            Go to the first page
          </LinkButton>
        }
      >
        The list ends before this page.
      </EmptyState>
    );
  }
  if (!hasFilters(query)) {
    return (
      <EmptyState
        art={<NoResultsIllustration />}
        title={title}
        action={
          hasContact && (
            <LinkButton variant="secondary" href={paths.contact}>
              Contact us
            </LinkButton>
          )
        }
      >
        {`No doctor takes bookings here yet. Please come back soon${hasContact ? ', or ask us for help' : ''}.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      art={<NoResultsIllustration />}
      title={title}
      action={
        <Inline>
          {availableBy ? (
            <LinkButton href={paths.findDoctors({ ...query, availableBy: undefined })}>
              Show those free later
            </LinkButton>
          ) : (
            city &&
            (search || specialization) && (
              <LinkButton href={paths.findDoctors({ search, specialization, ordering })}>
                Search in every city
              </LinkButton>
            )
          )}
          <LinkButton variant="secondary" href={paths.findDoctors({ ordering })}>
            Show all doctors
          </LinkButton>
        </Inline>
      }
    >
      {availableBy
        ? 'Nobody who matches is free that soon. If it is urgent, don’t wait: call your local emergency number.'
        : search
          ? 'Check the spelling, or try a shorter word: part of a name, a specialty, or an everyday word like “heart” or “skin”.'
          : 'Try another specialization, or a larger city nearby. General Medicine helps with most first questions.'}
    </EmptyState>
  );
}
