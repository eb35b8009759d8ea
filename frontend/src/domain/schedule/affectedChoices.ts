import { plural, t } from '@lingui/core/macro';
import type { AffectedAppointment, Decision } from '@/api/types';
import { formatList } from '@/lib/formatList';
import { normalizeTime } from './hours';

/** A doctor's choice for one affected appointment or proposal. */
export interface Choice {
  /** Empty until selected, if there is no harmless default. */
  kind: '' | 'keep' | 'cancel' | 'withdraw' | 'propose' | 'move';
  date?: string;
  time?: string;
  /** A time that was not suggested. */
  isOther?: boolean;
}

const suggestedSlot = (appointment: AffectedAppointment) => {
  const slot = appointment.suggested ?? appointment.alternatives[0];
  return { date: slot?.date, time: slot?.time };
};

/**
 * The default choice: another time for an appointment, since a kept one would bring the patient to
 * a closed clinic; a proposal that cannot be kept is withdrawn.
 */
export function defaultChoice(
  appointment: AffectedAppointment,
  affected: readonly AffectedAppointment[],
): Choice {
  if (appointment.kind === 'proposal') return { kind: 'withdraw' };
  const losesProposal = affected.some(
    ({ kind, appointmentId }) => kind === 'proposal' && appointmentId === appointment._id,
  );
  if (appointment.hasProposal && !losesProposal) return { kind: 'keep' };
  return appointment.suggested ? { kind: 'propose', ...suggestedSlot(appointment) } : { kind: '' };
}

/** Apply one choice to all appointments it is possible for; proposals keep their own. */
export function chooseForAll(
  kind: 'propose' | 'move' | 'cancel',
  affected: readonly AffectedAppointment[],
): Record<string, Choice> {
  const possible = affected.filter(
    (appointment) =>
      appointment.kind === 'appointment' &&
      (kind === 'cancel' ? appointment.mayCancel : appointment.suggested),
  );
  return Object.fromEntries(
    possible.map((appointment) => [
      appointment._id,
      kind === 'cancel' ? { kind } : { kind, ...suggestedSlot(appointment) },
    ]),
  );
}

export function toDecision({ kind, date = '', time = '' }: Choice): Decision {
  if (kind === 'propose') return { date, time: normalizeTime(time) };
  if (kind === 'move') return { date, time: normalizeTime(time), move: true };
  return kind || 'keep';
}

/**
 * Summarize the result: "3 new times suggested and 2 appointments moved. We’ve notified the
 * patients."; empty if all appointments stay as they are.
 */
export function outcomeText(appointments: Record<string, Decision>): string {
  const decisions = Object.values(appointments);
  const count = (is: (decision: Decision) => boolean) => decisions.filter(is).length;
  const isTime = (decision: Decision) => typeof decision === 'object';
  const suggested = count((each) => isTime(each) && !(each as { move?: true }).move);
  const moved = count((each) => isTime(each) && (each as { move?: true }).move === true);
  const cancelled = count((each) => each === 'cancel');
  const withdrawn = count((each) => each === 'withdraw');
  const parts = [
    suggested > 0 &&
      plural(suggested, { one: '# new time suggested', other: '# new times suggested' }),
    moved > 0 && plural(moved, { one: '# appointment moved', other: '# appointments moved' }),
    cancelled > 0 &&
      plural(cancelled, { one: '# appointment cancelled', other: '# appointments cancelled' }),
    withdrawn > 0 &&
      plural(withdrawn, {
        one: '# suggested time withdrawn',
        other: '# suggested times withdrawn',
      }),
  ].filter((part) => part !== false);
  if (parts.length === 0) return '';
  const outcome = formatList(parts);
  return t`${outcome}. We’ve notified the patients.`;
}
