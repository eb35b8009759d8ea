import type { Appointment } from '@/api/types';

/**
 * Merge the server's rows into the rows on the page. A row that the server no longer lists stays in its
 * place with what `resolveMissing` returns for it, so that nothing moves under the pointer until the page
 * is left; without a result it is removed.
 */
export function stableRows(
  knownRows: Map<string, Appointment>,
  rows: readonly Appointment[],
  resolveMissing: (id: string, lastSeen: Appointment) => Appointment | undefined,
): Appointment[] {
  const listedRows = new Map(rows.map((appointment) => [appointment._id, appointment]));
  for (const [id, lastSeen] of knownRows) {
    if (listedRows.has(id)) continue;
    const row = resolveMissing(id, lastSeen);
    if (row) knownRows.set(id, row);
    else knownRows.delete(id);
  }
  // A map keeps the order of its keys; new rows come last.
  for (const [id, appointment] of listedRows) knownRows.set(id, appointment);
  return [...knownRows.values()];
}
