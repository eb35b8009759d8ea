import type { Appointment } from '@/api/types';

/** What a record says; the specification gives the words for what was left empty. */
export function recordOf(visit: Appointment) {
  const doctorNotes = visit.notes.doctor.trim();
  const diagnosis = visit.diagnosis.trim();
  return {
    diagnosis: diagnosis || doctorNotes || 'No diagnosis/notes provided.',
    prescription: visit.prescription.notes.trim() || 'No prescription provided.',
    /** Only where they are not standing in for the diagnosis already. */
    doctorNotes: diagnosis ? doctorNotes : '',
    patientNotes: visit.notes.patient.trim(),
  };
}
