import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { UserTotals } from '@/api/types';
import { usersQuery } from '@/api/users';
import { rememberListPath } from '@/domain/BackLink';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { ACCOUNT_BADGES } from '@/domain/staff/verification/badges';
import { paths, type UsersQuery } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { choiceParam, pageParam } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { SearchInput } from '@/ui/SearchInput';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { BulkActionBar } from './BulkActionBar';
import { RefreshButton } from './RefreshButton';
import { Totals } from './Totals';
import { UserTable } from './UserTable';
import styles from './users.module.css';

const ORDER_OPTIONS = [
  { value: '', label: msg`Newest first` },
  { value: 'createdAt', label: msg`Oldest first` },
  { value: 'name', label: msg`Name, A to Z` },
  { value: '-name', label: msg`Name, Z to A` },
];
const ROLE_KEYS = ['patient', 'doctor', 'admin'] as const;
const STATUS_KEYS = ['active', 'inactive'] as const;
const ORDER_KEYS = ['createdAt', 'name', '-name'] as const;

/** All user accounts. */
export default function UsersPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const query = {
    search: params.get('search')?.trim() || undefined,
    role: choiceParam(params, 'role', ROLE_KEYS, undefined),
    status: choiceParam(params, 'status', STATUS_KEYS, undefined),
    ordering: choiceParam(params, 'ordering', ORDER_KEYS, undefined),
  };
  const page = pageParam(params);
  const here = paths.adminUsers({ ...query, page: page > 1 ? page : undefined });
  useEffect(() => rememberListPath(here), [here]);
  const list = useQuery(usersQuery({ ...query, page }));
  const { data } = list;

  /** Change the filters and return to the first page. */
  const change = (part: UsersQuery, replace = false) =>
    navigate(paths.adminUsers({ ...query, ...part }), { replace, state: { keepScroll: true } });
  const [typed, setTyped] = useDebouncedParam(query.search, (search) => change({ search }, true));

  // The selection belongs to the rows on the page: another page or filter starts empty.
  const [selection, setSelection] = useState<{ at: string; ids: string[] }>({ at: here, ids: [] });
  const listedIds = new Set(data?.users.map(({ _id }) => _id));
  const selectedIds = selection.at === here ? selection.ids.filter((id) => listedIds.has(id)) : [];
  const select = (ids: string[]) => setSelection({ at: here, ids });

  return (
    <Stack gap={5}>
      <PageHeading ref={heading} actions={<RefreshButton list={list} />}>
        {t`Users`}
      </PageHeading>
      <UserFigures totals={data?.totals} role={query.role} status={query.status} />
      <Grid as="search" align="end" className={styles.filters} data-selects="3">
        <SearchInput label={t`Name or email`} value={typed} onChange={setTyped} />
        <Select
          name="role"
          label={t`Role`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'roles' })}
          options={ROLE_KEYS.map((value) => ({ value, label: t(ROLE_LABELS[value]) }))}
          value={query.role ?? ''}
          onChange={(role) => change({ role })}
        />
        <Select
          name="status"
          label={t`Status`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'statuses' })}
          options={STATUS_KEYS.map((value) => ({ value, label: t(ACCOUNT_BADGES[value].label) }))}
          value={query.status ?? ''}
          onChange={(status) => change({ status })}
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
        rows={({ users }) => users}
        failure={t`We couldn’t load the users`}
        empty={
          <EmptyState
            title={t`No users match`}
            action={
              <LinkButton variant="secondary" href={paths.adminUsers()}>
                <Trans>Show all users</Trans>
              </LinkButton>
            }
          />
        }
        href={(page) => paths.adminUsers({ ...query, page })}
        rowHeight={60}
        renderHeader={(range) => (
          <BulkActionBar users={data?.users ?? []} selectedIds={selectedIds} onSelect={select}>
            {range}
          </BulkActionBar>
        )}
      >
        {({ users }) => (
          <UserTable
            users={users}
            selectedIds={selectedIds}
            onSelect={select}
            onDeleted={() => heading.current?.focus()}
          />
        )}
      </PaginatedList>
    </Stack>
  );
}

interface FiguresProps {
  totals: UserTotals | undefined;
  role: string | undefined;
  status: string | undefined;
}

function UserFigures({ totals, role, status }: FiguresProps) {
  const { t } = useLingui();
  const link = (figureRole?: string, figureStatus?: string) => ({
    href: paths.adminUsers({ role: figureRole, status: figureStatus }),
    current: role === figureRole && status === figureStatus,
  });
  return (
    <Totals
      label={t`Totals`}
      figures={[
        { key: 'all', label: t`Total`, value: totals?.all, ...link() },
        { key: 'patients', label: t`Patients`, value: totals?.patients, ...link('patient') },
        { key: 'doctors', label: t`Doctors`, value: totals?.doctors, ...link('doctor') },
        { key: 'admins', label: t`Admins`, value: totals?.admins, ...link('admin') },
        {
          key: 'active',
          label: t(ACCOUNT_BADGES.active.label),
          value: totals?.active,
          ...link(undefined, 'active'),
        },
        {
          key: 'inactive',
          label: t(ACCOUNT_BADGES.inactive.label),
          value: totals?.inactive,
          ...link(undefined, 'inactive'),
        },
      ]}
    />
  );
}
