import { plural, t } from '@lingui/core/macro';
import type { Appointment, AppointmentRecord, PrescribedItem } from '@/api/types';
import { addDays, formatFullDay } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';

/** The record fields of an appointment. */
export type RecordText = Pick<AppointmentRecord, 'diagnosis' | 'prescription' | 'followUpDays'> & {
  notes: string;
};

/** Return the record of an appointment. */
export function recordContent(appointment: Appointment): RecordText {
  const { diagnosis, prescription, followUpDays } = appointment;
  return { diagnosis, prescription, followUpDays, notes: appointment.notes.doctor };
}

/** Return the record as patients see it, with the specification's texts for empty fields. */
export function recordText(record: RecordText) {
  const notes = record.notes.trim();
  const diagnosis = record.diagnosis.trim();
  return {
    diagnosis: diagnosis || notes || t`No diagnosis/notes provided.`,
    prescription:
      record.prescription.notes.trim() ||
      (record.prescription.items.length > 0 ? '' : t`No prescription provided.`),
    /** Omitted if they already replace the diagnosis. */
    notes: diagnosis ? notes : '',
  };
}

/** Whether there is a prescription for a pharmacy; advice alone is none. */
export function hasMedicines({ prescription }: Pick<RecordText, 'prescription'>): boolean {
  return prescription.items.length > 0;
}

/** Whether anything is prescribed or advised. */
export function hasPrescription({ prescription }: Pick<RecordText, 'prescription'>): boolean {
  return prescription.items.length > 0 || prescription.notes.trim() !== '';
}

/** Return whether nothing at all is written. */
export function isBlank(record: RecordText): boolean {
  return (
    !record.diagnosis.trim() &&
    !record.notes.trim() &&
    !hasPrescription(record) &&
    record.followUpDays === null
  );
}

/** Format how to take a medicine: "500 mg, 3 times a day, for 7 days". */
export function dosageText({ dose, frequency, days }: PrescribedItem): string {
  const time = days !== null && plural(days, { one: 'for # day', other: 'for # days' });
  return formatFacts([dose, frequency, time]);
}

/**
 * Format when to come back, counted from the appointment: "in 2 weeks, around Tuesday 22 December
 * 2026".
 */
export function followUpText(days: number, appointmentDate: string): string {
  const day = formatFullDay(addDays(appointmentDate, days));
  if (days % 7 === 0 && days <= 84) {
    const weeks = days / 7;
    return plural(weeks, {
      one: `in # week, around ${day}`,
      other: `in # weeks, around ${day}`,
    });
  }
  return plural(days, { one: `in # day, around ${day}`, other: `in # days, around ${day}` });
}

/** Format the number of changes, "Changed 2 times"; empty if there are none. */
export function changeCountText(version: number): string {
  if (version <= 1) return '';
  const changes = version - 1;
  return plural(changes, { 1: 'Changed once', other: 'Changed # times' });
}
