import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const title = t`No doctors found matching your criteria.`;
  if (page) {
    return (
      <EmptyState
        art={<NoResultsIllustration />}
        title={title}
        action={
          <LinkButton href={paths.findDoctors({ ...query, page: undefined })}>
            <Trans>Go to the first page</Trans>
          </LinkButton>
        }
      >
        <Trans>The list ends before this page.</Trans>
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
              <Trans>Contact us</Trans>
            </LinkButton>
          )
        }
      >
        {hasContact
          ? t`No doctors are taking bookings here yet. Please come back soon, or ask us for help.`
          : t`No doctors are taking bookings here yet. Please come back soon.`}
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
              <Trans>Show later openings</Trans>
            </LinkButton>
          ) : (
            city &&
            (search || specialization) && (
              <LinkButton href={paths.findDoctors({ search, specialization, ordering })}>
                <Trans>Search all cities</Trans>
              </LinkButton>
            )
          )}
          <LinkButton variant="secondary" href={paths.findDoctors({ ordering })}>
            <Trans>Show all doctors</Trans>
          </LinkButton>
        </Inline>
      }
    >
      {availableBy
        ? t`No matching doctor has an opening that soon. If it’s urgent, don’t wait: call your local emergency number.`
        : search
          ? t`Check the spelling, or try a shorter word: part of a name, a specialty, or an everyday word like “heart” or “skin”.`
          : t`Try another specialty, or a larger city nearby. Not sure who to see? Start with General Medicine.`}
    </EmptyState>
  );
}
