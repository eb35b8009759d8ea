import { Badge } from '@/ui/Badge';
import { CheckIcon, ClockIcon } from '@/ui/icons';

/** What a booking with this doctor does: stand at once, or wait for the doctor's answer. */
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
