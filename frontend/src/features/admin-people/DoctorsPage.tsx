import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { staffDoctorsQuery } from '@/api/people';
import type { StaffDoctorTotals } from '@/api/types';
import { rememberList } from '@/domain/BackLink';
import { rangeOf } from '@/lib/counts';
import { SPECIALIZATIONS } from '@/lib/options';
import { choiceOf, pageOf } from '@/lib/paging';
import { paths, type StaffDoctorsQuery } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Select } from '@/ui/inputs';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { SearchInput } from '@/ui/SearchInput';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/states';
import { useTyped } from '@/ui/useTyped';
import { APPROVALS } from './badges';
import { DoctorCard } from './DoctorCard';
import styles from './people.module.css';
import { Totals } from './Totals';

/** Fills rows of two and of three. */
const PAGE_SIZE = 24;

const STATUS_KEYS = ['pending', 'approved', 'rejected', 'revoked'] as const;
const STATUSES = STATUS_KEYS.map((value) => ({ value, label: APPROVALS[value].label }));
const ORDERS = [
  { value: '', label: 'Longest waiting' },
  { value: '-createdAt', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
];
const ORDER_KEYS = ['-createdAt', 'createdAt', 'name'] as const;

/** Every doctor, with where the verification stands. */
export default function DoctorsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const query = {
    search: params.get('search')?.trim() || undefined,
    status: choiceOf(params, 'status', STATUS_KEYS, undefined),
    specialization: choiceOf(params, 'specialization', SPECIALIZATIONS, undefined),
    ordering: choiceOf(params, 'ordering', ORDER_KEYS, undefined),
  };
  const page = pageOf(params);
  const here = paths.adminDoctors({ ...query, page: page > 1 ? page : undefined });
  useEffect(() => rememberList(here), [here]);
  const list = useQuery(staffDoctorsQuery({ ...query, page, pageSize: PAGE_SIZE }));
  const { data } = list;

  /** Another question starts at its first page. */
  const change = (part: StaffDoctorsQuery, replace = false) =>
    navigate(paths.adminDoctors({ ...query, ...part }), { replace, state: { keepScroll: true } });
  const [typed, setTyped] = useTyped(query.search, (search) => change({ search }, true));

  return (
    <div className={styles.page}>
      <PageHeading
        ref={heading}
        actions={
          <Button
            variant="secondary"
            busy={list.isFetching && !list.isLoading}
            busyLabel="Refreshing..."
            onClick={() => list.refetch()}
          >
            Refresh
          </Button>
        }
      >
        Doctors
      </PageHeading>
      <DoctorFigures totals={data?.totals} status={query.status} />
      <search className={styles.filters} data-selects="3">
        <SearchInput label="Name, specialization or e-mail" value={typed} onChange={setTyped} />
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
          name="specialization"
          label="Specialization"
          optional="unmarked"
          placeholder="All"
          options={SPECIALIZATIONS}
          value={query.specialization ?? ''}
          onChange={(specialization) => change({ specialization })}
        />
        <Select
          name="ordering"
          label="Order"
          optional="unmarked"
          options={ORDERS}
          value={query.ordering ?? ''}
          onChange={(ordering) => change({ ordering })}
        />
      </search>
      {list.isLoadingError ? (
        <ErrorState
          title="Failed to fetch doctors"
          onRetry={() => list.refetch()}
          busy={list.isFetching}
        />
      ) : !data ? (
        <Skeletons count={1}>
          <div className={styles.cards}>
            {[0, 1, 2, 3, 4, 5].map((key) => (
              <Skeleton key={key} height={268} />
            ))}
          </div>
        </Skeletons>
      ) : data.doctors.length === 0 ? (
        <EmptyState
          title={page > 1 ? 'This page is empty' : 'No doctor matches'}
          action={
            <LinkButton variant="secondary" href={paths.adminDoctors()}>
              Show all doctors
            </LinkButton>
          }
        />
      ) : (
        <section
          className="stack"
          aria-label="Doctors"
          data-stale={list.isPlaceholderData || undefined}
        >
          <p className="muted">{rangeOf(data.pagination, data.doctors.length)}</p>
          <ul className={styles.cards}>
            {data.doctors.map((doctor) => (
              <DoctorCard
                key={doctor._id}
                doctor={doctor}
                onDeleted={() => heading.current?.focus()}
              />
            ))}
          </ul>
          <Pagination
            page={data.pagination.page}
            hasNext={data.pagination.hasNext}
            href={(wanted) => paths.adminDoctors({ ...query, page: wanted })}
          />
        </section>
      )}
    </div>
  );
}

interface FiguresProps {
  totals: StaffDoctorTotals | undefined;
  status: string | undefined;
}

function DoctorFigures({ totals, status }: FiguresProps) {
  const at = (wanted?: string) => ({
    href: paths.adminDoctors({ status: wanted }),
    current: status === wanted,
  });
  return (
    <Totals
      label="Totals"
      figures={[
        { key: 'all', label: 'Total', value: totals?.all, ...at() },
        ...STATUS_KEYS.map((key) => ({
          key,
          label: APPROVALS[key].label,
          value: totals?.[key],
          ...at(key),
        })),
        {
          key: 'specializations',
          label: 'Specializations',
          value: totals?.specializations,
          // How many doctors each of them has stands there.
          href: paths.adminAnalytics(),
        },
      ]}
    />
  );
}
