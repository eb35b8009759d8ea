import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { AppointmentsQuery } from '@/api/calls';
import { appointmentsQuery } from '@/api/queries';
import { Visits } from '@/domain/visit/Visits';
import { formatDay } from '@/lib/dates';
import { type DeskQuery, paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Chips } from '@/ui/Chips';
import { SearchInput } from '@/ui/SearchInput';
import { EmptyState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import { useTyped } from '@/ui/useTyped';
import { Asking, useAsking } from './Asking';
import styles from './desk.module.css';
import { FILTERS, type ReadQuery } from './query';
import { VisitCard } from './VisitCard';

type Filter = (typeof FILTERS)[number];

const LABELS: Record<Filter, string> = {
  all: 'All',
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

const PAGE_SIZE = 20;

const number = new Intl.NumberFormat('en-GB');

/** The list with its filters, counts and search. */
export function VisitList({ query }: { query: ReadQuery }) {
  const navigate = useNavigate();
  const { view: _, status, search, date, scope, attended, waiting, page } = query;
  const narrowing: DeskQuery = { search, date, scope, attended, waiting };
  const href = (change: DeskQuery) => paths.doctorAppointments({ status, ...narrowing, ...change });
  const [typed, setTyped] = useTyped(search, (text) =>
    navigate(href({ search: text, page: undefined }), {
      replace: true,
      state: { keepScroll: true },
    }),
  );

  // What is still to be dealt with comes soonest first, what is over newest first, and of all the nearest.
  const live = waiting || status === 'pending' || (status === 'confirmed' && scope !== 'past');
  const asked: AppointmentsQuery = {
    status,
    search,
    scope,
    ...(date && { from: date, to: date }),
    ...(waiting && { waiting: true }),
    ...(attended && { attended: attended === 'true' }),
    counts: true,
    ordering: live || date ? 'startsAt' : status || scope || attended ? '-startsAt' : 'nearest',
    page,
    pageSize: PAGE_SIZE,
  };
  const { data } = useQuery(appointmentsQuery(asked));

  // What patients ask stands first, on the page that one opens and where confirmed visits are.
  const narrowed = Object.values(narrowing).some(Boolean);
  const asking = useAsking();
  const above = !narrowed && (!status || status === 'confirmed') && page === 1 ? asking : [];

  const chips = (
    [
      ['date', date && formatDay(date)],
      ['scope', scope && (scope === 'past' ? 'Over' : 'Ahead')],
      ['attended', attended && (attended === 'true' ? 'The patient came' : 'Did not come')],
      ['waiting', waiting && 'Waiting for your answer'],
      ['search', search && `“${search}”`],
    ] as const
  ).flatMap(([key, label]) => (label ? [{ key, label, href: href({ [key]: undefined }) }] : []));

  return (
    <>
      <div className={styles.filters}>
        <Tabs
          label="Filter by status"
          current={status ?? 'all'}
          tabs={FILTERS.map((key) => ({
            key,
            label: LABELS[key],
            href: paths.doctorAppointments({
              ...narrowing,
              status: key === 'all' ? undefined : key,
            }),
            count: data?.counts && number.format(data.counts[key]),
          }))}
        />
        <search className={styles.search}>
          <SearchInput
            label="Patient’s name or e-mail"
            data-shortcut="search"
            value={typed}
            onChange={setTyped}
          />
        </search>
      </div>
      <Chips chips={chips} clearHref={paths.doctorAppointments({ status })} />
      <Asking visits={above} />
      <Visits
        query={asked}
        href={(wanted) => href({ page: wanted })}
        rowHeight={220}
        empty={<Nothing status={status} narrowed={narrowed} />}
      >
        {(visits) => (
          <ul className={styles.list} data-wide="">
            {visits
              .filter(({ _id }) => !above?.some((each) => each._id === _id))
              .map((visit) => (
                <VisitCard key={visit._id} visit={visit} heading="h2" />
              ))}
          </ul>
        )}
      </Visits>
    </>
  );
}

function Nothing({ status, narrowed }: { status: string | undefined; narrowed: boolean }) {
  if (!status && !narrowed) {
    return (
      <EmptyState title="No appointments yet">
        When a patient books one of your free times, it appears here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={
        narrowed
          ? `No ${status ? `${status} ` : ''}appointments match`
          : `No ${status} appointments`
      }
      action={
        <LinkButton variant="secondary" href={paths.doctorAppointments()}>
          Show all
        </LinkButton>
      }
    />
  );
}
