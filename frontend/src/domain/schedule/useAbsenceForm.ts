import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { type AbsenceBody, removeAbsence, saveAbsence } from '@/api/schedule';
import type { Absence, AffectedAppointment, Decision } from '@/api/types';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { absenceBounds, checkAbsence } from './absence';
import { outcomeText } from './affectedChoices';
import { invalidateSchedule } from './invalidateSchedule';

export const ABSENCE_FAILED = msg`We couldn’t save the time off`;

/** Form field names by the server's field names. */
const FIELDS: Record<string, string> = {
  from: 'fromDate',
  'from.date': 'fromDate',
  'from.time': 'fromTime',
  to: 'toDate',
  'to.date': 'toDate',
  'to.time': 'toTime',
};

function withFieldNames(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, data, message } = error;
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([name, sentences]) => [FIELDS[name] ?? name, sentences]),
  );
  return new ApiError(status, { code, data, message, errors });
}

/** The form of `AbsenceDialog`; `affected` are the appointments to decide about before it can be saved. */
export function useAbsenceForm(absence: Absence | undefined, date: string, onClose: () => void) {
  const client = useQueryClient();
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);

  const send = (decisions: Pick<AbsenceBody, 'visits' | 'visitsReason'>, preview = false) => {
    const body = { ...absenceBounds(form.values), reason: form.values.reason.trim(), ...decisions };
    return saveAbsence(absence?._id, body, preview).catch((error) => {
      throw withFieldNames(error);
    });
  };
  const save = async (visits: Record<string, Decision> = {}, visitsReason = '') => {
    await send({ visits, visitsReason });
    const outcome = outcomeText(visits);
    toast.success(outcome ? t`Time off saved. ${outcome}` : t`Time off saved`);
    onClose();
    invalidateSchedule(client);
  };

  const form = useForm({
    values: {
      wholeDays: !absence || (absence.from.time === '00:00' && absence.to.time === '24:00'),
      fromDate: absence?.from.date ?? date,
      fromTime: absence?.from.time ?? '09:00',
      toDate: absence?.to.date ?? date,
      toTime: absence?.to.time ?? '17:00',
      reason: absence?.reason ?? '',
    },
    validate: checkAbsence,
    submit: async () => {
      const preview = await send({}, true);
      if (preview.affected.length > 0) {
        setAffected(preview.affected);
        return;
      }
      try {
        await save();
      } catch (error) {
        // Somebody booked between the two requests.
        if (!hasCode(error, 'visits_affected')) throw error;
        setAffected((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, i18n._(ABSENCE_FAILED)),
  });

  const remove = async () => {
    if (!absence) return;
    try {
      await removeAbsence(absence._id);
      toast.success(t`Time off removed. Patients can book these times again.`);
      onClose();
    } catch (error) {
      toast.error(messageOf(error, t`We couldn’t remove the time off`));
    }
    invalidateSchedule(client);
  };

  return { form, save, remove, affected, clearAffected: () => setAffected(null) };
}
