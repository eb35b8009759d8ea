import type { OwnCase, OwnCases } from '@/api/types';
import { missingApplicationFields } from '@/domain/missingApplicationFields';
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
  const change = { form: 'Change your application', action: 'Save changes', open: false };
  switch (approval.state) {
    case 'approved':
      return waits
        ? {
            tone: 'success',
            title: 'You are verified, and your new license is being checked',
            text: 'Patients can still find and book you.',
            ...change,
          }
        : {
            tone: 'success',
            title: 'You are verified',
            text: 'Patients can find and book you. Send us your license again when it is renewed.',
            form: 'Send a renewed license',
            action: 'Send for checking',
            open: false,
          };
    case 'pending': {
      const gaps = missingApplicationFields(cases);
      if (gaps) {
        return {
          tone: 'warning',
          title: 'Your application is not complete yet',
          text: `To check your license we still need to know ${gaps}. Until it is checked patients cannot find or book you.`,
          form: 'Complete your application',
          action: 'Save changes',
          open: true,
        };
      }
      return {
        tone: 'info',
        title: 'We are checking your license',
        text: 'Until then patients cannot find or book you. You can still add to your application.',
        ...(waits ? change : { form: 'Apply', action: 'Apply', open: true }),
      };
    }
    case 'rejected':
      return {
        tone: 'warning',
        title: 'Your application was not approved',
        text: 'Patients cannot find or book you. You can answer below and apply again.',
        form: 'Apply again',
        action: 'Apply again',
        open: true,
      };
    case 'revoked':
      return {
        tone: 'warning',
        title: 'Your approval was withdrawn',
        text: 'Patients cannot find or book you. Appointments that are already booked stay booked. You can apply again below.',
        form: 'Apply again',
        action: 'Apply again',
        open: true,
      };
  }
}

/** The label of the state of an application. */
export const CASE_STATE_LABELS: Record<OwnCase['state'], { label: string; tone: BadgeTone }> = {
  open: { label: 'Being checked', tone: 'blue' },
  approved: { label: 'Approved', tone: 'green' },
  rejected: { label: 'Not approved', tone: 'amber' },
  revoked: { label: 'Approval withdrawn', tone: 'amber' },
  withdrawn: { label: 'Taken back', tone: 'neutral' },
};
