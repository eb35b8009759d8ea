import { Trans } from '@lingui/react/macro';
import { Badge } from '@/ui/Badge';
import { CheckIcon, ClockIcon } from '@/ui/icons';

/** Whether bookings are confirmed instantly or need the doctor's reply. */
export function ConfirmationBadge({ instant }: { instant: boolean }) {
  return instant ? (
    <Badge tone="green" icon={<CheckIcon size={18} />}>
      <Trans>Instant booking</Trans>
    </Badge>
  ) : (
    <Badge tone="neutral" icon={<ClockIcon size={18} />}>
      <Trans>Needs confirmation</Trans>
    </Badge>
  );
}
