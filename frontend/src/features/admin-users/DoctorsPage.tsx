import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { StaffDoctorTotals } from '@/api/types';
import { staffDoctorsQuery } from '@/api/users';
import { rememberListPath } from '@/domain/BackLink';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { APPROVAL_BADGES } from '@/domain/staff/verification/badges';
import { SPECIALIZATIONS } from '@/lib/options';
import { paths, type StaffDoctorsQuery } from '@/lib/paths';
import { choiceParam, pageParam } from '@/lib/searchParams';
import { specializationOptions } from '@/lib/specializations';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { SearchInput } from '@/ui/SearchInput';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { DoctorCard } from './DoctorCard';
import { RefreshButton } from './RefreshButton';
import { Totals } from './Totals';
import styles from './users.module.css';

/** A multiple of two and three, the number of columns. */
const PAGE_SIZE = 24;

const STATUS_KEYS = ['pending', 'approved', 'rejected', 'revoked'] as const;
const ORDER_OPTIONS = [
  { value: '', label: msg`Longest waiting` },
  { value: '-createdAt', label: msg`Newest first` },
  { value: 'createdAt', label: msg`Oldest first` },
  { value: 'name', label: msg`Name, A to Z` },
];
const ORDER_KEYS = ['-createdAt', 'createdAt', 'name'] as const;

/** All doctors with their verification status. */
export default function DoctorsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const query = {
    search: params.get('search')?.trim() || undefined,
    status: choiceParam(params, 'status', STATUS_KEYS, undefined),
    specialization: choiceParam(params, 'specialization', SPECIALIZATIONS, undefined),
    ordering: choiceParam(params, 'ordering', ORDER_KEYS, undefined),
  };
  const page = pageParam(params);
  const isAll = !query.search && !query.status && !query.specialization;
  const here = paths.adminDoctors({ ...query, page: page > 1 ? page : undefined });
  useEffect(() => rememberListPath(here), [here]);
  const list = useQuery(staffDoctorsQuery({ ...query, page, pageSize: PAGE_SIZE }));
  const { data } = list;

  /** Change the filters and return to the first page. */
  const change = (part: StaffDoctorsQuery, replace = false) =>
    navigate(paths.adminDoctors({ ...query, ...part }), { replace, state: { keepScroll: true } });
  const [typed, setTyped] = useDebouncedParam(query.search, (search) => change({ search }, true));

  return (
    <Stack gap={5}>
      <PageHeading ref={heading} actions={<RefreshButton list={list} />}>
        {t`Doctors`}
      </PageHeading>
      <DoctorFigures totals={data?.totals} status={query.status} />
      <Grid as="search" align="end" className={styles.filters} data-selects="3">
        <SearchInput label={t`Name, specialization or email`} value={typed} onChange={setTyped} />
        <Select
          name="status"
          label={t`Status`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'statuses' })}
          options={STATUS_KEYS.map((value) => ({ value, label: t(APPROVAL_BADGES[value].label) }))}
          value={query.status ?? ''}
          onChange={(status) => change({ status })}
        />
        <Select
          name="specialization"
          label={t`Specialization`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'specializations' })}
          options={specializationOptions()}
          value={query.specialization ?? ''}
          onChange={(specialization) => change({ specialization })}
        />
        <Select
          name="ordering"
          label={t`Sort by`}
          optional="unmarked"
          options={ORDER_OPTIONS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={query.ordering ?? ''}
          onChange={(ordering) => change({ ordering })}
        />
      </Grid>
      <PaginatedList
        list={list}
        rows={({ doctors }) => doctors}
        failure={t`We couldn’t load the doctors`}
        empty={
          isAll ? (
            <EmptyState title={t`No doctors yet`}>
              <Trans>
                Doctors appear here once they’ve registered. Those waiting for approval come first.
              </Trans>
            </EmptyState>
          ) : (
            <EmptyState
              title={t`No doctors match`}
              action={
                <LinkButton variant="secondary" href={paths.adminDoctors()}>
                  <Trans>Show all doctors</Trans>
                </LinkButton>
              }
            />
          )
        }
        href={(page) => paths.adminDoctors({ ...query, page })}
        rowHeight={268}
        renderSkeletons={(bar) => (
          <Grid className={styles.cards}>
            {[0, 1, 2, 3, 4, 5].map((key) => (
              <div key={key}>{bar}</div>
            ))}
          </Grid>
        )}
      >
        {({ doctors }) => (
          <Grid as="ul" className={styles.cards}>
            {doctors.map((doctor) => (
              <DoctorCard
                key={doctor._id}
                doctor={doctor}
                onDeleted={() => heading.current?.focus()}
              />
            ))}
          </Grid>
        )}
      </PaginatedList>
    </Stack>
  );
}

interface FiguresProps {
  totals: StaffDoctorTotals | undefined;
  status: string | undefined;
}

function DoctorFigures({ totals, status }: FiguresProps) {
  const { t } = useLingui();
  const link = (figureStatus?: string) => ({
    href: paths.adminDoctors({ status: figureStatus }),
    current: status === figureStatus,
  });
  return (
    <Totals
      label={t`Totals`}
      figures={[
        { key: 'all', label: t`Total`, value: totals?.all, ...link() },
        ...STATUS_KEYS.map((key) => ({
          key,
          label: t(APPROVAL_BADGES[key].label),
          value: totals?.[key],
          ...link(key),
        })),
        {
          key: 'specializations',
          label: t`Specializations`,
          value: totals?.specializations,
          // That page lists how many doctors each specialization has.
          href: paths.adminAnalytics(),
        },
      ]}
    />
  );
}
