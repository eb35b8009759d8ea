import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { Badge, type BadgeTone } from '@/ui/Badge';
import { CheckIcon, ClockIcon, CloseIcon, VerifiedIcon } from '@/ui/icons';

interface BadgeStyle {
  label: MessageDescriptor;
  tone: BadgeTone;
  icon: ReactNode;
}

const BADGE_STYLES: Record<AppointmentStatus | 'noShow', BadgeStyle> = {
  pending: {
    label: msg({ message: 'Pending', context: 'status of an appointment' }),
    tone: 'amber',
    icon: <ClockIcon size={18} />,
  },
  confirmed: {
    label: msg({ message: 'Confirmed', context: 'status of an appointment' }),
    tone: 'green',
    icon: <CheckIcon size={18} />,
  },
  completed: {
    label: msg({ message: 'Completed', context: 'status of an appointment' }),
    tone: 'blue',
    icon: <VerifiedIcon size={18} />,
  },
  noShow: {
    label: msg({ message: 'No-show', context: 'status of an appointment' }),
    tone: 'red',
    icon: <CloseIcon size={18} />,
  },
  cancelled: {
    label: msg({ message: 'Cancelled', context: 'status of an appointment' }),
    tone: 'neutral',
    icon: <CloseIcon size={18} />,
  },
};

/** An appointment's status in a word, a color and an icon; a missed one is a no-show. */
export function StatusBadge(props: Pick<Appointment, 'status' | 'attended'>) {
  const { t } = useLingui();
  const { label, tone, icon } = badgeStyle(props);
  return (
    <Badge tone={tone} icon={icon}>
      {t(label)}
    </Badge>
  );
}

function badgeStyle(appointment: Pick<Appointment, 'status' | 'attended'>): BadgeStyle {
  return BADGE_STYLES[isNoShow(appointment) ? 'noShow' : appointment.status];
}

/** Return an appointment's status in a word, as its badge has it. */
export function statusLabel(
  appointment: Pick<Appointment, 'status' | 'attended'>,
): MessageDescriptor {
  return badgeStyle(appointment).label;
}

/** Return whether the patient did not come to an appointment that is closed. */
export function isNoShow({ status, attended }: Pick<Appointment, 'status' | 'attended'>): boolean {
  return status === 'completed' && attended === false;
}
