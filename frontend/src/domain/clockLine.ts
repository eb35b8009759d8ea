import { zoneLabel } from '@/lib/dates';
import { ownClock, type Slot } from './freeTimes';

/** Whose clock a time is on: "London time", and one's own time where it differs, "London time, 05:00 your time". */
export function clockLine(slot: Slot, zone: string): string {
  const own = ownClock(slot, zone);
  return own ? `${zoneLabel(zone)}, ${own} your time` : zoneLabel(zone);
}
