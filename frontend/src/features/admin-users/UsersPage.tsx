import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { UserTotals } from '@/api/types';
import { usersQuery } from '@/api/users';
import { rememberListPath } from '@/domain/BackLink';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { paths, type UsersQuery } from '@/lib/paths';
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

const ROLE_OPTIONS = [
  { value: 'patient', label: 'Patient' },
  { value: 'doctor', label: 'Doctor' },
  { value: 'admin', label: 'Admin' },
];
const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];
const ORDER_OPTIONS = [
  { value: '', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
];
const ROLE_KEYS = ['patient', 'doctor', 'admin'] as const;
const STATUS_KEYS = ['active', 'inactive'] as const;
const ORDER_KEYS = ['createdAt', 'name', '-name'] as const;

/** All user accounts. */
export default function UsersPage() {
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
          options={ROLE_OPTIONS}
          value={query.role ?? ''}
          onChange={(role) => change({ role })}
        />
        <Select
          name="status"
          label="Status"
          optional="unmarked"
          placeholder="All"
          options={STATUS_OPTIONS}
          value={query.status ?? ''}
          onChange={(status) => change({ status })}
        />
        <Select
          name="ordering"
          label="Order"
          optional="unmarked"
          options={ORDER_OPTIONS}
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
  const link = (figureRole?: string, figureStatus?: string) => ({
    href: paths.adminUsers({ role: figureRole, status: figureStatus }),
    current: role === figureRole && status === figureStatus,
  });
  return (
    <Totals
      label="Totals"
      figures={[
        { key: 'all', label: 'Total', value: totals?.all, ...link() },
        { key: 'patients', label: 'Patients', value: totals?.patients, ...link('patient') },
        { key: 'doctors', label: 'Doctors', value: totals?.doctors, ...link('doctor') },
        { key: 'admins', label: 'Admins', value: totals?.admins, ...link('admin') },
        { key: 'active', label: 'Active', value: totals?.active, ...link(undefined, 'active') },
        {
          key: 'inactive',
          label: 'Inactive',
          value: totals?.inactive,
          ...link(undefined, 'inactive'),
        },
      ]}
    />
  );
}
