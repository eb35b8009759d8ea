import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { SecondStepDue } from '@/api/types';

export type MfaMethod = SecondStepDue['methods'][number];

/** Methods of the second step, with the labels of their buttons. */
export const MFA_METHODS: Record<MfaMethod, MessageDescriptor> = {
  code: msg`Use your authenticator app`,
  passkey: msg`Use a passkey`,
  recoveryCode: msg`Use a recovery code`,
};
