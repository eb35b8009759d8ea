import { useSearchParams } from 'react-router-dom';
import type { AppointmentStatus } from '@/api/types';
import { CalendarArt } from '@/domain/visit/CalendarArt';
import { ProposalsToAnswer } from '@/domain/visit/ProposalsToAnswer';
import { Visits } from '@/domain/visit/Visits';
import { choiceOf, pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import styles from './AppointmentsPage.module.css';
import { BookedPanel } from './BookedPanel';
import { StatusFilter } from './StatusFilter';
import { VisitCard } from './VisitCard';

const SCOPES = ['upcoming', 'past'] as const;
type Scope = (typeof SCOPES)[number];

/** A time that has passed may leave a visit in any status; one that is ahead only in these two. */
const STATUSES: Record<Scope, readonly AppointmentStatus[]> = {
  upcoming: ['pending', 'confirmed'],
  past: ['completed', 'cancelled', 'confirmed'],
};

const PAGE_SIZE = 10;

export default function AppointmentsPage() {
  const [params] = useSearchParams();
  const scope = choiceOf(params, 'scope', SCOPES, 'upcoming');
  const status = choiceOf(params, 'status', STATUSES[scope], undefined);
  const booked = params.get('booked');
  const address = (query: { status?: string; page?: number }) =>
    paths.patientAppointments({ scope: scope === 'past' ? scope : undefined, ...query });

  return (
    <div className={styles.page}>
      <PageHeading actions={<LinkButton href={paths.findDoctors()}>Book a visit</LinkButton>}>
        My appointments
      </PageHeading>
      {booked && <BookedPanel id={booked} />}
      <ProposalsToAnswer />
      <div className={styles.filters}>
        <Tabs
          label="Which appointments"
          current={scope}
          tabs={[
            { key: 'upcoming', label: 'Upcoming', href: paths.patientAppointments() },
            { key: 'past', label: 'Past', href: paths.patientAppointments({ scope: 'past' }) },
          ]}
        />
        <StatusFilter statuses={STATUSES[scope]} current={status} address={address} />
      </div>
      <Visits
        query={{ scope, status, page: pageOf(params), pageSize: PAGE_SIZE }}
        href={(page) => address({ status, page })}
        rowHeight={320}
        empty={<Nothing scope={scope} status={status} />}
      >
        {(visits) => (
          <ul className={styles.list}>
            {visits.map((visit) => (
              <VisitCard key={visit._id} visit={visit} />
            ))}
          </ul>
        )}
      </Visits>
    </div>
  );
}

function Nothing({ scope, status }: { scope: Scope; status: string | undefined }) {
  if (status) {
    return (
      <EmptyState
        title={`No ${status} appointments`}
        action={
          <LinkButton
            variant="secondary"
            href={paths.patientAppointments({ scope: scope === 'past' ? scope : undefined })}
          >
            Show any status
          </LinkButton>
        }
      />
    );
  }
  if (scope === 'past') {
    return (
      <EmptyState title="No past appointments">Visits move here once they are over.</EmptyState>
    );
  }
  return (
    <EmptyState
      art={<CalendarArt />}
      title="No upcoming appointments"
      action={<LinkButton href={paths.findDoctors()}>Find a doctor</LinkButton>}
    >
      Choose a doctor and a free time; the visit then stands here.
    </EmptyState>
  );
}
