import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import type {
  AddedPasskey,
  AddedSecondStep,
  Passkey,
  PasskeyCeremony,
  RecoveryCodes,
  SecondStep,
  SecretShown,
} from './types';

/** Two-step sign-in and passkeys of the person who asks. */

export const mfaQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: ({ signal }) =>
    call<{ secondStep: SecondStep }>('/auth/second-step', { signal }).then(
      (data) => data.secondStep,
    ),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) =>
    call<{ passkeys: Passkey[] }>('/auth/passkeys', { signal }).then((data) => data.passkeys),
});

/** A current factor beside the password; empty where the password is enough. */
export interface FactorSent {
  code?: string;
  recoveryCode?: string;
  ticket?: string;
  passkey?: unknown;
}

/** The password and the factor, as a change of either is sent. */
export interface ProofSent extends FactorSent {
  currentPassword: string;
}

/** What the browser is to sign with a passkey, as a factor. */
export const beginProof = () =>
  call<PasskeyCeremony>('/auth/second-step/proof', { method: 'POST' });

export const startApp = (body: ProofSent) =>
  call<SecretShown>('/auth/second-step/app', { method: 'POST', body }).then((data) => data.secret);

export const enableAuthenticatorApp = (code: string) =>
  send<AddedSecondStep>('/auth/second-step/app', { method: 'PUT', body: { code } });

export const disableAuthenticatorApp = (body: ProofSent) =>
  send('/auth/second-step/app/off', { method: 'POST', body });

export const createRecoveryCodes = (body: ProofSent) =>
  send<RecoveryCodes>('/auth/second-step/recovery-codes', { method: 'POST', body });

export const beginPasskey = (body: ProofSent) =>
  call<PasskeyCeremony>('/auth/passkeys/options', { method: 'POST', body });

export const addPasskey = (body: { ticket: string; name: string; passkey: unknown }) =>
  send<AddedPasskey>('/auth/passkeys', { method: 'POST', body });

const passkeyPath = (id: string) => `/auth/passkeys/${encodeURIComponent(id)}`;

export const renamePasskey = (id: string, name: string) =>
  send(passkeyPath(id), { method: 'PUT', body: { name } });

export const removePasskey = (id: string, body: ProofSent) =>
  send(`${passkeyPath(id)}/remove`, { method: 'POST', body });
