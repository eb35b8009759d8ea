import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { bookAppointment } from '@/api/calls';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { forgetVisits } from '@/api/queries';
import type { FreeTime } from '@/api/types';
import type { Slot } from '@/domain/freeTimes';
import { LOST_CODES, type Lost } from '@/domain/lost';
import { COME_BACK } from '@/domain/session/comeBack';
import { useSession } from '@/domain/session/session';
import { isDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { type FieldErrors, useForm } from '@/ui/useForm';
import { type Draft, dropDraft, keepDraft, readDraft } from './draft';
import { forgetHold, holdIdFor } from './hold';
import { useHold } from './useHold';

const MOST = 2000;
const TOO_LONG = 'Use 2,000 characters or fewer';

/** The choice (in the address bar), what is typed (kept in memory), and the booking itself. */
export function useBooking(doctorId: string) {
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const session = useSession();
  const owner = session.user?._id ?? null;

  const asked = params.get('date') ?? '';
  const date = isDate(asked) ? asked : null;
  const time = /^\d{2}:\d{2}$/.test(params.get('time') ?? '') ? params.get('time') : null;
  const chosen: Slot | null = date && time ? { date, time } : null;

  const [changing, setChanging] = useState(false);
  const [lost, setLost] = useState<Lost | null>(null);
  const [full, setFull] = useState(false);
  const picking = changing || !chosen;

  // After a choice, and when another one is wanted, the reader is taken to the heading that says so.
  const heading = useRef<HTMLHeadingElement>(null);
  const [awaited, setAwaited] = useState<'choice' | 'picker' | null>(null);
  useEffect(() => {
    if (awaited === null || (awaited === 'picker') !== picking) return;
    heading.current?.focus();
    setAwaited(null);
  }, [awaited, picking]);

  /** Doctors and admins only look; the server refuses them too. */
  const mayBook = session.user === null || session.user.role === 'patient';
  const keeping = useHold(
    doctorId,
    mayBook ? chosen : null,
    session.state === 'loading' || session.state === 'unreachable',
  );

  // What is shown as free was asked for when the time was still free to all, or still kept. The
  // server knows a signed-in person's hold without its secret.
  const toldAnew =
    keeping.state === 'kept' ? session.state === 'signed-out' : keeping.state !== 'none';
  useEffect(() => {
    if (!toldAnew) return;
    const slots = { queryKey: ['slots', doctorId] };
    // A first answer that is still on its way would be taken for the new one.
    void client.cancelQueries(slots).then(() => client.invalidateQueries(slots));
  }, [toldAnew, client, doctorId]);

  const signIn = () => {
    // The frame may be on its way there already, where the session has just ended.
    if (window.location.pathname === '/login') return;
    navigate(paths.login({ next: pathname + search }), { state: COME_BACK });
  };

  const form = useForm<Draft>({
    values: readDraft(doctorId, owner),
    validate: (values) => complaints(values, chosen),
    submit: async (values) => {
      if (!chosen) return;
      if (session.state === 'signed-out') return signIn();
      try {
        const [symptoms, notes] = [values.symptoms.trim(), values.notes.trim()];
        const { data, status } = await bookAppointment({
          doctorId,
          appointmentDate: chosen.date,
          appointmentTime: chosen.time,
          symptoms,
          notes,
          holdId: holdIdFor(doctorId),
        });
        const { appointment } = data;
        // 200: the visit stood already, booked in another tab say, with the words that were sent then.
        const unsent =
          status === 200 &&
          (symptoms !== appointment.symptoms || notes !== appointment.notes.patient);
        dropDraft(doctorId);
        forgetHold();
        void forgetVisits(client);
        // Going back must not lead to a form that has done its work.
        navigate(paths.patientAppointments({ booked: appointment._id }), {
          replace: true,
          state: { unsent },
        });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return signIn();
        setFull(hasCode(error, 'requests_full', 'booked_too_often'));
        if (!hasCode(error, ...LOST_CODES)) throw error;
        setLost({
          code: error.code,
          message: error.message,
          slot: chosen,
          alternatives: (error.data.alternatives ?? []) as FreeTime[],
        });
        void client.invalidateQueries({ queryKey: ['slots', doctorId] });
      }
    },
    message: (error) => {
      const sentence = messageOf(error, 'Failed to book appointment');
      const unsure = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      return unsure
        ? `${sentence} Pressing Book again is safe: you will never be booked twice.`
        : sentence;
    },
  });

  return {
    chosen,
    /** The day that the address bar names, also without a time. */
    day: date,
    picking,
    lost,
    /** As much is booked as one person may book. */
    full,
    /** The time is kept until…, was kept, or could not be kept. */
    keeping,
    form,
    heading,
    session,
    mayBook,
    /** A field of the form that also keeps what is typed. */
    field: (name: keyof Draft) => {
      const field = form.field(name);
      return {
        ...field,
        onChange: (value: string) => {
          field.onChange(value);
          keepDraft(doctorId, owner, { ...form.values, [name]: value });
        },
      };
    },
    startChange: () => {
      setChanging(true);
      setAwaited('picker');
    },
    keepChoice: () => {
      setChanging(false);
      setAwaited('choice');
    },
    choose: (slot: Slot) => {
      setParams(
        { date: slot.date, time: slot.time },
        { replace: true, state: { keepScroll: true } },
      );
      setChanging(false);
      setLost(null);
      setAwaited('choice');
      // What was refused about the old choice is over; the text stays.
      form.reset(form.values);
    },
  };
}

export type Booking = ReturnType<typeof useBooking>;

function complaints(values: Draft, chosen: Slot | null): FieldErrors {
  const found: FieldErrors = {};
  if (!chosen) found.appointmentTime = 'Please select date and time';
  for (const name of ['symptoms', 'notes'] as const) {
    if (values[name].trim().length > MOST) found[name] = TOO_LONG;
  }
  return found;
}
