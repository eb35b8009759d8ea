import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { proposeTime, rescheduleAppointment } from '@/api/appointments';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment, FreeTime } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import type { Slot } from '@/domain/freeSlots';
import { useSlotParams } from '@/domain/slotPicker/useSlotParams';
import { SLOT_UNAVAILABLE_CODES, type UnavailableSlot } from '@/domain/unavailableSlot';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';

const TEXTS = {
  move: {
    title: msg`Reschedule your appointment`,
    action: msg`Reschedule`,
    busy: msg`Rescheduling...`,
    done: msg`Your appointment has been rescheduled`,
    fallback: msg`We couldn’t reschedule the appointment`,
  },
  propose: {
    title: msg`Suggest another time`,
    action: msg`Send suggestion`,
    busy: msg`Sending...`,
    done: msg`Suggestion sent`,
    fallback: msg`We couldn’t send your suggestion`,
  },
};

/**
 * The state of the page: the new time (in the URL), the step, and moving the appointment or
 * proposing the time.
 */
export function useReschedule(appointment: Appointment) {
  const { t } = useLingui();
  const kind = appointmentCan.patientMove(appointment) ? 'move' : 'propose';
  const texts = TEXTS[kind];
  const { day, slot, setSlotParams } = useSlotParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isChanging, setIsChanging] = useState(false);
  const [unavailable, setUnavailable] = useState<UnavailableSlot | null>(null);
  const [needsEmailConfirmation, setNeedsEmailConfirmation] = useState(false);
  const isPicking = isChanging || !slot;

  const heading = useRef<HTMLHeadingElement>(null);
  // Whenever the step changes, also by Back, focus the heading of the new step.
  const wasPicking = useRef(isPicking);
  useEffect(() => {
    if (wasPicking.current !== isPicking) heading.current?.focus();
    wasPicking.current = isPicking;
  }, [isPicking]);

  const form = useForm({
    values: { reason: '' },
    submit: async ({ reason }) => {
      if (!slot) return;
      const newTime = { appointmentDate: slot.date, appointmentTime: slot.time };
      try {
        const { data } =
          kind === 'move'
            ? await rescheduleAppointment(appointment._id, newTime)
            : await proposeTime(appointment._id, { ...newTime, reason: reason.trim() });
        toast.success(t(texts.done));
        void setAppointment(client, data.appointment);
        // Going back must not return to a submitted form.
        navigate(paths.patientAppointment(appointment._id), { replace: true });
      } catch (error) {
        // The page is outdated.
        if (error instanceof ApiError && !error.isOutage) void invalidateAppointments(client);
        setNeedsEmailConfirmation(hasCode(error, 'email_unconfirmed'));
        if (!hasCode(error, ...SLOT_UNAVAILABLE_CODES)) throw error;
        setUnavailable({
          code: error.code,
          message: error.message,
          slot,
          alternatives: (error.data.alternatives ?? []) as FreeTime[],
        });
      }
    },
    message: (error) => messageOf(error, t(texts.fallback)),
  });

  return {
    kind,
    texts,
    day,
    slot,
    isPicking,
    unavailable,
    needsEmailConfirmation,
    heading,
    form,
    setDay: (date: string) => setSlotParams({ date }, { replace: true }),
    choose: ({ date, time }: Slot) => {
      // Back leads from the first selection to the picker; another selection replaces the entry.
      setSlotParams({ date, time }, { replace: slot !== null });
      setIsChanging(false);
      setUnavailable(null);
      if (unavailable) heading.current?.focus();
      form.reset(form.values);
    },
    startChange: () => {
      setIsChanging(true);
      setUnavailable(null);
    },
    cancelChange: () => setIsChanging(false),
  } as const;
}

export type Reschedule = ReturnType<typeof useReschedule>;
