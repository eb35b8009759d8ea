import type { Role } from '@/api/types';
import { formatDayTime, inZone, viewerClock, zoneLabel } from '@/lib/dates';

/**
 * Format an instant for a reader. Patients read it in their own time zone (which is named if the
 * clinic's differs), doctors in the clinic's; admins, who see many clinics, are told the zone.
 */
export function formatInstantFor(reader: Role, instant: string, timeZone: string): string {
  const own = reader === 'patient' ? viewerClock(instant, timeZone) : null;
  const { date, time } = own ?? inZone(instant, timeZone);
  const clock = own ? ' your time' : reader === 'admin' ? ` ${zoneLabel(timeZone)}` : '';
  return formatDayTime(date, time) + clock;
}

/** Return what happens to a request without an answer. */
export function expiryText(doctor: string, respondBy: string, timeZone: string): string {
  return `If ${doctor} hasn’t replied by ${formatInstantFor('patient', respondBy, timeZone)}, your request expires.`;
}
