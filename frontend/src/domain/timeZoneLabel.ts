import { t } from '@lingui/core/macro';
import { zoneLabel } from '@/lib/dates';
import { type Slot, viewerTime } from './freeSlots';

/**
 * Name the time zone of a time: "London time", with the user's own time if it differs, "London
 * time, 05:00 your time".
 */
export function timeZoneLabel(slot: Slot, zone: string): string {
  const own = viewerTime(slot, zone);
  const clinicZone = zoneLabel(zone);
  return own ? t`${clinicZone}, ${own} your time` : clinicZone;
}
