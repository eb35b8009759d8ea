import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { proposeTime, rescheduleAppointment } from '@/api/calls';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment, FreeTime } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { type Slot, useFreeTimes } from '@/domain/freeTimes';
import { LostTime } from '@/domain/LostTime';
import { LOST_CODES, type Lost } from '@/domain/lost';
import { SlotPicker } from '@/domain/SlotPicker';
import { FromTo } from '@/domain/visit/FromTo';
import { patientNote, visitSentence } from '@/domain/visit/sentence';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { telHref } from '@/lib/contact';
import { formatDayTime, instantOf, isDate } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Textarea } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { useForm } from '@/ui/useForm';
import styles from './MovePage.module.css';
import { OneVisit } from './OneVisit';

/** Choose another time for a visit: one that waits moves, a confirmed one gets a proposal. */
export default function MovePage() {
  const { id = '' } = useParams();
  return (
    <OneVisit
      id={id}
      back={{ href: paths.patientAppointment(id), label: 'Your visit' }}
      title="Another time for your visit"
    >
      {({ appointment }) =>
        appointmentCan.patientMove(appointment) || appointmentCan.patientPropose(appointment) ? (
          <Move visit={appointment} />
        ) : (
          <Fixed visit={appointment} />
        )
      }
    </OneVisit>
  );
}

const WORDS = {
  move: {
    title: 'Move your visit',
    action: 'Move visit',
    busy: 'Moving...',
    done: 'Your visit has moved',
    fallback: 'Failed to move the appointment',
    lost: 'was not taken for your visit, which keeps its time.',
  },
  propose: {
    title: 'Propose another time',
    action: 'Send proposal',
    busy: 'Sending...',
    done: 'New time proposed',
    fallback: 'Failed to propose another time',
    lost: 'was not proposed, and your visit keeps its time. What you typed is still here.',
  },
};

function Move({ visit }: { visit: Appointment }) {
  const kind = visit.status === 'confirmed' ? 'propose' : 'move';
  const words = WORDS[kind];
  const { doctor } = visit;
  const name = doctorName(doctor.name);
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { zone = visit.timeZone, error } = useFreeTimes(doctor._id);

  const asked = params.get('date') ?? '';
  const day = isDate(asked) ? asked : null;
  const time = /^\d{2}:\d{2}$/.test(params.get('time') ?? '') ? params.get('time') : null;
  const chosen: Slot | null = day && time ? { date: day, time } : null;
  const [changing, setChanging] = useState(false);
  const [lost, setLost] = useState<Lost | null>(null);
  const picking = changing || !chosen;

  const heading = useRef<HTMLHeadingElement>(null);
  // After a choice, when another one is wanted, and with Back: the reader is taken to what comes next.
  const before = useRef(picking);
  useEffect(() => {
    if (before.current !== picking) heading.current?.focus();
    before.current = picking;
  }, [picking]);

  const form = useForm({
    values: { reason: '' },
    submit: async ({ reason }) => {
      if (!chosen) return;
      const wanted = { appointmentDate: chosen.date, appointmentTime: chosen.time };
      try {
        const { data } =
          kind === 'move'
            ? await rescheduleAppointment(visit._id, wanted)
            : await proposeTime(visit._id, { ...wanted, reason: reason.trim() });
        notify.success(words.done);
        void placeVisit(client, data.appointment);
        // Going back must not lead to a form that has done its work.
        navigate(paths.patientAppointment(visit._id), { replace: true });
      } catch (refusal) {
        // What this page shows is not how things are.
        if (refusal instanceof ApiError && !refusal.isOutage) void forgetVisits(client);
        if (!hasCode(refusal, ...LOST_CODES)) throw refusal;
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
        <LostTime lost={lost} timeZone={zone} onChoose={choose} onMore={pickAnother}>
          {formatDayTime(lost.slot.date, lost.slot.time)} {words.lost}
        </LostTime>
      ) : (
        <ErrorSummary form={form} />
      )}
      <PageHeading lead={`Visit with ${name}, ${doctor.specialization}`}>{words.title}</PageHeading>
      {closed ? (
        <Closed visit={visit} />
      ) : picking ? (
        <>
          <Card className={styles.now}>
            <p className="muted small">Now</p>
            <VisitWhen visit={visit} />
          </Card>
          <Card as="section" className={styles.picker} aria-labelledby="another-time">
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
              none={<Closed visit={visit} />}
            />
          </Card>
        </>
      ) : (
        <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
          <Card className={styles.step}>
            <div className={styles.stepHead}>
              <h2 ref={heading} tabIndex={-1}>
                From the old time to the new
              </h2>
              <Button variant="quiet" onClick={pickAnother}>
                Choose another time
              </Button>
            </div>
            <FromTo
              from={visit}
              to={{
                appointmentDate: chosen.date,
                appointmentTime: chosen.time,
                timeZone: zone,
                startsAt: instantOf(chosen.date, chosen.time, zone),
              }}
            />
            <p>
              {kind === 'move'
                ? `Your visit stays a request that ${name} answers. The old time becomes free for others.`
                : `${name} is asked, and has two days to answer. Until then both times are kept for you; without an answer your visit stays at its time.`}
            </p>
            {kind === 'propose' && (
              <Textarea
                {...form.field('reason')}
                label="Reason"
                hint={`${name} reads it.`}
                optional
                maxLength={500}
                rows={3}
              />
            )}
          </Card>
          <div className={styles.actions}>
            <Button type="submit" busy={form.busy} busyLabel={words.busy}>
              {words.action}
            </Button>
            <LinkButton variant="secondary" href={paths.patientAppointment(visit._id)}>
              Keep my time
            </LinkButton>
          </div>
        </form>
      )}
    </>
  );
}

/** The doctor offers no time at all. */
function Closed({ visit }: { visit: Appointment }) {
  const { phone } = visit.hospital;
  return (
    <EmptyState
      title={`${doctorName(visit.doctor.name)} has no free times at the moment`}
      action={
        <LinkButton variant="secondary" href={paths.patientAppointment(visit._id)}>
          Back to your visit
        </LinkButton>
      }
    >
      Your visit keeps its time.
      {phone && (
        <>
          {' '}
          The clinic may be able to help: <a href={telHref(phone)}>{phone}</a>
        </>
      )}
    </EmptyState>
  );
}

/** A visit that cannot be moved now, and why. */
function Fixed({ visit }: { visit: Appointment }) {
  return (
    <>
      <PageHeading>Another time for your visit</PageHeading>
      <EmptyState
        title={
          visit.proposal
            ? 'Another time is proposed already'
            : 'This visit can’t be moved to another time'
        }
        action={
          <LinkButton href={paths.patientAppointment(visit._id)}>Back to your visit</LinkButton>
        }
      >
        {patientNote(visit) || visitSentence(visit, 'patient')}
      </EmptyState>
    </>
  );
}
