import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { lastChangeKey } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { stableRows } from '@/domain/stableRows';

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

export function useStableRows(
  rows: readonly Appointment[] | undefined,
  isListed: (appointment: Appointment) => boolean,
): Appointment[] | undefined {
  const client = useQueryClient();
  const knownRows = useRef(new Map<string, Appointment>());
  const getChanged = (id: string) => client.getQueryData<Appointment>(lastChangeKey(id));
  return rows && stableRows(knownRows.current, rows, unlistedRow(isListed, getChanged));
}

/**
 * Return the last state of a missing row, unless that state belongs in the list: then it was
 * changed elsewhere.
 */
export function unlistedRow(
  isListed: (appointment: Appointment) => boolean,
  getChanged: (id: string) => Appointment | undefined = () => undefined,
) {
  return (id: string, lastSeen: Appointment): Appointment | undefined => {
    const latest = getChanged(id) ?? lastSeen;
    return isListed(latest) ? undefined : latest;
  };
}
