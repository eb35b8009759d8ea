import { t } from '@lingui/core/macro';
import { hasCode } from '@/api/errors';
import type { AppointmentRecord, DraftContent, RecordContent } from '@/api/types';
import type { FieldErrors } from '@/ui/useForm';

/** A record in the form: numbers are text as typed, names are those of the API. */
export interface RecordValues {
  diagnosis: string;
  notes: string;
  'prescription.items': MedicineRow[];
  'prescription.notes': string;
  followUpDays: string;
}

/** One medicine. The id identifies the row when others above it change. */
export interface MedicineRow {
  id: number;
  medicine: string;
  dose: string;
  frequency: string;
  days: string;
}

export const MAX_TEXT_LENGTH = 4000;
export const MAX_MEDICINES = 30;
export const MAX_DAYS = 365;
export const MAX_FOLLOW_UP_DAYS = 730;

let lastRow = 0;

export function newRow(item: Partial<Omit<MedicineRow, 'id'>> = {}): MedicineRow {
  lastRow += 1;
  return { medicine: '', dose: '', frequency: '', days: '', ...item, id: lastRow };
}

const toText = (parseNumber: string | number | null) =>
  parseNumber === null ? '' : String(parseNumber);

/** Convert a record or draft to form values. */
export function toFormValues(content: RecordContent | DraftContent): RecordValues {
  return {
    diagnosis: content.diagnosis,
    notes: content.notes,
    'prescription.items': content.prescription.items.map((item) =>
      newRow({ ...item, days: toText(item.days) }),
    ),
    'prescription.notes': content.prescription.notes,
    followUpDays: toText(content.followUpDays),
  };
}

const isEmpty = ({ medicine, dose, frequency, days }: MedicineRow) =>
  `${medicine}${dose}${frequency}${days}`.trim() === '';

/** Return the rows that are not blank. */
const filledRows = (values: RecordValues) =>
  values['prescription.items'].filter((row) => !isEmpty(row));

/** Convert form values to a draft, including incomplete numbers. */
export function toDraft(values: RecordValues): DraftContent {
  return {
    diagnosis: values.diagnosis,
    notes: values.notes,
    prescription: {
      notes: values['prescription.notes'],
      items: filledRows(values).map(({ id: _, ...item }) => item),
    },
    followUpDays: values.followUpDays,
  };
}

const parseNumber = (digits: string) => (digits.trim() === '' ? null : Number(digits));

/** Convert valid form values to a record. */
export function toRecord(values: RecordValues): RecordContent {
  return {
    diagnosis: values.diagnosis.trim(),
    notes: values.notes.trim(),
    prescription: {
      notes: values['prescription.notes'].trim(),
      items: filledRows(values).map((row) => ({
        medicine: row.medicine.trim(),
        dose: row.dose.trim(),
        frequency: row.frequency.trim(),
        days: parseNumber(row.days),
      })),
    },
    followUpDays: parseNumber(values.followUpDays),
  };
}

function normalize({ diagnosis, notes, prescription, followUpDays }: RecordContent | DraftContent) {
  return JSON.stringify([
    diagnosis.trim(),
    notes.trim(),
    prescription.notes.trim(),
    prescription.items.map(({ medicine, dose, frequency, days }) => [
      medicine.trim(),
      dose.trim(),
      frequency.trim(),
      toText(days).trim(),
    ]),
    toText(followUpDays).trim(),
  ]);
}

/** Return whether two drafts are equal. */
export function hasSameContent(
  one: RecordContent | DraftContent,
  other: RecordContent | DraftContent,
): boolean {
  return normalize(one) === normalize(other);
}

function checkDays(digits: string, max: number): string | undefined {
  const days = parseNumber(digits);
  if (days === null || (Number.isInteger(days) && days >= 1 && days <= max)) return undefined;
  return t`Enter a whole number of days from 1 to ${max}`;
}

/** Validate the form; return errors by field. */
export function checkRecord(values: RecordValues): FieldErrors {
  const errors: FieldErrors = {};
  values['prescription.items'].forEach((row, at) => {
    if (isEmpty(row)) return;
    const name = `prescription.items.${at}`;
    if (!row.medicine.trim()) errors[`${name}.medicine`] = t`Enter the name of the medicine`;
    const days = checkDays(row.days, MAX_DAYS);
    if (days) errors[`${name}.days`] = days;
  });
  const followUp = checkDays(values.followUpDays, MAX_FOLLOW_UP_DAYS);
  if (followUp) errors.followUpDays = followUp;
  return errors;
}

/** The server counts only rows that are not blank: map its errors to the page's rows. */
export function toRowErrors(
  errors: Record<string, string[]>,
  values: RecordValues,
): Record<string, string[]> {
  const rows = values['prescription.items'];
  const rowIndexes = filledRows(values).map((row) => rows.indexOf(row));
  return Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [
      name
        .replace(/^visit\./, '')
        .replace(/^prescription\.items\.(\d+)/, (whole, at: string) =>
          rowIndexes[Number(at)] === undefined
            ? whole
            : `prescription.items.${rowIndexes[Number(at)]}`,
        ),
      sentences,
    ]),
  );
}

/** Return the current record if the error is an edit conflict, else null. */
export function getCurrentRecord(error: unknown): AppointmentRecord | null {
  return hasCode(error, 'record_changed')
    ? ((error.data.record as AppointmentRecord) ?? null)
    : null;
}
