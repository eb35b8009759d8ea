import { t } from '@lingui/core/macro';
import type { Interval, Schedule, Week } from '@/api/types';
import { checkHours } from '@/domain/schedule/hours';
import { addDays, daysBetween, isDate } from '@/lib/dates';
import { orderedWeekdays } from '@/lib/weekStart';

/** The edited schedule with the names of the API; numbers are text as typed. */
export interface Draft {
  timeZone: string;
  visitMinutes: string;
  bufferMinutes: string;
  minNoticeMinutes: string;
  maxDaysAhead: string;
  instantConfirmation: boolean;
  /** In hours; empty if patients can never cancel by themselves. */
  cancelCutoffHours: string;
  weeklyHours: Week;
  overrides: Override[];
  blocked: BlockedInterval[];
}

export type Override = Schedule['overrides'][number];
export type BlockedInterval = Schedule['blocked'][number];

/** Four weeks. */
const MAX_CUTOFF_HOURS = 672;
/** The limit of the server. */
const MAX_OVERRIDES = 400;

export function toDraft(schedule: Schedule): Draft {
  return {
    timeZone: schedule.timeZone,
    visitMinutes: String(schedule.visitMinutes),
    bufferMinutes: String(schedule.bufferMinutes),
    minNoticeMinutes: String(schedule.minNoticeMinutes),
    maxDaysAhead: String(schedule.maxDaysAhead),
    instantConfirmation: schedule.instantConfirmation,
    cancelCutoffHours:
      schedule.cancelCutoffHours === null ? '' : String(schedule.cancelCutoffHours),
    weeklyHours: schedule.weeklyHours,
    overrides: schedule.overrides,
    blocked: schedule.blocked,
  };
}

/** The request body; absences have requests of their own. */
export function toSchedule(draft: Draft): Omit<Schedule, 'absences'> {
  return {
    ...draft,
    cancelCutoffHours:
      draft.cancelCutoffHours.trim() === '' ? null : Number(draft.cancelCutoffHours),
    visitMinutes: Number(draft.visitMinutes),
    bufferMinutes: Number(draft.bufferMinutes),
    minNoticeMinutes: Number(draft.minNoticeMinutes),
    maxDaysAhead: Number(draft.maxDaysAhead),
  };
}

export function isSameDraft(a: Draft, b: Draft): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isWholeNumber(text: string, min: number, max: number): boolean {
  const number = Number(text);
  return text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max;
}

/** Errors by field, with the names of the server. */
export function checkDraft(draft: Draft): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!isWholeNumber(draft.visitMinutes, 5, 240)) {
    errors.visitMinutes = t`Enter the appointment length as a whole number from 5 to 240.`;
  }
  if (!isWholeNumber(draft.bufferMinutes, 0, 240)) {
    errors.bufferMinutes = t`Enter the buffer as a whole number from 0 to 240.`;
  }
  if (!isWholeNumber(draft.maxDaysAhead, 1, 730)) {
    errors.maxDaysAhead = t`Enter the booking window as a whole number from 1 to 730.`;
  }
  const cutoff = draft.cancelCutoffHours;
  if (cutoff.trim() !== '' && !isWholeNumber(cutoff, 0, MAX_CUTOFF_HOURS)) {
    const max = MAX_CUTOFF_HOURS;
    errors.cancelCutoffHours = t`Enter the hours before as a whole number from 0 to ${max}.`;
  }
  for (const day of orderedWeekdays()) {
    Object.assign(errors, checkHours(draft.weeklyHours[day], `weeklyHours.${day}`));
  }
  draft.overrides.forEach(({ hours }, index) => {
    Object.assign(errors, checkHours(hours, `overrides.${index}.hours`));
  });
  draft.blocked.forEach((blocked, index) => {
    if (!isDate(blocked.date)) errors[`blocked.${index}.date`] = t`Enter a date.`;
    for (const [name, sentence] of Object.entries(checkHours([blocked], 'x', { onOneDay: true }))) {
      errors[name.replace('x.0', `blocked.${index}`)] = sentence;
    }
  });
  return errors;
}

/** Set the override of a date, or remove it with null; dates stay in order. */
export function withOverride(
  overrides: readonly Override[],
  date: string,
  override: { hours: Interval[]; reason: string } | null,
): Override[] {
  const others = overrides.filter((each) => each.date !== date);
  if (!override) return others;
  return [...others, { date, ...override }].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Validate a range of days off; return errors by field. */
export function checkDaysOff(
  overrides: readonly Override[],
  from: string,
  to: string,
  today: string,
): { from?: string; to?: string } {
  if (!isDate(from)) return { from: t`Enter the first day off.` };
  if (from < today) return { from: t`The first day off has already passed.` };
  if (!isDate(to)) return { to: t`Enter the last day off.` };
  if (to < from) return { to: t`The last day off is before the first.` };
  const outside = overrides.filter(({ date }) => date < from || date > to).length;
  if (outside + daysBetween(from, to) + 1 > MAX_OVERRIDES) {
    const max = MAX_OVERRIDES;
    return { to: t`A schedule can have up to ${max} exceptions. Please choose fewer days.` };
  }
  return {};
}

/** Make every day of a range a day off, replacing existing overrides. */
export function withDaysOff(
  overrides: readonly Override[],
  from: string,
  to: string,
  reason: string,
): Override[] {
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => ({
    date: addDays(from, index),
    hours: [],
    reason,
  }));
  const others = overrides.filter(({ date }) => date < from || date > to);
  return [...others, ...days].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Group overrides for the list: consecutive days off with the same reason are one entry. */
export interface OverrideGroup {
  from: string;
  to: string;
  hours: Interval[];
  reason: string;
  /** Their indexes among the overrides. */
  indexes: number[];
}

export function groupOverrides(overrides: readonly Override[]): OverrideGroup[] {
  const groups: OverrideGroup[] = [];
  overrides.forEach(({ date, hours, reason }, index) => {
    const last = groups.at(-1);
    const continuesLast =
      last?.hours.length === 0 &&
      hours.length === 0 &&
      last.reason === reason &&
      addDays(last.to, 1) === date;
    if (last && continuesLast) {
      last.to = date;
      last.indexes.push(index);
    } else {
      groups.push({ from: date, to: date, hours, reason, indexes: [index] });
    }
  });
  return groups;
}

/** An unsaved draft, kept for its author while the tab is open. */
let storedDraft: { userId: string; draft: Draft } | null = null;

export function readDraft(userId: string): Draft | null {
  return storedDraft?.userId === userId ? storedDraft.draft : null;
}

export function storeDraft(userId: string, draft: Draft | null): void {
  storedDraft = draft && { userId, draft };
}
