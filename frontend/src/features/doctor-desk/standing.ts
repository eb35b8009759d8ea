import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { placedKey } from '@/api/queries';
import type { Appointment } from '@/api/types';

/** Tell whether the patient asks something of the doctor: to cancel, or to move. */
export function asks(visit: Appointment): boolean {
  return visit.cancelRequest !== null || visit.proposal?.proposedBy === 'patient';
}

/**
 * The rows of a part of the desk, with those that were dealt with here still among them until the
 * page is left, so that nothing slides away under the pointer. A row that the server names no more
 * stays when an act of this page is why; one that went by another hand goes.
 */
export function standing(
  kept: Map<string, Appointment>,
  rows: readonly Appointment[],
  belongs: (visit: Appointment) => boolean,
  placed: (id: string) => Appointment | undefined = () => undefined,
): Appointment[] {
  const named = new Map(rows.map((visit) => [visit._id, visit]));
  for (const [id, seen] of kept) {
    if (named.has(id)) continue;
    const last = placed(id) ?? seen;
    if (belongs(last)) kept.delete(id);
    else kept.set(id, last);
  }
  // A map keeps the place of what it knows; what is new comes after.
  for (const [id, visit] of named) kept.set(id, visit);
  return [...kept.values()];
}

export function useStanding(
  rows: readonly Appointment[] | undefined,
  belongs: (visit: Appointment) => boolean,
): Appointment[] | undefined {
  const client = useQueryClient();
  const kept = useRef(new Map<string, Appointment>());
  const placed = (id: string) => client.getQueryData<Appointment>(placedKey(id));
  return rows && standing(kept.current, rows, belongs, placed);
}
