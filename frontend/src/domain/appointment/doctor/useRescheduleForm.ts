import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { proposeTime } from '@/api/appointments';
import { moveAppointment } from '@/api/doctorDesk';
import { hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import type { Slot } from '@/domain/freeSlots';
import { isDate } from '@/lib/dates';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { describeAppointment } from './subject';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
/** Errors of the time, not of the appointment: another time may work. */
const TIME_CODES = ['slot_taken', 'time_not_offered', 'patient_busy', 'already_booked'];

export interface RescheduleValues {
  action: 'propose' | 'move';
  /** Only a move can use any time; a proposal needs a free one. */
  timeSource: 'free' | 'typed';
  slot: Slot | null;
  date: string;
  time: string;
  reason: string;
}

interface Options {
  appointment: Appointment;
  initialSlot?: Slot;
  /** Whether the initial slot is unavailable and another one must be chosen. */
  isSlotBlocked: boolean;
  onDone: () => void;
  onClose: () => void;
}

export function useRescheduleForm(options: Options) {
  const { appointment, initialSlot, isSlotBlocked, onDone, onClose } = options;
  const client = useQueryClient();
  const fallback = () => t`We couldn’t reschedule the appointment`;
  const form = useForm<RescheduleValues>({
    values: {
      action: canPropose(appointment) ? 'propose' : 'move',
      timeSource: 'free',
      slot: (!isSlotBlocked && initialSlot) || null,
      date: initialSlot?.date ?? '',
      time: initialSlot?.time ?? '',
      reason: '',
    },
    validate: (values): Record<string, string> => {
      if (!isCustomTime(values)) return values.slot ? {} : { slot: t`Choose a time.` };
      return {
        ...(!isDate(values.date) && { date: t`Enter a date.` }),
        ...(!TIME.test(values.time) && { time: t`Enter a time.` }),
      };
    },
    submit: async (values) => {
      const slot = slotOf(values);
      if (!slot) return;
      const isProposal = values.action === 'propose';
      const body = {
        appointmentDate: slot.date,
        appointmentTime: slot.time,
        reason: values.reason.trim(),
      };
      try {
        const { data } = isProposal
          ? await proposeTime(appointment._id, body)
          : await moveAppointment(appointment._id, { ...body, outsideHours: isCustomTime(values) });
        toast.success(isProposal ? t`Suggestion sent` : t`Appointment moved`);
        // The closing dialog first returns focus to a button that no longer exists.
        flushSync(onClose);
        onDone();
        void setAppointment(client, data.appointment);
      } catch (error) {
        if (hasCode(error, ...TIME_CODES)) {
          form.set('slot', null);
          void client.invalidateQueries({ queryKey: ['slots', appointment.doctor._id] });
        } else if (isOutdated(error)) {
          reportFailedAction(error, {
            fallback: fallback(),
            about: describeAppointment(appointment),
            typedText: values.reason,
          });
          onClose();
          void invalidateAppointments(client);
          return;
        }
        throw error;
      }
    },
    message: (error) => messageOf(error, fallback()),
  });
  return form;
}

/** Return whether the doctor can propose a time: no other request is open. */
export function canPropose({ proposal, cancelRequest }: Appointment): boolean {
  return proposal === null && cancelRequest === null;
}

export function isCustomTime({ action, timeSource }: RescheduleValues): boolean {
  return action === 'move' && timeSource === 'typed';
}

/** Return the chosen or typed time, if it is complete. */
export function slotOf(values: RescheduleValues): Slot | null {
  if (!isCustomTime(values)) return values.slot;
  return isDate(values.date) && TIME.test(values.time)
    ? { date: values.date, time: values.time }
    : null;
}
