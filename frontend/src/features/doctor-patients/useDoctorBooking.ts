import { t } from '@lingui/core/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { bookForPatient } from '@/api/doctorDesk';
import { hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import { explainTime, scheduleQuery } from '@/api/schedule';
import type { PatientFacts } from '@/api/types';
import type { Slot } from '@/domain/freeSlots';
import { normalizeTime } from '@/domain/schedule/hours';
import { unavailableReason } from '@/domain/schedule/unavailableReason';
import { useUser } from '@/domain/session/session';
import { formatCount } from '@/lib/counts';
import { isDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';

export interface BookingValues {
  timeSource: 'free' | 'typed';
  slot: Slot | null;
  date: string;
  time: string;
  symptoms: string;
}

/** Why patients can't book a time that the doctor typed. */
export interface TimeWarning {
  /** The doctor can't book it either. */
  isFinal: boolean;
  isOutsideHours: boolean;
  sentence: string;
}

/** Reasons that a doctor may override, and which of them are outside the hours. */
const OVERRIDABLE_REASONS = ['too_soon', 'too_far', 'day_off', 'outside_hours', 'off_grid'];
const OUTSIDE_HOURS_REASONS = ['day_off', 'outside_hours', 'off_grid'];

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const EXAMPLE_TIME = '09:00';
const MAX_SYMPTOMS = 2000;

/** Book for a doctor's own patient; a typed time is checked against the schedule first. */
export function useDoctorBooking(patient: PatientFacts) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useUser();
  const date = params.get('date') ?? '';
  const time = params.get('time') ?? '';
  const hasSlot = isDate(date) && TIME.test(time);
  const previousId = params.get('from');
  const { name } = patient;

  const form = useForm<BookingValues>({
    values: {
      timeSource: hasSlot ? 'typed' : 'free',
      slot: null,
      date: isDate(date) ? date : '',
      time: hasSlot ? time : '',
      symptoms: '',
    },
    validate: (values) => {
      const errors: Record<string, string> = {};
      if (values.timeSource === 'free') {
        if (!values.slot) errors.slot = t`Choose a time.`;
      } else {
        if (!isDate(values.date)) errors.date = t`Enter a date.`;
        if (!TIME.test(normalizeTime(values.time)))
          errors.time = t`Enter a time, like ${EXAMPLE_TIME}.`;
        if (timeWarning?.isFinal) errors.time = t`Choose a time you can book.`;
      }
      if (values.symptoms.trim().length > MAX_SYMPTOMS) {
        const limit = formatCount(MAX_SYMPTOMS);
        errors.symptoms = t`Use ${limit} characters or fewer`;
      }
      return errors;
    },
    submit: async () => {
      if (!slot) return;
      try {
        const { data } = await bookForPatient(patient._id, {
          appointmentDate: slot.date,
          appointmentTime: slot.time,
          symptoms: form.values.symptoms.trim(),
          outsideHours: timeWarning !== null,
        });
        toast.success(t`Appointment booked for ${name}`);
        void invalidateAppointments(client);
        navigate(paths.doctorAppointment(previousId ?? data.appointment._id), { replace: true });
      } catch (error) {
        // The loaded data about the time is outdated.
        if (hasCode(error, 'time_not_offered', 'slot_taken')) {
          if (form.values.timeSource === 'free') form.set('slot', null);
          void client.invalidateQueries({ queryKey: ['slots', user._id] });
        }
        throw error;
      }
    },
    message: (error) => messageOf(error, t`Failed to book appointment`),
  });
  const isCustomTime = form.values.timeSource === 'typed';
  const slot = isCustomTime ? parseCustomSlot(form.values) : form.values.slot;
  const timeWarning = useTimeWarning(user._id, slot, isCustomTime);

  return {
    form,
    slot,
    timeWarning,
    /** The day in the URL. */
    firstDay: isDate(date) ? date : null,
    /** The appointment that this one follows up on. */
    previousId,
  };
}

function parseCustomSlot(values: BookingValues): Slot | null {
  const time = normalizeTime(values.time);
  return isDate(values.date) && TIME.test(time) ? { date: values.date, time } : null;
}

/** Return a warning about a custom time; offered times need none. */
function useTimeWarning(
  doctorId: string,
  slot: Slot | null,
  isCustomTime: boolean,
): TimeWarning | null {
  const explanation = useQuery({
    queryKey: ['slots', doctorId, 'explain', slot],
    queryFn: () => explainTime(doctorId, slot ?? { date: '', time: '' }),
    enabled: isCustomTime && slot !== null,
    staleTime: 10_000,
  });
  const schedule = useQuery({ ...scheduleQuery, enabled: isCustomTime });
  const reason = isCustomTime ? explanation.data?.reason : null;
  if (!slot || !reason) return null;
  return {
    isFinal: !OVERRIDABLE_REASONS.includes(reason),
    isOutsideHours: OUTSIDE_HOURS_REASONS.includes(reason),
    sentence: schedule.data
      ? unavailableReason(reason, slot, schedule.data)
      : t`You don’t offer this time.`,
  };
}
