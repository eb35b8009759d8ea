import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { appointmentQuery, configQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { isUpcoming } from '@/domain/visit/sentence';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { addressLine, telHref } from '@/lib/contact';
import { formatInstant } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { ChevronLeftIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/states';
import { CancelButton } from './CancelButton';
import styles from './VisitPage.module.css';

export default function VisitPage() {
  const { id = '' } = useParams();
  const { data: visit, error, refetch } = useQuery(appointmentQuery(id));
  return (
    <div className={styles.page}>
      <Link href={paths.patientAppointments()} className={styles.back} data-print="no">
        <ChevronLeftIcon size={20} />
        My appointments
      </Link>
      {visit ? (
        <Visit visit={visit} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Missing />
      ) : error ? (
        <>
          <PageHeading>Your visit</PageHeading>
          <ErrorState title="Failed to fetch appointments" onRetry={() => refetch()} />
        </>
      ) : (
        <Skeletons count={2}>
          <Skeleton height={180} />
        </Skeletons>
      )}
    </div>
  );
}

function Missing() {
  return (
    <>
      <PageHeading>Visit not found</PageHeading>
      <EmptyState
        title="There is no such visit among yours"
        action={<LinkButton href={paths.patientAppointments()}>See my appointments</LinkButton>}
      >
        The link may be incomplete, or it belongs to another account.
      </EmptyState>
    </>
  );
}

function Visit({ visit }: { visit: Appointment }) {
  const { data: config } = useQuery(configQuery);
  const status = useRef<HTMLDivElement>(null);
  const { doctor, hospital } = visit;
  const { phone } = hospital;
  const place = addressLine(hospital.address);
  const cancellable = appointmentCan.patientCancel(visit, config?.policies);
  const upcoming = isUpcoming(visit);
  return (
    <>
      <div className={styles.head}>
        <Face name={doctor.name} src={doctor.profilePicture} size={72} />
        <PageHeading lead={doctor.specialization}>
          {`Visit with ${doctorName(doctor.name)}`}
        </PageHeading>
      </div>

      <Card className={styles.main}>
        <div ref={status} tabIndex={-1} className={styles.status}>
          <VisitStatus visit={visit} reader="patient" />
        </div>
        <VisitWhen visit={visit} large />
        {(hospital.name || place) && (
          <div className={styles.line}>
            <PlaceIcon />
            <p>
              {hospital.name}
              {place && <span className={styles.place}>{place}</span>}
            </p>
          </div>
        )}
        {phone && (
          <div className={styles.line}>
            <PhoneIcon />
            <p>
              <a href={telHref(phone)} className={styles.phone}>
                {phone}
              </a>
              {upcoming && visit.status === 'confirmed' && (
                <span className={styles.place}>
                  Cannot come, or running late? Please call the clinic as early as you can.
                </span>
              )}
            </p>
          </div>
        )}
      </Card>

      <Card as="section" className={styles.details} aria-label="Details">
        <dl className={styles.facts}>
          <Fact name="Symptoms">{visit.symptoms || <None>You named no symptoms.</None>}</Fact>
          <Fact name="Your notes">{visit.notes.patient || <None>You added no notes.</None>}</Fact>
          {visit.diagnosis && <Fact name="Diagnosis">{visit.diagnosis}</Fact>}
          {visit.prescription.notes && <Fact name="Prescription">{visit.prescription.notes}</Fact>}
          {visit.notes.doctor && <Fact name="Doctor’s notes">{visit.notes.doctor}</Fact>}
          <Fact name="Fee">
            {formatMoney(visit.consultationFee, visit.currency)}{' '}
            <span className="muted">Nothing is paid on this site.</span>
          </Fact>
          <Fact name="Booked on">{formatInstant(visit.createdAt)}</Fact>
        </dl>
      </Card>

      <div className="row" data-print="no">
        {!upcoming && (
          <LinkButton href={paths.doctor(doctor._id)}>Book again with this doctor</LinkButton>
        )}
        {cancellable && <CancelButton visit={visit} onCancelled={() => status.current?.focus()} />}
      </div>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function None({ children }: { children: ReactNode }) {
  return <span className="muted">{children}</span>;
}
