import { hasCode } from '@/api/errors';
import type { AppointmentRecord, DraftContent, RecordContent } from '@/api/types';
import type { FieldErrors } from '@/ui/useForm';

/** A record while it is written: numbers are text as typed, the names are those of the wire. */
export interface Typed {
  diagnosis: string;
  notes: string;
  'prescription.items': Row[];
  'prescription.notes': string;
  followUpDays: string;
}

/** One medicine. The id belongs to the row on the page, whatever moves above it. */
export interface Row {
  id: number;
  medicine: string;
  dose: string;
  frequency: string;
  days: string;
}

export const MAX_TEXT = 4000;
export const MAX_ITEMS = 30;
export const MAX_DAYS = 365;
export const MAX_FOLLOW_UP = 730;

let lastRow = 0;

export function newRow(item: Partial<Omit<Row, 'id'>> = {}): Row {
  lastRow += 1;
  return { medicine: '', dose: '', frequency: '', days: '', ...item, id: lastRow };
}

const text = (number: string | number | null) => (number === null ? '' : String(number));

/** Put what is written, or was being written, into the form. */
export function valuesOf(content: RecordContent | DraftContent): Typed {
  return {
    diagnosis: content.diagnosis,
    notes: content.notes,
    'prescription.items': content.prescription.items.map((item) =>
      newRow({ ...item, days: text(item.days) }),
    ),
    'prescription.notes': content.prescription.notes,
    followUpDays: text(content.followUpDays),
  };
}

const isEmpty = ({ medicine, dose, frequency, days }: Row) =>
  `${medicine}${dose}${frequency}${days}`.trim() === '';

/** The rows that say something: a row that was only added is none. */
const filledRows = (typed: Typed) => typed['prescription.items'].filter((row) => !isEmpty(row));

/** What the server keeps while one types, half-typed numbers and all. */
export function draftOf(typed: Typed): DraftContent {
  return {
    diagnosis: typed.diagnosis,
    notes: typed.notes,
    prescription: {
      notes: typed['prescription.notes'],
      items: filledRows(typed).map(({ id: _, ...item }) => item),
    },
    followUpDays: typed.followUpDays,
  };
}

const number = (digits: string) => (digits.trim() === '' ? null : Number(digits));

/** The record to be written; `check` has found nothing. */
export function recordOf(typed: Typed): RecordContent {
  return {
    diagnosis: typed.diagnosis.trim(),
    notes: typed.notes.trim(),
    prescription: {
      notes: typed['prescription.notes'].trim(),
      items: filledRows(typed).map((row) => ({
        medicine: row.medicine.trim(),
        dose: row.dose.trim(),
        frequency: row.frequency.trim(),
        days: number(row.days),
      })),
    },
    followUpDays: number(typed.followUpDays),
  };
}

function plain({ diagnosis, notes, prescription, followUpDays }: RecordContent | DraftContent) {
  return JSON.stringify([
    diagnosis.trim(),
    notes.trim(),
    prescription.notes.trim(),
    prescription.items.map(({ medicine, dose, frequency, days }) => [
      medicine.trim(),
      dose.trim(),
      frequency.trim(),
      text(days).trim(),
    ]),
    text(followUpDays).trim(),
  ]);
}

/** Return whether two drafts say the same. */
export function sameContent(
  one: RecordContent | DraftContent,
  other: RecordContent | DraftContent,
): boolean {
  return plain(one) === plain(other);
}

function checkDays(digits: string, most: number): string | undefined {
  const days = number(digits);
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= most)) return undefined;
  return `Enter a whole number of days from 1 to ${most}`;
}

/** What keeps a record from being written, by field. */
export function check(typed: Typed): FieldErrors {
  const found: FieldErrors = {};
  typed['prescription.items'].forEach((row, at) => {
    if (isEmpty(row)) return;
    const name = `prescription.items.${at}`;
    if (!row.medicine.trim()) found[`${name}.medicine`] = 'Enter the name of the medicine';
    const days = checkDays(row.days, MAX_DAYS);
    if (days) found[`${name}.days`] = days;
  });
  const followUp = checkDays(typed.followUpDays, MAX_FOLLOW_UP);
  if (followUp) found.followUpDays = followUp;
  return found;
}

/** The server counts only the rows that say something: give its errors the rows of the page. */
export function onPage(errors: Record<string, string[]>, typed: Typed): Record<string, string[]> {
  const rows = typed['prescription.items'];
  const places = filledRows(typed).map((row) => rows.indexOf(row));
  return Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [
      name
        .replace(/^visit\./, '')
        .replace(/^prescription\.items\.(\d+)/, (whole, at: string) =>
          places[Number(at)] === undefined ? whole : `prescription.items.${places[Number(at)]}`,
        ),
      sentences,
    ]),
  );
}

/** Return the current record from an error that says it was changed in the meantime, else null. */
export function currentRecordIn(error: unknown): AppointmentRecord | null {
  return hasCode(error, 'record_changed')
    ? ((error.data.record as AppointmentRecord) ?? null)
    : null;
}
