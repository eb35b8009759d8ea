import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import type { Appointment } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { patientNote, statusText } from '@/domain/appointment/statusText';
import { TimeChange } from '@/domain/appointment/TimeChange';
import { type Slot, useFreeSlots } from '@/domain/freeSlots';
import { LazySlotUnavailable } from '@/domain/LazySlotUnavailable';
import { useSession } from '@/domain/session/session';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { telHref } from '@/lib/contact';
import { formatDayTime, instantOf } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { Toolbar } from '@/ui/Toolbar';
import { AppointmentLoader } from './AppointmentLoader';
import styles from './ReschedulePage.module.css';
import { type Reschedule, useReschedule } from './useReschedule';

// Most users have confirmed their address.
const ConfirmEmailFirst = lazy(() => import('@/domain/ConfirmEmailFirst'));

/** Choose another time for an appointment: it moves at once, or the doctor must agree. */
export default function ReschedulePage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  return (
    <AppointmentLoader
      id={id}
      back={{ href: paths.patientAppointment(id), label: t`Your appointment` }}
      title={t`Reschedule your appointment`}
    >
      {({ appointment }) =>
        appointmentCan.patientMove(appointment) || appointmentCan.patientPropose(appointment) ? (
          <RescheduleForm appointment={appointment} />
        ) : (
          <NotReschedulable appointment={appointment} />
        )
      }
    </AppointmentLoader>
  );
}

function RescheduleForm({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const reschedule = useReschedule(appointment);
  const { kind, texts, slot, isPicking, unavailable, form } = reschedule;
  const { doctor } = appointment;
  const name = doctorName(doctor.name);
  const lostTime = unavailable && formatDayTime(unavailable.slot.date, unavailable.slot.time);
  const { user } = useSession();
  const { zone = appointment.timeZone, error } = useFreeSlots(doctor._id);
  const isBookedOut = error instanceof ApiError && error.status === 404;
  const props = { appointment, reschedule, zone };
  return (
    <>
      {unavailable ? (
        <LazySlotUnavailable
          unavailable={unavailable}
          timeZone={zone}
          onChoose={reschedule.choose}
          onMore={reschedule.startChange}
        >
          {kind === 'move'
            ? t`We couldn’t move your appointment to ${lostTime}. Its time hasn’t changed.`
            : t`We couldn’t suggest ${lostTime}. Your appointment’s time hasn’t changed, and what you typed is still here.`}
        </LazySlotUnavailable>
      ) : (
        <>
          <ErrorSummary form={form} />
          {reschedule.needsEmailConfirmation && form.message && user && (
            <Suspense fallback={null}>
              <ConfirmEmailFirst user={user} action={t(texts.action)} />
            </Suspense>
          )}
        </>
      )}
      <PageHeading lead={t`Appointment with ${name}`}>{t(texts.title)}</PageHeading>
      {isBookedOut ? (
        <NoFreeTimes appointment={appointment} />
      ) : isPicking || !slot ? (
        <PickStep {...props} />
      ) : (
        <ConfirmStep {...props} slot={slot} />
      )}
    </>
  );
}

interface StepProps {
  appointment: Appointment;
  reschedule: Reschedule;
  zone: string;
}

function PickStep({ appointment, reschedule, zone }: StepProps) {
  const { doctor } = appointment;
  const { slot } = reschedule;
  const chosenTime = slot && formatDayTime(slot.date, slot.time);
  return (
    <>
      <Card gap={0}>
        <p className="muted small">
          <Trans>Current time</Trans>
        </p>
        <AppointmentTime appointment={appointment} />
      </Card>
      <Card as="section" gap={4} className={styles.picker} aria-labelledby="another-time">
        <h2 id="another-time" ref={reschedule.heading} tabIndex={-1}>
          <Trans>Choose another time</Trans>
        </h2>
        {chosenTime && (
          <div>
            <Button variant="secondary" onClick={reschedule.cancelChange}>
              <Trans>Back to {chosenTime}</Trans>
            </Button>
          </div>
        )}
        <SlotPicker
          doctor={{ _id: doctor._id, name: doctor.name, timeZone: zone }}
          day={reschedule.day}
          onDay={reschedule.setDay}
          selectedSlot={slot}
          onChoose={reschedule.choose}
          emptyState={<NoFreeTimes appointment={appointment} />}
        />
      </Card>
    </>
  );
}

function ConfirmStep({ appointment, reschedule, zone, slot }: StepProps & { slot: Slot }) {
  const { t } = useLingui();
  const { kind, texts, form } = reschedule;
  const name = doctorName(appointment.doctor.name);
  return (
    <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
      <Card gap={4} className={styles.step}>
        <Toolbar gap={2} className={styles.stepHeader}>
          <h2 ref={reschedule.heading} tabIndex={-1}>
            {t`Confirm new time`}
          </h2>
          <Button variant="quiet" onClick={reschedule.startChange}>
            {t`Choose another time`}
          </Button>
        </Toolbar>
        <TimeChange
          from={appointment}
          to={{
            appointmentDate: slot.date,
            appointmentTime: slot.time,
            timeZone: zone,
            startsAt: instantOf(slot.date, slot.time, zone),
          }}
        />
        <p>
          {kind === 'propose'
            ? t`We’ll ask ${name}, and hold both times until you get a reply. If they don’t reply, your appointment’s time won’t change.`
            : appointment.status === 'confirmed'
              ? t`Your appointment moves right away and stays confirmed. Your current time will be released.`
              : t`This is still a request that ${name} needs to confirm. Your current time will be released.`}
        </p>
        {kind === 'propose' && (
          <Textarea
            {...form.field('reason')}
            label={t`Reason`}
            hint={t`${name} can read this.`}
            optional
            maxLength={500}
            rows={3}
          />
        )}
      </Card>
      <Inline align="stretch" fillOnPhone>
        <Button type="submit" busy={form.busy} busyLabel={t(texts.busy)}>
          {t(texts.action)}
        </Button>
        <LinkButton variant="secondary" href={paths.patientAppointment(appointment._id)}>
          {t`Keep current time`}
        </LinkButton>
      </Inline>
    </Stack>
  );
}

/** Shown if the doctor has no free time. */
function NoFreeTimes({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const { phone } = appointment.hospital;
  const name = doctorName(appointment.doctor.name);
  return (
    <EmptyState
      title={t`${name} has no other openings right now`}
      action={
        <LinkButton variant="secondary" href={paths.patientAppointment(appointment._id)}>
          {t`Back to your appointment`}
        </LinkButton>
      }
    >
      <Trans>Your appointment’s time hasn’t changed.</Trans>
      {phone && (
        <>
          {' '}
          <Trans>
            The clinic may be able to help: <a href={telHref(phone)}>{phone}</a>
          </Trans>
        </>
      )}
    </EmptyState>
  );
}

/** Shown if the appointment cannot be moved now, with the reason. */
function NotReschedulable({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  return (
    <>
      <PageHeading>{t`Reschedule your appointment`}</PageHeading>
      <EmptyState
        title={
          appointment.proposal
            ? t`Another time has already been suggested`
            : t`This appointment can’t be rescheduled`
        }
        action={
          <LinkButton href={paths.patientAppointment(appointment._id)}>
            {t`Back to your appointment`}
          </LinkButton>
        }
      >
        {patientNote(appointment) || statusText(appointment, 'patient')}
      </EmptyState>
    </>
  );
}
