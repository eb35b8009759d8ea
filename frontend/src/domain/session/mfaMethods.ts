import type { SecondStepDue } from '@/api/types';

export type MfaMethod = SecondStepDue['methods'][number];

/** How a person shows a second step; the words on the button that changes to it. */
export const MFA_METHODS: Record<MfaMethod, string> = {
  code: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recoveryCode: 'Use a recovery code',
};
