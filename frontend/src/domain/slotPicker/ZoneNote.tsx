import { browserZone, zoneLabel } from '@/lib/dates';
import { type Slot, viewerTime } from '../freeSlots';

/** The time zone of the times, and whether the viewer's differs. */
export function ZoneNote({ zone, sample }: { zone: string; sample: Slot | null }) {
  const differs = sample && viewerTime(sample, zone);
  return (
    <p className="muted small">
      Times are in the clinic’s time zone ({zoneLabel(zone)})
      {differs && `. Your time (${zoneLabel(browserZone())}) is shown below each`}.
    </p>
  );
}
