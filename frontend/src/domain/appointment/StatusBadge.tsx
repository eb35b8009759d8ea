import type { ReactNode } from 'react';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { Badge, type BadgeTone } from '@/ui/Badge';
import { CheckIcon, ClockIcon, CloseIcon, VerifiedIcon } from '@/ui/icons';

interface BadgeStyle {
  label: string;
  tone: BadgeTone;
  icon: ReactNode;
}

const BADGE_STYLES: Record<AppointmentStatus | 'noShow', BadgeStyle> = {
  pending: { label: 'Pending', tone: 'amber', icon: <ClockIcon size={18} /> },
  confirmed: { label: 'Confirmed', tone: 'green', icon: <CheckIcon size={18} /> },
  completed: { label: 'Completed', tone: 'blue', icon: <VerifiedIcon size={18} /> },
  noShow: { label: 'No-show', tone: 'red', icon: <CloseIcon size={18} /> },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: <CloseIcon size={18} /> },
};

/** An appointment's status in a word, a color and an icon; a missed one is a no-show. */
export function StatusBadge(props: Pick<Appointment, 'status' | 'attended'>) {
  const { label, tone, icon } = BADGE_STYLES[isNoShow(props) ? 'noShow' : props.status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** Return whether the patient did not come to an appointment that is closed. */
export function isNoShow({ status, attended }: Pick<Appointment, 'status' | 'attended'>): boolean {
  return status === 'completed' && attended === false;
}
