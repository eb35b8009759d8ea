import { t } from '@lingui/core/macro';
import type { Role } from '@/api/types';
import { formatDayTime, inZone, viewerClock, zoneLabel } from '@/lib/dates';

/**
 * Format an instant for a reader. Patients read it in their own time zone (which is named if the
 * clinic's differs), doctors in the clinic's; admins, who see many clinics, are told the zone.
 */
export function formatInstantFor(reader: Role, instant: string, timeZone: string): string {
  const own = reader === 'patient' ? viewerClock(instant, timeZone) : null;
  const { date, time } = own ?? inZone(instant, timeZone);
  const dayTime = formatDayTime(date, time);
  if (own) return t`${dayTime} your time`;
  return reader === 'admin' ? `${dayTime} ${zoneLabel(timeZone)}` : dayTime;
}

/** Return what happens to a request without an answer. */
export function expiryText(doctor: string, respondBy: string, timeZone: string): string {
  const deadline = formatInstantFor('patient', respondBy, timeZone);
  return t`If ${doctor} hasn’t replied by ${deadline}, your request expires.`;
}
