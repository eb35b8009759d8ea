import type { ReactNode } from 'react';
import type { AccountStatus, ApprovalState } from '@/api/types';
import { Badge, type BadgeTone } from '@/ui/Badge';
import { CheckIcon, ClockIcon, CloseIcon, PauseIcon, VerifiedIcon } from '@/ui/icons';

interface BadgeStyle {
  label: string;
  tone: BadgeTone;
  icon: ReactNode;
}

const ACCOUNT_BADGES: Record<AccountStatus, BadgeStyle> = {
  active: { label: 'Active', tone: 'green', icon: <CheckIcon size={18} /> },
  inactive: { label: 'Inactive', tone: 'neutral', icon: <PauseIcon size={18} /> },
};

export const APPROVAL_BADGES: Record<ApprovalState, BadgeStyle> = {
  pending: { label: 'Pending', tone: 'amber', icon: <ClockIcon size={18} /> },
  approved: { label: 'Approved', tone: 'green', icon: <VerifiedIcon size={18} /> },
  rejected: { label: 'Rejected', tone: 'red', icon: <CloseIcon size={18} /> },
  revoked: { label: 'Revoked', tone: 'red', icon: <CloseIcon size={18} /> },
};

/** The status of an account. */
export function AccountBadge({ status }: { status: AccountStatus }) {
  const { label, tone, icon } = ACCOUNT_BADGES[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** A doctor's verification status. */
export function ApprovalBadge({ state }: { state: ApprovalState }) {
  const { label, tone, icon } = APPROVAL_BADGES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
