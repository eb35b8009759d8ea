import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AccountStatus, ApprovalState } from '@/api/types';
import { Badge, type BadgeTone } from '@/ui/Badge';
import { CheckIcon, ClockIcon, CloseIcon, VerifiedIcon } from '@/ui/icons';
import { PauseIcon } from '@/ui/pageIcons';

interface BadgeStyle {
  label: MessageDescriptor;
  tone: BadgeTone;
  icon: ReactNode;
}

export const ACCOUNT_BADGES: Record<AccountStatus, BadgeStyle> = {
  active: {
    label: msg({ message: 'Active', context: 'account' }),
    tone: 'green',
    icon: <CheckIcon size={18} />,
  },
  inactive: {
    label: msg({ message: 'Inactive', context: 'account' }),
    tone: 'neutral',
    icon: <PauseIcon size={18} />,
  },
};

export const APPROVAL_BADGES: Record<ApprovalState, BadgeStyle> = {
  pending: {
    label: msg({ message: 'Pending', context: 'doctor' }),
    tone: 'amber',
    icon: <ClockIcon size={18} />,
  },
  approved: {
    label: msg({ message: 'Approved', context: 'doctor' }),
    tone: 'green',
    icon: <VerifiedIcon size={18} />,
  },
  rejected: {
    label: msg({ message: 'Rejected', context: 'doctor' }),
    tone: 'red',
    icon: <CloseIcon size={18} />,
  },
  revoked: {
    label: msg({ message: 'Revoked', context: 'doctor' }),
    tone: 'red',
    icon: <CloseIcon size={18} />,
  },
};

/** The status of an account. */
export function AccountBadge({ status }: { status: AccountStatus }) {
  const { t } = useLingui();
  const { label, tone, icon } = ACCOUNT_BADGES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {t(label)}
    </Badge>
  );
}

/** A doctor's verification status. */
export function ApprovalBadge({ state }: { state: ApprovalState }) {
  const { t } = useLingui();
  const { label, tone, icon } = APPROVAL_BADGES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {t(label)}
    </Badge>
  );
}
