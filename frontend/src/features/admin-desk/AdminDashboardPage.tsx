import { useSearchParams } from 'react-router-dom';
import { useUser } from '@/domain/session/session';
import { Visits } from '@/domain/visit/Visits';
import { choiceOf, pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import styles from './AdminDashboardPage.module.css';
import { VisitRow } from './VisitRow';

const FILTERS = ['all', 'pending', 'confirmed', 'completed', 'cancelled'] as const;

const LABELS: Record<(typeof FILTERS)[number], string> = {
  all: 'All',
  pending: 'Pending',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export default function AdminDashboardPage() {
  const { name } = useUser();
  const [params] = useSearchParams();
  const filter = choiceOf(params, 'status', FILTERS, 'all');
  const status = filter === 'all' ? undefined : filter;
  return (
    <div className={styles.page}>
      <PageHeading title="Dashboard">Welcome, {name}</PageHeading>
      <section className="stack" aria-labelledby="appointments">
        <h2 id="appointments">Appointments</h2>
        <Tabs
          label="Filter by status"
          current={filter}
          tabs={FILTERS.map((key) => ({
            key,
            label: LABELS[key],
            href: paths.adminAppointments({ status: key === 'all' ? undefined : key }),
          }))}
        />
        <Visits
          query={{ status, page: pageOf(params) }}
          href={(page) => paths.adminAppointments({ status, page })}
          rowHeight={60}
          rows={6}
          empty={
            status ? (
              <EmptyState
                title={`No ${status} appointments`}
                action={
                  <LinkButton variant="secondary" href={paths.adminAppointments()}>
                    Show all
                  </LinkButton>
                }
              />
            ) : (
              <EmptyState title="No appointments yet">
                Every appointment on Wellhour appears here.
              </EmptyState>
            )
          }
        >
          {(visits) => (
            <ul className={styles.rows}>
              {visits.map((visit) => (
                <VisitRow key={visit._id} visit={visit} />
              ))}
            </ul>
          )}
        </Visits>
      </section>
    </div>
  );
}
