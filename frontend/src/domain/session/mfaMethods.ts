import type { SecondStepDue } from '@/api/types';

export type MfaMethod = SecondStepDue['methods'][number];

/** Methods of the second step, with the labels of their buttons. */
export const MFA_METHODS: Record<MfaMethod, string> = {
  code: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recoveryCode: 'Use a recovery code',
};
