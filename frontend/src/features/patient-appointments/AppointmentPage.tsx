import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { useParams } from 'react-router-dom';
import type { Appointment, AppointmentDetail } from '@/api/types';
import { AddToCalendar } from '@/domain/appointment/AddToCalendar';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { ProposalPanel } from '@/domain/appointment/ProposalPanel';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { isExpired, isUpcoming } from '@/domain/appointment/statusText';
import { addressLine, telHref } from '@/lib/contact';
import { formatInstant } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { PhoneIcon, PlaceIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { AppointmentLoader } from './AppointmentLoader';
import styles from './AppointmentPage.module.css';
import { CancelButton } from './CancelButton';
import { ClinicPhone } from './ClinicPhone';
import { RequestCancellation, RequestCancellationHint } from './RequestCancellation';
import { TimeChangeHistory } from './TimeChangeHistory';
import { WithdrawCancellation } from './WithdrawCancellation';

// Loaded on demand: most viewed appointments are upcoming and have no record.
const AlternativeSlots = lazy(() => import('./AlternativeSlots'));
const AppointmentRecord = lazy(() => import('./AppointmentRecord'));
const AccessLogSection = lazy(() => import('./AccessLogSection'));

export default function AppointmentPage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  return (
    <AppointmentLoader
      id={id}
      back={{ href: paths.patientAppointments(), label: t`My appointments` }}
      title={t`Your appointment`}
    >
      {(detail) => <AppointmentDetails detail={detail} />}
    </AppointmentLoader>
  );
}

function AppointmentDetails({ detail }: { detail: AppointmentDetail }) {
  const { t } = useLingui();
  const { appointment, history, alternatives } = detail;
  const status = useRef<HTMLDivElement>(null);
  const { doctor, hospital } = appointment;
  const { phone } = hospital;
  const name = doctorName(doctor.name);
  const fee = formatMoney(appointment.consultationFee, appointment.currency);
  const place = addressLine(hospital.address);
  const upcoming = isUpcoming(appointment);
  const expired = isExpired(appointment);
  const recorded = appointment.status === 'completed' || appointment.record.version > 0;
  const onScreen = recorded ? 'no' : undefined;
  const toStatus = () => status.current?.focus();
  return (
    <>
      {/* Only the record is printed. */}
      <Inline gap={4} align="start" wrap={false} className={styles.header} data-print={onScreen}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={72} />
        <PageHeading
          lead={specializationLabel(doctor.specialization)}
        >{t`Appointment with ${name}`}</PageHeading>
      </Inline>

      {appointment.proposal && (
        <ProposalPanel
          appointment={appointment}
          proposal={appointment.proposal}
          reader="patient"
          onAnswered={toStatus}
        />
      )}
      <Card gap={4} data-print={onScreen}>
        <div ref={status} tabIndex={-1} className={styles.status}>
          <StatusSummary appointment={appointment} reader="patient" />
          {appointment.cancelRequest && phone && (
            <p>
              <ClinicPhone appointment={appointment} />
            </p>
          )}
        </div>
        <AppointmentTime appointment={appointment} large />
        {(hospital.name || place) && (
          <Inline gap={2} align="start" wrap={false} className={styles.detail}>
            <PlaceIcon />
            <p>
              {hospital.name}
              {place && <span className="block muted">{place}</span>}
            </p>
          </Inline>
        )}
        {phone && (
          <Inline gap={2} align="start" wrap={false} className={styles.detail}>
            <PhoneIcon />
            <p>
              <a href={telHref(phone)} className="nowrap">
                {phone}
              </a>
              {upcoming && appointment.status === 'confirmed' && (
                <span className="block muted">
                  <Trans>Running late or sick on the day? Please call the clinic early.</Trans>
                </span>
              )}
            </p>
          </Inline>
        )}
      </Card>

      {expired && (
        <Suspense fallback={<SectionSkeleton height={220} />}>
          <AlternativeSlots appointment={appointment} times={alternatives} />
        </Suspense>
      )}

      <AppointmentActions appointment={appointment} onDone={toStatus} />

      {recorded && (
        <Suspense fallback={<SectionSkeleton height={320} />}>
          <AppointmentRecord appointment={appointment} />
        </Suspense>
      )}

      <Card as="section" aria-label={t`Details`} data-print={onScreen}>
        <FactList gap={4} className={styles.facts}>
          <Fact name={t`Symptoms`}>
            {appointment.symptoms || <NotGiven>{t`No symptoms added`}</NotGiven>}
          </Fact>
          <Fact name={t`Your notes`}>
            {appointment.notes.patient || <NotGiven>{t`No notes added`}</NotGiven>}
          </Fact>
          <Fact name={t`Fee`}>
            {fee}{' '}
            <span className="muted">
              <Trans>You’ll pay at the clinic.</Trans>
            </span>
          </Fact>
          <Fact
            name={
              appointment.status === 'pending' || appointment.declined
                ? t`Requested on`
                : t`Booked on`
            }
          >
            {formatInstant(appointment.createdAt)}
          </Fact>
        </FactList>
      </Card>

      {!recorded && (appointment.symptoms || appointment.notes.patient) && (
        <Suspense>
          <AccessLogSection appointment={appointment} />
        </Suspense>
      )}

      <div data-print={onScreen}>
        <TimeChangeHistory changes={history} doctor={doctor.name} />
      </div>
    </>
  );
}

function SectionSkeleton({ height }: { height: number }) {
  return (
    <Skeletons count={1}>
      <Skeleton height={height} />
    </Skeletons>
  );
}

/** The patient's possible actions. */
function AppointmentActions({
  appointment,
  onDone,
}: {
  appointment: Appointment;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const move = paths.moveAppointment(appointment._id);
  const cannotCome = appointmentCan.patientCannotCome(appointment);
  return (
    <>
      <Inline align="stretch" fillOnPhone className={styles.actions} data-print="no">
        {!isUpcoming(appointment) &&
          !isExpired(appointment) &&
          appointment.followUpDays === null && (
            <LinkButton href={paths.doctor(appointment.doctor._id)}>
              {t`Book again with this doctor`}
            </LinkButton>
          )}
        {appointmentCan.patientComesAfterAll(appointment) && (
          <WithdrawCancellation appointment={appointment} onDone={onDone} />
        )}
        {isUpcoming(appointment) && <AddToCalendar id={appointment._id} />}
        {appointmentCan.patientMove(appointment) ? (
          <LinkButton variant="secondary" href={move}>
            {t`Reschedule`}
          </LinkButton>
        ) : (
          appointmentCan.patientPropose(appointment) && (
            <LinkButton variant="secondary" href={move}>
              {t`Suggest another time`}
            </LinkButton>
          )
        )}
        {appointmentCan.patientCancel(appointment) && isUpcoming(appointment) && (
          <CancelButton appointment={appointment} onCancelled={onDone} />
        )}
        {cannotCome && <RequestCancellation appointment={appointment} onSent={onDone} />}
      </Inline>
      {cannotCome && (
        <p className="muted small" data-print="no">
          <RequestCancellationHint appointment={appointment} />{' '}
          {!appointmentCan.patientCancelsAtOnce(appointment) && (
            <ClinicPhone appointment={appointment} />
          )}
        </p>
      )}
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

function NotGiven({ children }: { children: ReactNode }) {
  return <span className="muted">{children}</span>;
}
