import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { UserTotals } from '@/api/types';
import { usersQuery } from '@/api/users';
import { rememberListPath } from '@/domain/BackLink';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { paths, type UsersQuery } from '@/lib/paths';
import { choiceOf, pageOf } from '@/lib/searchParams';
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

const ROLES = [
  { value: 'patient', label: 'Patient' },
  { value: 'doctor', label: 'Doctor' },
  { value: 'admin', label: 'Admin' },
];
const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];
const ORDERS = [
  { value: '', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
];
const ROLE_KEYS = ['patient', 'doctor', 'admin'] as const;
const STATUS_KEYS = ['active', 'inactive'] as const;
const ORDER_KEYS = ['createdAt', 'name', '-name'] as const;

/** Everybody who has an account. */
export default function UsersPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const query = {
    search: params.get('search')?.trim() || undefined,
    role: choiceOf(params, 'role', ROLE_KEYS, undefined),
    status: choiceOf(params, 'status', STATUS_KEYS, undefined),
    ordering: choiceOf(params, 'ordering', ORDER_KEYS, undefined),
  };
  const page = pageOf(params);
  const here = paths.adminUsers({ ...query, page: page > 1 ? page : undefined });
  useEffect(() => rememberListPath(here), [here]);
  const list = useQuery(usersQuery({ ...query, page }));
  const { data } = list;

  /** Another question starts at its first page. */
  const change = (part: UsersQuery, replace = false) =>
    navigate(paths.adminUsers({ ...query, ...part }), { replace, state: { keepScroll: true } });
  const [typed, setTyped] = useDebouncedParam(query.search, (search) => change({ search }, true));

  // Who is chosen belongs to the rows on the screen: another page or filter begins with nobody.
  const [choice, setChoice] = useState<{ at: string; ids: string[] }>({ at: here, ids: [] });
  const shown = new Set(data?.users.map(({ _id }) => _id));
  const chosen = choice.at === here ? choice.ids.filter((id) => shown.has(id)) : [];
  const choose = (ids: string[]) => setChoice({ at: here, ids });

  return (
    <Stack gap={5}>
      <PageHeading ref={heading} actions={<RefreshButton list={list} />}>
        Users
      </PageHeading>
      <UserFigures totals={data?.totals} role={query.role} status={query.status} />
      <Grid as="search" align="end" className={styles.filters} data-selects="3">
        <SearchInput label="Name or email" value={typed} onChange={setTyped} />
        <Select
          name="role"
          label="Role"
          optional="unmarked"
          placeholder="All"
          options={ROLES}
          value={query.role ?? ''}
          onChange={(role) => change({ role })}
        />
        <Select
          name="status"
          label="Status"
          optional="unmarked"
          placeholder="All"
          options={STATUSES}
          value={query.status ?? ''}
          onChange={(status) => change({ status })}
        />
        <Select
          name="ordering"
          label="Order"
          optional="unmarked"
          options={ORDERS}
          value={query.ordering ?? ''}
          onChange={(ordering) => change({ ordering })}
        />
      </Grid>
      <PaginatedList
        list={list}
        rows={({ users }) => users}
        failure="Failed to fetch users"
        empty={
          <EmptyState
            title="No user matches"
            action={
              <LinkButton variant="secondary" href={paths.adminUsers()}>
                Show all users
              </LinkButton>
            }
          />
        }
        href={(wanted) => paths.adminUsers({ ...query, page: wanted })}
        rowHeight={60}
        renderHeader={(range) => (
          <BulkActionBar users={data?.users ?? []} chosen={chosen} onChoose={choose}>
            {range}
          </BulkActionBar>
        )}
      >
        {({ users }) => (
          <UserTable
            users={users}
            chosen={chosen}
            onChoose={choose}
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
  const at = (wantedRole?: string, wantedStatus?: string) => ({
    href: paths.adminUsers({ role: wantedRole, status: wantedStatus }),
    current: role === wantedRole && status === wantedStatus,
  });
  return (
    <Totals
      label="Totals"
      figures={[
        { key: 'all', label: 'Total', value: totals?.all, ...at() },
        { key: 'patients', label: 'Patients', value: totals?.patients, ...at('patient') },
        { key: 'doctors', label: 'Doctors', value: totals?.doctors, ...at('doctor') },
        { key: 'admins', label: 'Admins', value: totals?.admins, ...at('admin') },
        { key: 'active', label: 'Active', value: totals?.active, ...at(undefined, 'active') },
        {
          key: 'inactive',
          label: 'Inactive',
          value: totals?.inactive,
          ...at(undefined, 'inactive'),
        },
      ]}
    />
  );
}
