import type { Role } from '@/api/types';
import { formatDayTime, inZone, viewerClock, zoneLabel } from '@/lib/dates';

/**
 * An instant as words for a reader. A patient reads it on their own clock (and is told so when the
 * clinic's shows another time), the desks on the clinic's; admins, who see clinics everywhere, are told the zone.
 */
export function formatInstantFor(reader: Role, instant: string, timeZone: string): string {
  const own = reader === 'patient' ? viewerClock(instant, timeZone) : null;
  const { date, time } = own ?? inZone(instant, timeZone);
  const clock = own ? ' your time' : reader === 'admin' ? ` ${zoneLabel(timeZone)}` : '';
  return formatDayTime(date, time) + clock;
}

/** Return what happens to a request that nobody answers. */
export function expiryText(doctor: string, respondBy: string, timeZone: string): string {
  return `If ${doctor} hasn’t replied by ${formatInstantFor('patient', respondBy, timeZone)}, your request expires.`;
}
