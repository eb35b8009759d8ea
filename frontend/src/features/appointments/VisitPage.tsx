import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { useParams } from 'react-router-dom';
import { configQuery } from '@/api/queries';
import type { Appointment, AppointmentDetail } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { AddToCalendar } from '@/domain/visit/AddToCalendar';
import { ProposalPanel } from '@/domain/visit/ProposalPanel';
import { isExpired, isUpcoming } from '@/domain/visit/sentence';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { addressLine, telHref } from '@/lib/contact';
import { formatInstant } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { PhoneIcon, PlaceIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { CancelButton } from './CancelButton';
import { CannotCome } from './CannotCome';
import { History } from './History';
import { Instead } from './Instead';
import { OneVisit } from './OneVisit';
import styles from './VisitPage.module.css';

/** Most visits that are looked at are still ahead and have none. */
const VisitRecord = lazy(() => import('./VisitRecord'));

export default function VisitPage() {
  const { id = '' } = useParams();
  return (
    <OneVisit
      id={id}
      back={{ href: paths.patientAppointments(), label: 'My appointments' }}
      title="Your visit"
    >
      {(detail) => <Visit detail={detail} />}
    </OneVisit>
  );
}

function Visit({ detail }: { detail: AppointmentDetail }) {
  const { appointment: visit, history, alternatives } = detail;
  const status = useRef<HTMLDivElement>(null);
  const { doctor, hospital } = visit;
  const { phone } = hospital;
  const place = addressLine(hospital.address);
  const upcoming = isUpcoming(visit);
  const expired = isExpired(visit);
  const recorded = visit.status === 'completed' || visit.record.version > 0;
  const onScreen = recorded ? 'no' : undefined;
  const toStatus = () => status.current?.focus();
  return (
    <>
      {/* On paper the record stands alone. */}
      <div className={styles.head} data-print={onScreen}>
        <Face name={doctor.name} src={doctor.profilePicture} size={72} />
        <PageHeading lead={doctor.specialization}>
          {`Visit with ${doctorName(doctor.name)}`}
        </PageHeading>
      </div>

      {visit.proposal && (
        <ProposalPanel
          visit={visit}
          proposal={visit.proposal}
          reader="patient"
          onAnswered={toStatus}
        />
      )}
      {visit.cancelRequest && (
        <Banner tone="info" title="You said that you cannot come">
          {doctorName(doctor.name)} is asked to cancel this visit. Until that is done it stands
          {phone ? '. If it is soon, please also call the clinic.' : '.'}
        </Banner>
      )}

      <Card className={styles.main} data-print={onScreen}>
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
                  Running late, or ill on the day? Please call the clinic as early as you can.
                </span>
              )}
            </p>
          </div>
        )}
      </Card>

      {expired && <Instead visit={visit} times={alternatives} />}

      <Acts visit={visit} onDone={toStatus} />

      {recorded && (
        <Suspense fallback={<RecordWaiting />}>
          <VisitRecord visit={visit} />
        </Suspense>
      )}

      <Card as="section" className={styles.details} aria-label="Details" data-print={onScreen}>
        <dl className={styles.facts}>
          <Fact name="Symptoms">{visit.symptoms || <None>You named no symptoms.</None>}</Fact>
          <Fact name="Your notes">{visit.notes.patient || <None>You added no notes.</None>}</Fact>
          <Fact name="Fee">
            {formatMoney(visit.consultationFee, visit.currency)}{' '}
            <span className="muted">Nothing is paid on this site.</span>
          </Fact>
          <Fact name="Booked on">{formatInstant(visit.createdAt)}</Fact>
        </dl>
      </Card>

      <div data-print={onScreen}>
        <History changes={history} doctor={doctor.name} />
      </div>
    </>
  );
}

function RecordWaiting() {
  return (
    <Skeletons count={1}>
      <Skeleton height={320} />
    </Skeletons>
  );
}

/** What the patient may do now. */
function Acts({ visit, onDone }: { visit: Appointment; onDone: () => void }) {
  const { data: config } = useQuery(configQuery);
  const cancellable = appointmentCan.patientCancel(visit, config?.policies);
  const move = paths.moveAppointment(visit._id);
  return (
    <div className={styles.acts} data-print="no">
      {!isUpcoming(visit) && !isExpired(visit) && visit.followUpDays === null && (
        <LinkButton href={paths.doctor(visit.doctor._id)}>Book again with this doctor</LinkButton>
      )}
      {isUpcoming(visit) && <AddToCalendar id={visit._id} />}
      {appointmentCan.patientMove(visit) && (
        <LinkButton variant="secondary" href={move}>
          Move to another time
        </LinkButton>
      )}
      {appointmentCan.patientPropose(visit) && (
        <LinkButton variant="secondary" href={move}>
          Propose another time
        </LinkButton>
      )}
      {cancellable && isUpcoming(visit) ? (
        <CancelButton visit={visit} onCancelled={onDone} />
      ) : (
        appointmentCan.patientAskToCancel(visit) && <CannotCome visit={visit} onSent={onDone} />
      )}
    </div>
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
