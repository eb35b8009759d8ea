import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { bookAppointment } from '@/api/appointments';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import type { FreeTime } from '@/api/types';
import type { Slot } from '@/domain/freeSlots';
import { RETURN_STATE } from '@/domain/session/returnState';
import { useSession } from '@/domain/session/session';
import { SLOT_UNAVAILABLE_CODES, type UnavailableSlot } from '@/domain/unavailableSlot';
import { isDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';
import { type FieldErrors, useForm } from '@/ui/useForm';
import { type Draft, MAX_LENGTH, readDraft, settleSaves } from './draft';
import { clearHold, holdIdFor } from './hold';
import { useDraft } from './useDraft';
import { useHold } from './useHold';

const TOO_LONG = 'Use 2,000 characters or fewer';

/** The choice (in the address bar), what is typed, and the booking itself. */
export function useBooking(doctorId: string) {
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const session = useSession();
  const owner = session.user?._id ?? null;

  const dateParam = params.get('date') ?? '';
  const date = isDate(dateParam) ? dateParam : null;
  const time = /^\d{2}:\d{2}$/.test(params.get('time') ?? '') ? params.get('time') : null;
  const chosen: Slot | null = date && time ? { date, time } : null;

  const [changing, setChanging] = useState(false);
  const [lost, setLost] = useState<UnavailableSlot | null>(null);
  const [full, setFull] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState(false);
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

  /** Booking would be refused: somebody else has the time, or this person has booked it already. */
  const isUnavailable = keeping.state === 'refused' || keeping.state === 'booked';

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
    navigate(paths.login({ next: pathname + search }), { state: RETURN_STATE });
  };

  const form = useForm<Draft>({
    values: readDraft(doctorId, owner),
    validate: (values) => complaints(values, chosen, isUnavailable),
    submit: async (values) => {
      if (!chosen) return;
      if (session.state === 'signed-out') return signIn();
      await settleSaves(doctorId);
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
        // 200: it had been booked already, in another tab say, with the text that was sent then.
        const unsent =
          status === 200 &&
          (symptoms !== appointment.symptoms || notes !== appointment.notes.patient);
        draft.drop();
        clearHold();
        // The page that follows shows it in its panel.
        toast.announce('Appointment booked successfully!');
        void invalidateAppointments(client);
        // Going back must not lead to a form that has done its work.
        navigate(paths.patientAppointments({ booked: appointment._id }), {
          replace: true,
          state: { unsent },
        });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return signIn();
        setFull(hasCode(error, 'requests_full', 'booked_too_often'));
        setUnconfirmed(hasCode(error, 'email_unconfirmed'));
        if (!hasCode(error, ...SLOT_UNAVAILABLE_CODES)) throw error;
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

  const draft = useDraft(doctorId, session, form);

  return {
    chosen,
    /** The day that the address bar names, also without a time. */
    day: date,
    picking,
    lost,
    /** As much is booked as one person may book. */
    full,
    /** More can be booked once the email address is confirmed. */
    unconfirmed,
    /** The time is held until…, was held, or can't be held. */
    keeping,
    isUnavailable,
    /** What was typed is not shown any more, and why. */
    cleared: draft.cleared,
    form,
    heading,
    session,
    mayBook,
    /** A field of the form that also keeps what is typed. */
    field: (name: keyof Draft & string) => {
      const field = form.field(name);
      return {
        ...field,
        onChange: (value: string) => {
          field.onChange(value);
          draft.keep({ ...form.values, [name]: value });
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

function complaints(values: Draft, chosen: Slot | null, isUnavailable: boolean): FieldErrors {
  const errors: FieldErrors = {};
  if (!chosen) errors.appointmentTime = 'Please select date and time';
  else if (isUnavailable) {
    errors.appointmentTime = 'This time is no longer available. Please choose another.';
  }
  for (const name of ['symptoms', 'notes'] as const) {
    if (values[name].trim().length > MAX_LENGTH) errors[name] = TOO_LONG;
  }
  return errors;
}
