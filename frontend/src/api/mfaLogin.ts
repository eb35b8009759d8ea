import { call } from './client';
import type { SignedIn } from './endpoints';
import type { PasskeyCeremony, Role } from './types';

/** The second step of a sign-in, and signing in with a passkey alone. */

/** One of the three ways. */
export type SecondStepSent = { code: string } | { recoveryCode: string } | { passkey: unknown };

export const finishLogIn = (ticket: string, sent: SecondStepSent) =>
  call<SignedIn>('/auth/login/second', {
    method: 'POST',
    body: { ticket, ...sent },
    on401: 'keep',
  });

export const requestPasskey = () =>
  call<PasskeyCeremony>('/auth/login/passkey/options', { method: 'POST', anonymous: true });

export const logInWithPasskey = (body: { ticket: string; role: Role; passkey: unknown }) =>
  call<SignedIn>('/auth/login/passkey', { method: 'POST', body, on401: 'keep' });
