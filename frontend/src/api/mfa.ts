import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, send } from './client';

/** One's own two-step sign-in and passkeys. */

export const mfaQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: ({ signal }) =>
    call('GET /auth/second-step', { signal }).then(({ secondStep }) => secondStep),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call('GET /auth/passkeys', { signal }).then(({ passkeys }) => passkeys),
});

/** The password and the second factor, which changes to either require. */
export type ProofBody = BodyOf<'POST /auth/second-step/app/off'>;

/** The second factor in addition to the password; empty if the password is enough. */
export type FactorBody = Omit<ProofBody, 'currentPassword'>;

/** Request the challenge to sign with a passkey as the second factor. */
export const requestPasskeyChallenge = () => call('POST /auth/second-step/proof');

export const createAuthenticatorSecret = (body: ProofBody) =>
  call('POST /auth/second-step/app', { body }).then(({ secret }) => secret);

export const enableAuthenticatorApp = (code: string) =>
  send('PUT /auth/second-step/app', { body: { code } });

export const disableAuthenticatorApp = (body: ProofBody) =>
  send('POST /auth/second-step/app/off', { body });

export const createRecoveryCodes = (body: ProofBody) =>
  send('POST /auth/second-step/recovery-codes', { body });

export const requestPasskeyOptions = (body: ProofBody) =>
  call('POST /auth/passkeys/options', { body });

export const addPasskey = (body: BodyOf<'POST /auth/passkeys'>) =>
  send('POST /auth/passkeys', { body });

export const renamePasskey = (id: string, name: string) =>
  send('PUT /auth/passkeys/{id}', { path: { id }, body: { name } });

export const removePasskey = (id: string, body: ProofBody) =>
  send('POST /auth/passkeys/{id}/remove', { path: { id }, body });
