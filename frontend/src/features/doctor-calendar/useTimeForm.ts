import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
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

const EXAMPLE_START = '09:00';
const EXAMPLE_END = '17:00';

export const BLOCK_FAILED = msg`Failed to block the time`;

function check({ action, date, start, end }: TimeValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const [from, until] = [parseMinute(start), parseMinute(end)];
  if (!isDate(date)) errors.date = t`Enter a date.`;
  if (from === null || from >= 24 * 60) errors.start = t`Enter a start, like ${EXAMPLE_START}.`;
  if (action === 'book') return errors;
  if (until === null) errors.end = t`Enter an end, like ${EXAMPLE_END}.`;
  else if (from !== null && until <= from) errors.end = t`The end must be after the start.`;
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
    message: (error) => messageOf(error, i18n._(BLOCK_FAILED)),
  });

  return { form, block, affected, clearAffected: () => setAffected(null) };
}
