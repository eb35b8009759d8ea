import { useSearchParams } from 'react-router-dom';
import { Visits } from '@/domain/visit/Visits';
import { choiceOf, pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import { Attention, others, useAttention } from './Attention';
import styles from './desk.module.css';
import { VisitCard } from './VisitCard';

const FILTERS = ['all', 'pending', 'confirmed', 'completed', 'cancelled'] as const;
type Filter = (typeof FILTERS)[number];

const LABELS: Record<Filter, string> = {
  all: 'All',
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

const PAGE_SIZE = 20;

export default function DoctorAppointmentsPage() {
  const [params] = useSearchParams();
  const filter = choiceOf(params, 'status', FILTERS, 'all');
  const status = filter === 'all' ? undefined : filter;
  // What is still to be dealt with comes soonest first, what is over newest first.
  const live = filter === 'pending' || filter === 'confirmed';
  // What patients ask stands first, on the page that one opens and where confirmed visits are.
  const first = (filter === 'all' || filter === 'confirmed') && pageOf(params) === 1;
  const attention = useAttention();
  const asking = first ? attention : [];
  return (
    <div className={styles.page}>
      <PageHeading>Appointments</PageHeading>
      <Tabs
        label="Filter by status"
        current={filter}
        tabs={FILTERS.map((key) => ({
          key,
          label: LABELS[key],
          href: paths.doctorAppointments({ status: key === 'all' ? undefined : key }),
        }))}
      />
      <Attention visits={asking} />
      <Visits
        query={{
          status,
          ordering: live ? 'startsAt' : '-startsAt',
          page: pageOf(params),
          pageSize: PAGE_SIZE,
        }}
        href={(page) => paths.doctorAppointments({ status, page })}
        rowHeight={220}
        empty={
          status ? (
            <EmptyState
              title={`No ${status} appointments`}
              action={
                <LinkButton variant="secondary" href={paths.doctorAppointments()}>
                  Show all
                </LinkButton>
              }
            />
          ) : (
            <EmptyState title="No appointments yet">
              When a patient books one of your free times, it appears here.
            </EmptyState>
          )
        }
      >
        {(visits) => (
          <ul className={styles.list} data-wide="">
            {others(visits, asking).map((visit) => (
              <VisitCard key={visit._id} visit={visit} heading="h2" />
            ))}
          </ul>
        )}
      </Visits>
    </div>
  );
}
