import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { OwnCase, OwnCases } from '@/api/types';
import { missingApplicationText } from '@/domain/missingApplicationText';
import type { BadgeTone } from '@/ui/Badge';
import type { Tone } from '@/ui/Banner';

/** Texts of the verification status. */

export interface VerificationStatus {
  tone: Tone;
  title: string;
  text: string;
  /** The form's heading and button. */
  form: string;
  action: string;
  /** Whether the form is initially expanded. */
  open: boolean;
}

const isOpen = ({ state }: OwnCase) => state === 'open';

export function verificationStatus({
  approval,
  cases,
}: Pick<OwnCases, 'approval' | 'cases'>): VerificationStatus {
  const waits = cases.some(isOpen);
  const change = { form: t`Change your application`, action: t`Save changes`, open: false };
  switch (approval.state) {
    case 'approved':
      return waits
        ? {
            tone: 'success',
            title: t`You’re verified, and we’re checking your new license`,
            text: t`Patients can still find and book you.`,
            ...change,
          }
        : {
            tone: 'success',
            title: t`You’re verified`,
            text: t`Patients can find and book you. Send us your license again when you renew it.`,
            form: t`Send a renewed license`,
            action: t`Submit for review`,
            open: false,
          };
    case 'pending': {
      const gaps = missingApplicationText(cases);
      if (gaps) {
        const effect = t`Patients can’t find or book you until we’ve checked it.`;
        return {
          tone: 'warning',
          title: t`Your application isn’t complete yet`,
          text: `${gaps} ${effect}`,
          form: t`Complete your application`,
          action: t`Save changes`,
          open: true,
        };
      }
      return {
        tone: 'info',
        title: t`We’re verifying your license`,
        text: t`Patients can’t find or book you until we’re done. You can still add to your application.`,
        ...(waits ? change : { form: t`Apply`, action: t`Apply`, open: true }),
      };
    }
    case 'rejected':
      return {
        tone: 'warning',
        title: t`Your application wasn’t approved`,
        text: t`Patients can’t find or book you. You can reply below and apply again.`,
        form: t`Apply again`,
        action: t`Apply again`,
        open: true,
      };
    case 'revoked':
      return {
        tone: 'warning',
        title: t`We withdrew your approval`,
        text: t`Patients can’t find or book you. Existing appointments stay booked. You can apply again below.`,
        form: t`Apply again`,
        action: t`Apply again`,
        open: true,
      };
  }
}

/** The label of the state of an application. */
export const CASE_STATE_LABELS: Record<
  OwnCase['state'],
  { label: MessageDescriptor; tone: BadgeTone }
> = {
  open: { label: msg({ message: 'In review', context: 'status of an application' }), tone: 'blue' },
  approved: {
    label: msg({ message: 'Approved', context: 'status of an application' }),
    tone: 'green',
  },
  rejected: {
    label: msg({ message: 'Not approved', context: 'status of an application' }),
    tone: 'amber',
  },
  revoked: { label: msg`Approval withdrawn`, tone: 'amber' },
  withdrawn: {
    label: msg({ message: 'Withdrawn', context: 'status of an application' }),
    tone: 'neutral',
  },
};
