import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { bookAppointment } from '@/api/appointments';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import type { FreeTime } from '@/api/types';
import type { Slot } from '@/domain/freeSlots';
import { RETURN_STATE } from '@/domain/session/returnState';
import { type Session, useSession } from '@/domain/session/session';
import { useSlotParams } from '@/domain/slotPicker/useSlotParams';
import { SLOT_UNAVAILABLE_CODES, type UnavailableSlot } from '@/domain/unavailableSlot';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';
import { type FieldErrors, useForm } from '@/ui/useForm';
import { type Draft, MAX_LENGTH, readDraft, waitForSaves } from './draft';
import { clearHold, type HoldState, holdIdFor } from './hold';
import { useDraft } from './useDraft';
import { useHold } from './useHold';

/** The state of the booking page: the selected time (in the URL), the form and the booking itself. */
export function useBooking(doctorId: string) {
  const { day, slot, setSlotParams } = useSlotParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const session = useSession();
  const [isChanging, setIsChanging] = useState(false);
  const [unavailable, setUnavailable] = useState<UnavailableSlot | null>(null);
  const [errorCode, setErrorCode] = useState('');
  const isPicking = isChanging || !slot;
  const { heading, focusHeading } = useStepFocus(isPicking);

  /** Doctors and admins can only view the page; the server refuses them too. */
  const canBook = session.user === null || session.user.role === 'patient';
  const hold = useHold(
    doctorId,
    canBook ? slot : null,
    session.state === 'loading' || session.state === 'unreachable',
  );
  /** Booking would be refused: the time is taken, or the user has already booked it. */
  const isUnavailable = hold.state === 'refused' || hold.state === 'booked';
  useSlotRefresh(doctorId, hold, session);

  const signIn = () => {
    // The layout may already redirect there if the session has just ended.
    if (window.location.pathname === '/login') return;
    navigate(paths.login({ next: pathname + search }), { state: RETURN_STATE });
  };

  const form = useForm<Draft>({
    values: readDraft(doctorId, session.user?._id ?? null),
    validate: (values) => validate(values, slot, isUnavailable),
    submit: async (values) => {
      if (!slot) return;
      if (session.state === 'signed-out') return signIn();
      await waitForSaves(doctorId);
      try {
        await book(slot, values);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return signIn();
        setErrorCode(error instanceof ApiError ? error.code : '');
        if (!hasCode(error, ...SLOT_UNAVAILABLE_CODES)) throw error;
        setUnavailable({
          code: error.code,
          message: error.message,
          slot,
          alternatives: (error.data.alternatives ?? []) as FreeTime[],
        });
        void client.invalidateQueries({ queryKey: ['slots', doctorId] });
      }
    },
    message: bookingErrorMessage,
  });
  const draft = useDraft(doctorId, session, form);

  const book = async ({ date, time }: Slot, values: Draft) => {
    const [symptoms, notes] = [values.symptoms.trim(), values.notes.trim()];
    const { data, status } = await bookAppointment({
      doctorId,
      appointmentDate: date,
      appointmentTime: time,
      symptoms,
      notes,
      holdId: holdIdFor(doctorId),
    });
    const { appointment } = data;
    // 200: it was already booked, for example in another tab, with that tab's text.
    const unsent =
      status === 200 && (symptoms !== appointment.symptoms || notes !== appointment.notes.patient);
    draft.remove();
    clearHold();
    // The next page shows it in its panel.
    toast.announce(t`Appointment booked successfully!`);
    void invalidateAppointments(client);
    // Going back must not return to a submitted form.
    navigate(paths.patientAppointments({ booked: appointment._id }), {
      replace: true,
      state: { unsent },
    });
  };

  return {
    slot,
    /** The day in the URL, even without a time. */
    day,
    isPicking,
    unavailable,
    /** The user has reached the limit of bookings. */
    isLimitReached: errorCode === 'requests_full' || errorCode === 'booked_too_often',
    /** More can be booked once the email address is confirmed. */
    needsEmailConfirmation: errorCode === 'email_unconfirmed',
    hold,
    isUnavailable,
    /** Why the typed text was cleared. */
    clearReason: draft.clearReason,
    form,
    heading,
    session,
    canBook,
    /** A field of the form whose text is stored while it is typed. */
    field: (name: keyof Draft & string) => {
      const field = form.field(name);
      return {
        ...field,
        onChange: (value: string) => {
          field.onChange(value);
          draft.store({ ...form.values, [name]: value });
        },
      };
    },
    startChange: () => {
      setIsChanging(true);
      focusHeading('picker');
    },
    cancelChange: () => {
      setIsChanging(false);
      focusHeading('choice');
    },
    choose: ({ date, time }: Slot) => {
      setSlotParams({ date, time }, { replace: true });
      setIsChanging(false);
      setUnavailable(null);
      focusHeading('choice');
      // Clear the errors of the old choice, but keep the text.
      form.reset(form.values);
    },
  };
}

export type Booking = ReturnType<typeof useBooking>;

function bookingErrorMessage(error: unknown): string {
  const message = messageOf(error, t`Failed to book appointment`);
  const isUnsure = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return isUnsure
    ? t`${message} It’s safe to select Book again: you’ll never be booked twice.`
    : message;
}

/** Focus the heading of a step once it is shown. */
function useStepFocus(isPicking: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [step, setStep] = useState<'choice' | 'picker' | null>(null);
  useEffect(() => {
    if (step === null || (step === 'picker') !== isPicking) return;
    heading.current?.focus();
    setStep(null);
  }, [step, isPicking]);
  return { heading, focusHeading: setStep };
}

/**
 * Refetch the free times when the hold changes them: they were loaded while the time
 * was free, or still held. The server knows a user's hold without its secret.
 */
function useSlotRefresh(doctorId: string, hold: HoldState, session: Session): void {
  const client = useQueryClient();
  const areSlotsStale =
    hold.state === 'held' ? session.state === 'signed-out' : hold.state !== 'none';
  useEffect(() => {
    if (!areSlotsStale) return;
    const slots = { queryKey: ['slots', doctorId] };
    // Cancel pending requests, whose responses would be outdated.
    void client.cancelQueries(slots).then(() => client.invalidateQueries(slots));
  }, [areSlotsStale, client, doctorId]);
}

function validate(values: Draft, slot: Slot | null, isUnavailable: boolean): FieldErrors {
  const errors: FieldErrors = {};
  if (!slot) errors.appointmentTime = t`Please select date and time`;
  else if (isUnavailable) {
    errors.appointmentTime = t`This time is no longer available. Please choose another.`;
  }
  for (const name of ['symptoms', 'notes'] as const) {
    if (values[name].trim().length > MAX_LENGTH) errors[name] = t`Use 2,000 characters or fewer`;
  }
  return errors;
}
