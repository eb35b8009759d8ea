import type { ReactNode } from 'react';
import type { AppointmentStatus } from '@/api/types';
import { Badge, type BadgeTone } from '@/ui/Badge';
import { CheckIcon, ClockIcon, CloseIcon, VerifiedIcon } from '@/ui/icons';

const LOOKS: Record<AppointmentStatus, { label: string; tone: BadgeTone; icon: ReactNode }> = {
  pending: { label: 'Pending', tone: 'amber', icon: <ClockIcon size={18} /> },
  confirmed: { label: 'Confirmed', tone: 'green', icon: <CheckIcon size={18} /> },
  completed: { label: 'Completed', tone: 'blue', icon: <VerifiedIcon size={18} /> },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: <CloseIcon size={18} /> },
};

/** An appointment's status in a word, a colour and an icon. */
export function StatusBadge({ status }: { status: AppointmentStatus }) {
  const { label, tone, icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
