import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { lastChangeKey } from '@/api/queries';
import type { Appointment } from '@/api/types';

/** Return whether the patient asks the doctor to cancel or to move. */
export function hasPatientRequest(appointment: Appointment): boolean {
  return appointment.cancelRequest !== null || appointment.proposal?.proposedBy === 'patient';
}

/** Return whether the doctor has proposed another time that the patient has not answered yet. */
export function isAwaitingPatient(appointment: Appointment): boolean {
  return (
    isLive(appointment) &&
    appointment.proposal?.proposedBy === 'doctor' &&
    appointment.cancelRequest === null
  );
}

function isLive({ status }: Appointment): boolean {
  return status === 'pending' || status === 'confirmed';
}

/**
 * The rows of a part of the desk, with those that were dealt with here still among them until the
 * page is left, so that nothing slides away under the pointer. A row that the server names no more
 * stays when an act of this page is why; one that went by another hand goes.
 */
export function stableRows(
  kept: Map<string, Appointment>,
  rows: readonly Appointment[],
  belongs: (appointment: Appointment) => boolean,
  placed: (id: string) => Appointment | undefined = () => undefined,
): Appointment[] {
  const named = new Map(rows.map((appointment) => [appointment._id, appointment]));
  for (const [id, seen] of kept) {
    if (named.has(id)) continue;
    const last = placed(id) ?? seen;
    if (belongs(last)) kept.delete(id);
    else kept.set(id, last);
  }
  // A map keeps the place of what it knows; what is new comes after.
  for (const [id, appointment] of named) kept.set(id, appointment);
  return [...kept.values()];
}

export function useStableRows(
  rows: readonly Appointment[] | undefined,
  belongs: (appointment: Appointment) => boolean,
): Appointment[] | undefined {
  const client = useQueryClient();
  const kept = useRef(new Map<string, Appointment>());
  const placed = (id: string) => client.getQueryData<Appointment>(lastChangeKey(id));
  return rows && stableRows(kept.current, rows, belongs, placed);
}
