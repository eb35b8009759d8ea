import { Badge } from '@/ui/Badge';
import { CheckIcon, ClockIcon } from '@/ui/icons';

/** Whether bookings are confirmed instantly or need the doctor's reply. */
export function ConfirmationBadge({ instant }: { instant: boolean }) {
  return instant ? (
    <Badge tone="green" icon={<CheckIcon size={18} />}>
      Books at once
    </Badge>
  ) : (
    <Badge tone="neutral" icon={<ClockIcon size={18} />}>
      Doctor confirms
    </Badge>
  );
}
