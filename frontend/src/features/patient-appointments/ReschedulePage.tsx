import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { proposeTime, rescheduleAppointment } from '@/api/appointments';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment, FreeTime } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { patientNote, statusText } from '@/domain/appointment/statusText';
import { TimeChange } from '@/domain/appointment/TimeChange';
import { type Slot, useFreeSlots } from '@/domain/freeSlots';
import { SlotUnavailable } from '@/domain/SlotUnavailable';
import { useSession } from '@/domain/session/session';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { SLOT_UNAVAILABLE_CODES, type UnavailableSlot } from '@/domain/unavailableSlot';
import { telHref } from '@/lib/contact';
import { formatDayTime, instantOf, isDate } from '@/lib/dates';
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
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { AppointmentLoader } from './AppointmentLoader';
import styles from './ReschedulePage.module.css';

// Most people have confirmed their address.
const ConfirmEmailFirst = lazy(() => import('@/domain/ConfirmEmailFirst'));

/** Choose another time for an appointment: it moves at once, or the doctor is asked. */
export default function ReschedulePage() {
  const { id = '' } = useParams();
  return (
    <AppointmentLoader
      id={id}
      back={{ href: paths.patientAppointment(id), label: 'Your appointment' }}
      title="Reschedule your appointment"
    >
      {({ appointment }) =>
        appointmentCan.patientMove(appointment) || appointmentCan.patientPropose(appointment) ? (
          <Move appointment={appointment} />
        ) : (
          <Fixed appointment={appointment} />
        )
      }
    </AppointmentLoader>
  );
}

const WORDS = {
  move: {
    title: 'Reschedule your appointment',
    action: 'Reschedule',
    busy: 'Rescheduling...',
    done: 'Your appointment has been rescheduled',
    fallback: 'Failed to reschedule the appointment',
    lost: 'couldn’t be taken. Your appointment keeps its current time.',
  },
  propose: {
    title: 'Suggest another time',
    action: 'Send suggestion',
    busy: 'Sending...',
    done: 'Suggestion sent',
    fallback: 'Failed to suggest another time',
    lost: 'couldn’t be suggested. Your appointment keeps its current time, and what you typed is still here.',
  },
};

/** What sending the form does. */
function effect(appointment: Appointment, kind: keyof typeof WORDS): string {
  const name = doctorName(appointment.doctor.name);
  if (kind === 'propose') {
    return `${name} will be asked. Both times are held until ${name} replies; without a reply, your appointment keeps its current time.`;
  }
  return appointment.status === 'confirmed'
    ? 'Your appointment moves right away and stays confirmed. Your current time will be released.'
    : `This stays a request that ${name} needs to confirm. Your current time will be released.`;
}

