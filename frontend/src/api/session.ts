import { type BodyOf, type CallOptions, call } from './client';
import type { SecondStepDue, User } from './types';

/** Start, check and end a session. */

export interface SignedIn {
  token: string;
  user: User;
}

/** The password was right, and the second step is required. */
export interface MfaRequired {
  secondStep: SecondStepDue;
}

export const logIn = (body: BodyOf<'POST /auth/login'>): Promise<SignedIn | MfaRequired> =>
  call('POST /auth/login', { body, on401: 'keep' });

/** End the session on the server; an already ended session must not redirect. */
export const logOut = () => call('POST /auth/logout', { on401: 'quiet' });

export type RegistrationBody = BodyOf<'POST /auth/register/patient' | 'POST /auth/register/doctor'>;

export const register = (role: 'patient' | 'doctor', body: RegistrationBody) =>
  call(role === 'doctor' ? 'POST /auth/register/doctor' : 'POST /auth/register/patient', {
    body,
    on401: 'keep',
  });

/** Load the profile at start; a 401 only removes the token. */
export const getProfile = (options?: Pick<CallOptions, 'signal'>) =>
  call('GET /auth/profile', { ...options, on401: 'quiet' }).then(({ user }) => user);

/** Keep the session alive; unlike at start, an ended one goes to sign-in. */
export const touchSession = () => call('GET /auth/profile').then(({ user }) => user);
