import { zoneLabel } from '@/lib/dates';
import { type Slot, viewerTime } from './freeSlots';

/** Whose clock a time is on: "London time", and one's own time where it differs, "London time, 05:00 your time". */
export function timeZoneLabel(slot: Slot, zone: string): string {
  const own = viewerTime(slot, zone);
  return own ? `${zoneLabel(zone)}, ${own} your time` : zoneLabel(zone);
}
