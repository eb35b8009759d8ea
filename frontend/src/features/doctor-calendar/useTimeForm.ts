import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { type BlockBody, blockTime } from '@/api/schedule';
import type { AffectedAppointment } from '@/api/types';
import { outcomeText } from '@/domain/schedule/affectedChoices';
import { formatMinute, parseMinute } from '@/domain/schedule/hours';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { isDate } from '@/lib/dates';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';

export interface TimeValues {
  action: 'block' | 'book';
  date: string;
  start: string;
  end: string;
  reason: string;
}

/** A period of a day, in minutes, and what to do with it. */
export interface TimeSelection {
  action: TimeValues['action'];
  date: string;
  start: number;
  end: number;
}

export const BLOCK_FAILED = 'Failed to block the time';

function check({ action, date, start, end }: TimeValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const [from, until] = [parseMinute(start), parseMinute(end)];
  if (!isDate(date)) errors.date = 'Enter a date.';
  if (from === null || from >= 24 * 60) errors.start = 'Enter a start, like 09:00.';
  if (action === 'book') return errors;
  if (until === null) errors.end = 'Enter an end, like 17:00.';
  else if (from !== null && until <= from) errors.end = 'The end must be after the start.';
  return errors;
}

/** The form of `TimeDialog`; `affected` are the appointments to decide about before it can be saved. */
export function useTimeForm(selection: TimeSelection, onSaved: () => void) {
  const client = useQueryClient();
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);

  const block = async (
    values: TimeValues,
    decisions: Pick<BlockBody, 'visits' | 'visitsReason'> = {},
  ) => {
    const { date, start, end } = values;
    await blockTime({ date, start, end, reason: values.reason.trim(), ...decisions });
    const outcome = outcomeText(decisions.visits ?? {});
    toast.success(outcome ? t`Time blocked. ${outcome}` : t`Time blocked`);
    onSaved();
    invalidateSchedule(client);
  };

  const form = useForm<TimeValues>({
    values: {
      action: selection.action,
      date: selection.date,
      start: formatMinute(selection.start),
      end: formatMinute(selection.end),
      reason: '',
    },
    validate: check,
    submit: async (values) => {
      try {
        await block(values);
      } catch (error) {
        if (!hasCode(error, 'visits_affected')) throw error;
        setAffected((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, BLOCK_FAILED),
  });

  return { form, block, affected, clearAffected: () => setAffected(null) };
}
