import { type BodyOf, call } from './client';

/** The second step of a sign-in, and signing in with a passkey alone. */

/** One of the three methods. */
export type SecondStepBody = Omit<BodyOf<'POST /auth/login/second'>, 'ticket'>;

export const completeLogIn = (ticket: string, body: SecondStepBody) =>
  call('POST /auth/login/second', { body: { ticket, ...body }, on401: 'keep' });

export const requestPasskeyLogIn = () =>
  call('POST /auth/login/passkey/options', { anonymous: true });

export const logInWithPasskey = (body: BodyOf<'POST /auth/login/passkey'>) =>
  call('POST /auth/login/passkey', { body, on401: 'keep' });
