import { Trans } from '@lingui/react/macro';
import { browserZone, zoneLabel } from '@/lib/dates';
import { type Slot, viewerTime } from '../freeSlots';

/** The time zone of the times, and whether the viewer's differs. */
export function ZoneNote({ zone, sample }: { zone: string; sample: Slot | null }) {
  const differs = sample && viewerTime(sample, zone);
  const clinicZone = zoneLabel(zone);
  const ownZone = zoneLabel(browserZone());
  return (
    <p className="muted small">
      {differs ? (
        <Trans>
          Times are in the clinic’s time zone ({clinicZone}). Your time ({ownZone}) is shown below
          each.
        </Trans>
      ) : (
        <Trans>Times are in the clinic’s time zone ({clinicZone}).</Trans>
      )}
    </p>
  );
}
