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

export const secondStepQuery = queryOptions({
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

export const startApp = (currentPassword: string) =>
  call<SecretShown>('/auth/second-step/app', { method: 'POST', body: { currentPassword } }).then(
    (data) => data.secret,
  );

export const turnAppOn = (code: string) =>
  send<AddedSecondStep>('/auth/second-step/app', { method: 'PUT', body: { code } });

export const turnAppOff = (
  body: { currentPassword: string } & ({ code: string } | { recoveryCode: string }),
) => send('/auth/second-step/app/off', { method: 'POST', body });

export const makeRecoveryCodes = (currentPassword: string) =>
  send<RecoveryCodes>('/auth/second-step/recovery-codes', {
    method: 'POST',
    body: { currentPassword },
  });

export const beginPasskey = (currentPassword: string) =>
  call<PasskeyCeremony>('/auth/passkeys/options', { method: 'POST', body: { currentPassword } });

export const addPasskey = (body: { ticket: string; name: string; passkey: unknown }) =>
  send<AddedPasskey>('/auth/passkeys', { method: 'POST', body });

const passkeyPath = (id: string) => `/auth/passkeys/${encodeURIComponent(id)}`;

export const renamePasskey = (id: string, name: string) =>
  send(passkeyPath(id), { method: 'PUT', body: { name } });

export const removePasskey = (id: string, currentPassword: string) =>
  send(`${passkeyPath(id)}/remove`, { method: 'POST', body: { currentPassword } });