function Move({ appointment }: { appointment: Appointment }) {
  const kind = appointmentCan.patientMove(appointment) ? 'move' : 'propose';
  const words = WORDS[kind];
  const { doctor } = appointment;
  const name = doctorName(doctor.name);
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { zone = appointment.timeZone, error } = useFreeSlots(doctor._id);

  const dateParam = params.get('date') ?? '';
  const day = isDate(dateParam) ? dateParam : null;
  const time = /^\d{2}:\d{2}$/.test(params.get('time') ?? '') ? params.get('time') : null;
  const chosen: Slot | null = day && time ? { date: day, time } : null;
  const [changing, setChanging] = useState(false);
  const [lost, setLost] = useState<UnavailableSlot | null>(null);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const { user } = useSession();
  const picking = changing || !chosen;

  const heading = useRef<HTMLHeadingElement>(null);
  // After a choice, before another one, and with Back: the reader is taken to what comes next.
  const before = useRef(picking);
  useEffect(() => {
    if (before.current !== picking) heading.current?.focus();
    before.current = picking;
  }, [picking]);

  const form = useForm({
    values: { reason: '' },
    submit: async ({ reason }) => {
      if (!chosen) return;
      const newTime = { appointmentDate: chosen.date, appointmentTime: chosen.time };
      try {
        const { data } =
          kind === 'move'
            ? await rescheduleAppointment(appointment._id, newTime)
            : await proposeTime(appointment._id, { ...newTime, reason: reason.trim() });
        toast.success(words.done);
        void setAppointment(client, data.appointment);
        // Going back must not lead to a form that has done its work.
        navigate(paths.patientAppointment(appointment._id), { replace: true });
      } catch (refusal) {
        // The page is out of date.
        if (refusal instanceof ApiError && !refusal.isOutage) void invalidateAppointments(client);
        setUnconfirmed(hasCode(refusal, 'email_unconfirmed'));
        if (!hasCode(refusal, ...SLOT_UNAVAILABLE_CODES)) throw refusal;
        setLost({
          code: refusal.code,
          message: refusal.message,
          slot: chosen,
          alternatives: (refusal.data.alternatives ?? []) as FreeTime[],
        });
      }
    },
    message: (refusal) => messageOf(refusal, words.fallback),
  });

  const put = (slot: { date: string; time?: string }, replace: boolean) =>
    setParams({ ...slot }, { replace, state: { keepScroll: true } });
  const choose = (slot: Slot) => {
    // From the first choice Back leads to the picker; another one takes its place.
    put({ date: slot.date, time: slot.time }, chosen !== null);
    setChanging(false);
    setLost(null);
    if (lost) heading.current?.focus();
    form.reset(form.values);
  };
  const pickAnother = () => {
    setChanging(true);
    setLost(null);
  };

  const closed = error instanceof ApiError && error.status === 404;
  return (
    <>
      {lost ? (
        <SlotUnavailable lost={lost} timeZone={zone} onChoose={choose} onMore={pickAnother}>
          {formatDayTime(lost.slot.date, lost.slot.time)} {words.lost}
        </SlotUnavailable>
      ) : (
        <>
          <ErrorSummary form={form} />
          {unconfirmed && form.message && user && (
            <Suspense fallback={null}>
              <ConfirmEmailFirst user={user} action={words.action} />
            </Suspense>
          )}
        </>
      )}
      <PageHeading lead={`Appointment with ${name}, ${doctor.specialization}`}>
        {words.title}
      </PageHeading>
      {closed ? (
        <Closed appointment={appointment} />
      ) : picking ? (
        <>
          <Card gap={0}>
            <p className="muted small">Now</p>
            <AppointmentTime appointment={appointment} />
          </Card>
          <Card as="section" gap={4} className={styles.picker} aria-labelledby="another-time">
            <h2 id="another-time" ref={heading} tabIndex={-1}>
              Choose another time
            </h2>
            {chosen && (
              <div>
                <Button variant="secondary" onClick={() => setChanging(false)}>
                  Back to {formatDayTime(chosen.date, chosen.time)}
                </Button>
              </div>
            )}
            <SlotPicker
              doctor={{ _id: doctor._id, name: doctor.name, timeZone: zone }}
              day={day}
              onDay={(date) => put({ date }, true)}
              chosen={chosen}
              onChoose={choose}
              none={<Closed appointment={appointment} />}
            />
          </Card>
        </>
      ) : (
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <Card gap={4} className={styles.step}>
            <Toolbar gap={2} className={styles.stepHeader}>
              <h2 ref={heading} tabIndex={-1}>
                Confirm new time
              </h2>
              <Button variant="quiet" onClick={pickAnother}>
                Choose another time
              </Button>
            </Toolbar>
            <TimeChange
              from={appointment}
              to={{
                appointmentDate: chosen.date,
                appointmentTime: chosen.time,
                timeZone: zone,
                startsAt: instantOf(chosen.date, chosen.time, zone),
              }}
            />
            <p>{effect(appointment, kind)}</p>
            {kind === 'propose' && (
              <Textarea
                {...form.field('reason')}
                label="Reason"
                hint={`${name} can read this.`}
                optional
                maxLength={500}
                rows={3}
              />
            )}
          </Card>
          <Inline align="stretch" fillOnPhone>
            <Button type="submit" busy={form.busy} busyLabel={words.busy}>
              {words.action}
            </Button>
            <LinkButton variant="secondary" href={paths.patientAppointment(appointment._id)}>
              Keep current time
            </LinkButton>
          </Inline>
        </Stack>
      )}
    </>
  );
}

/** The doctor has no free time. */
function Closed({ appointment }: { appointment: Appointment }) {
  const { phone } = appointment.hospital;
  return (
    <EmptyState
      title={`${doctorName(appointment.doctor.name)} has no free times at the moment`}
      action={
        <LinkButton variant="secondary" href={paths.patientAppointment(appointment._id)}>
          Back to your appointment
        </LinkButton>
      }
    >
      Your appointment keeps its time.
      {phone && (
        <>
          {' '}
          The clinic may be able to help: <a href={telHref(phone)}>{phone}</a>
        </>
      )}
    </EmptyState>
  );
}

/** An appointment that cannot be moved now, and why. */
function Fixed({ appointment }: { appointment: Appointment }) {
  return (
    <>
      <PageHeading>Reschedule your appointment</PageHeading>
      <EmptyState
        title={
          appointment.proposal
            ? 'Another time has been suggested already'
            : 'This appointment can’t be rescheduled'
        }
        action={
          <LinkButton href={paths.patientAppointment(appointment._id)}>
            Back to your appointment
          </LinkButton>
        }
      >
        {patientNote(appointment) || statusText(appointment, 'patient')}
      </EmptyState>
    </>
  );
}
