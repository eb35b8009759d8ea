import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { appointmentQuery, appointmentsQuery } from '@/api/queries';
import type { AppointmentStatus } from '@/api/types';
import { CalendarArt } from '@/domain/visit/CalendarArt';
import { ProposalsToAnswer, useVisitsAhead } from '@/domain/visit/ProposalsToAnswer';
import { Visits } from '@/domain/visit/Visits';
import { choiceOf, pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import styles from './AppointmentsPage.module.css';
import { BookedPanel } from './BookedPanel';
import { StatusFilter } from './StatusFilter';
import { VisitCard } from './VisitCard';

const SCOPES = ['upcoming', 'past'] as const;
type Scope = (typeof SCOPES)[number];

/**
 * What a visit can be before and after its time. One that is over and still "confirmed" is one that
 * the doctor has not closed yet; a request that nobody answered in time is cancelled.
 */
const STATUSES: Record<Scope, readonly AppointmentStatus[]> = {
  upcoming: ['pending', 'confirmed'],
  past: ['completed', 'cancelled', 'confirmed'],
};

const PAGE_SIZE = 10;
const ROW_HEIGHT = 320;

export default function AppointmentsPage() {
  const [params] = useSearchParams();
  const scope = choiceOf(params, 'scope', SCOPES, 'upcoming');
  const status = choiceOf(params, 'status', STATUSES[scope], undefined);
  const booked = params.get('booked');
  const query = { scope, status, page: pageOf(params), pageSize: PAGE_SIZE };
  // What stands above the list comes first, lest the list jump; both are asked for at once.
  usePrefetchQuery(appointmentsQuery(query));
  const { ahead, waiting } = useVisitsAhead();
  const news = useQuery({ ...appointmentQuery(booked ?? ''), enabled: booked !== null });
  const newsAwaited = news.isLoading && news.errorUpdateCount === 0;
  const address = (query: { status?: string; page?: number }) =>
    paths.patientAppointments({ scope: scope === 'past' ? scope : undefined, ...query });

  return (
    <div className={styles.page}>
      <PageHeading actions={<LinkButton href={paths.findDoctors()}>Book a visit</LinkButton>}>
        My appointments
      </PageHeading>
      {waiting || newsAwaited ? (
        <Skeletons>
          <Skeleton height={ROW_HEIGHT} />
        </Skeletons>
      ) : (
        <>
          {news.data && <BookedPanel visit={news.data} />}
          <ProposalsToAnswer ahead={ahead} />
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
            query={query}
            href={(page) => address({ status, page })}
            rowHeight={ROW_HEIGHT}
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
        </>
      )}
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
