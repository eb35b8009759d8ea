import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { memo, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { doctorsQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { rememberListPath } from '@/domain/BackLink';
import { DoctorCard } from '@/domain/DoctorCard';
import { useSession } from '@/domain/session/session';
import { type DirectoryQuery, paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { ErrorState } from '@/ui/ErrorState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { CardSkeletons } from './CardSkeletons';
import { Filters } from './Filters';
import styles from './FindDoctorsPage.module.css';
import { NoResults } from './NoResults';
import {
  availableByDate,
  doctorCountText,
  hasFilters,
  orderOptions,
  readQuery,
  spanLabel,
} from './query';
import { SearchCorrection } from './SearchCorrection';
import { useKnownDoctors } from './useKnownDoctors';

export default function FindDoctorsPage() {
  const { t } = useLingui();
  const [params, setParams] = useSearchParams();
  const query = readQuery(params);
  const { user, state } = useSession();
  const list = useQuery(
    doctorsQuery({ ...query, availableBy: availableByDate(query.availableBy) }),
  );
  const results = useRef<HTMLHeadingElement>(null);

  const plain = !hasFilters(query) && !query.ordering && !query.page;
  const known = useKnownDoctors(plain && user?.role === 'patient');

  const here = paths.findDoctors(query);
  useEffect(() => rememberListPath(here), [here]);

  // The latest query: another change may come before the page has rendered this one.
  const latestQuery = useRef(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query object is new at each render, its URL is not.
  useLayoutEffect(() => {
    latestQuery.current = query;
  }, [here]);

  /** Other filters start at the first page. */
  const change = (part: DirectoryQuery, trigger: 'typing' | 'choice') => {
    const next = { ...latestQuery.current, page: undefined, ...part };
    const address = paths.findDoctors(next);
    if (address === paths.findDoctors(latestQuery.current)) return;
    latestQuery.current = next;
    setParams(new URL(address, window.location.origin).searchParams, {
      replace: trigger === 'typing',
      state: { keepScroll: true },
    });
  };

  const { doctors = [], pagination, corrected } = list.data ?? {};
  // The corrected text that the list below was searched for.
  const searched = (!list.isPlaceholderData && corrected?.to) || query.search;
  const { city } = query;
  const chips = filterChips(query, {
    search: searched && query.search ? t`“${searched}”` : undefined,
    city: city && t`In ${city}`,
  });

  // Nothing may push the list down later, so wait for known doctors too.
  const waiting = state === 'loading' || known === undefined || (!list.data && !list.isError);
  const seen = new Set(known?.map((doctor) => doctor._id));
  const rest = doctors.filter((doctor) => !seen.has(doctor._id));

  return (
    <Stack gap={5}>
      <PageHeading
        title={t`Find Your Doctor`}
        lead={t`Verified doctors with real-time availability.`}
      >
        {t`Find Your Doctor`}
      </PageHeading>
      <Grid gap={5} className={styles.layout}>
        <div className={styles.side}>
          <Filters query={query} onChange={change} onSearch={() => results.current?.focus()} />
        </div>
        <Stack className={styles.main}>
          <Inline
            rowGap={3}
            gap={5}
            align="end"
            justify="between"
            data-outdated={list.isPlaceholderData ? '' : undefined}
          >
            <div role="status">
              <h2 ref={results} tabIndex={-1} className={styles.count}>
                {list.isError && !list.data
                  ? t`Doctors`
                  : waiting || !pagination
                    ? t`Searching…`
                    : doctorCountText(pagination)}
              </h2>
            </div>
            <div className={styles.sort}>
              <Select
                name="ordering"
                label={t`Sort by`}
                optional="unmarked"
                options={orderOptions(query).map(({ value, label }) => ({
                  value,
                  label: t(label),
                }))}
                value={query.ordering ?? ''}
                onChange={(ordering) => change({ ordering: ordering || undefined }, 'choice')}
              />
            </div>
          </Inline>
          {corrected && query.search && !list.isPlaceholderData && (
            <SearchCorrection correction={corrected} query={query} />
          )}
          <FilterChips chips={chips} clearHref={paths.findDoctors({ ordering: query.ordering })} />
          {waiting ? (
            <CardSkeletons />
          ) : !pagination ? (
            <ErrorState
              title={t`We couldn’t load the doctors`}
              onRetry={() => list.refetch()}
              busy={list.isFetching}
            />
          ) : doctors.length === 0 ? (
            <NoResults query={query} />
          ) : (
            <Stack
              gap={5}
              aria-busy={list.isPlaceholderData}
              data-outdated={list.isPlaceholderData ? '' : undefined}
            >
              {known && known.length > 0 && (
                <Stack as="section" aria-labelledby="known-doctors">
                  <h2 id="known-doctors" className={styles.section}>
                    <Trans>Your doctors</Trans>
                  </h2>
                  <Cards doctors={known} />
                </Stack>
              )}
              {known && known.length > 0 && rest.length > 0 && (
                <h2 className={styles.section}>
                  <Trans>All doctors</Trans>
                </h2>
              )}
              <Cards doctors={rest} />
              <Pagination
                page={pagination.page}
                hasNext={pagination.hasNext}
                href={(page) => paths.findDoctors({ ...query, page: page > 1 ? page : undefined })}
                label={t`Pages of doctors`}
              />
            </Stack>
          )}
        </Stack>
      </Grid>
    </Stack>
  );
}

function filterChips(
  query: ReturnType<typeof readQuery>,
  { search, city }: { search?: string; city?: string },
) {
  const labels = [
    ['search', search],
    ['specialization', query.specialization && specializationLabel(query.specialization)],
    ['city', city],
    ['availableBy', spanLabel(query.availableBy)],
  ] as const;
  return labels.flatMap(([key, label]) => {
    if (!label) return [];
    const literal = key === 'search' ? undefined : query.literal;
    const href = paths.findDoctors({ ...query, page: undefined, literal, [key]: undefined });
    return [{ key, label, href }];
  });
}

/**
 * The first cards fill a phone screen. The others follow in steps, so that the page stays
 * responsive.
 */
const INITIAL_CARDS = 3;
const STEP_CARDS = 4;
/** Memoized, so that adding cards does not render the existing ones again, unless in another language. */
const Card = memo(({ doctor }: { doctor: Doctor; language: string }) => (
  <DoctorCard doctor={doctor} />
));

function Cards({ doctors }: { doctors: Doctor[] }) {
  const { i18n } = useLingui();
  const [shown, setShown] = useState(INITIAL_CARDS);
  const more = shown < doctors.length;
  useEffect(() => {
    if (more) startTransition(() => setShown(shown + STEP_CARDS));
  }, [more, shown]);
  return (
    <Stack as="ul" className={styles.cards}>
      {doctors.slice(0, shown).map((doctor) => (
        <li key={doctor._id}>
          <Card doctor={doctor} language={i18n.locale} />
        </li>
      ))}
    </Stack>
  );
}
