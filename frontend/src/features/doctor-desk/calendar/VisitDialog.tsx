import { useQuery } from '@tanstack/react-query';
import { appointmentQuery } from '@/api/queries';
import type { CalendarVisit } from '@/api/types';
import { PatientAsks } from '@/domain/visit/doctor/PatientAsks';
import { VisitActs } from '@/domain/visit/doctor/VisitActs';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import styles from './calendar.module.css';

interface Props {
  visit: CalendarVisit;
  zone: string;
  onClose: () => void;
}

/** One visit of the calendar: when, why, and what to do about it. */
export function VisitDialog({ visit: { _id, ...known }, zone, onClose }: Props) {
  const { data: visit, isLoadingError, isFetching, refetch } = useQuery(appointmentQuery(_id));
  return (
    <Dialog
      title={known.patient.name}
      onClose={onClose}
      actions={<LinkButton href={paths.doctorAppointment(_id)}>Open visit</LinkButton>}
    >
      <VisitWhen visit={{ ...known, timeZone: zone }} />
      {visit ? (
        <>
          <VisitStatus visit={visit} reader="doctor" />
          {visit.outsideHours && <p className={styles.outside}>Outside your hours</p>}
          <p className={visit.symptoms ? styles.reason : 'muted'}>
            {visit.symptoms || 'No reason given'}
          </p>
          <PatientAsks visit={visit} heading="h3" onDone={onClose} />
          <VisitActs visit={visit} onDone={onClose} />
          <p>
            <Link href={paths.doctorPatient(known.patient._id)}>
              Earlier visits of {known.patient.name}
            </Link>
          </p>
        </>
      ) : isLoadingError ? (
        <ErrorState
          title="We could not load this visit"
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={36} />
        </Skeletons>
      )}
    </Dialog>
  );
}
