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
  knownRows: Map<string, Appointment>,
  rows: readonly Appointment[],
  isListed: (appointment: Appointment) => boolean,
  getChanged: (id: string) => Appointment | undefined = () => undefined,
): Appointment[] {
  const listedRows = new Map(rows.map((appointment) => [appointment._id, appointment]));
  for (const [id, seen] of knownRows) {
    if (listedRows.has(id)) continue;
    const last = getChanged(id) ?? seen;
    if (isListed(last)) knownRows.delete(id);
    else knownRows.set(id, last);
  }
  // A map keeps the place of what it knows; what is new comes after.
  for (const [id, appointment] of listedRows) knownRows.set(id, appointment);
  return [...knownRows.values()];
}

export function useStableRows(
  rows: readonly Appointment[] | undefined,
  isListed: (appointment: Appointment) => boolean,
): Appointment[] | undefined {
  const client = useQueryClient();
  const knownRows = useRef(new Map<string, Appointment>());
  const getChanged = (id: string) => client.getQueryData<Appointment>(lastChangeKey(id));
  return rows && stableRows(knownRows.current, rows, isListed, getChanged);
}
