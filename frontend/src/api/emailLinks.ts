import { type BodyOf, send } from './client';

/** Actions of emailed links, signed in or not: the link identifies the account. */

// An expired token must not prevent a password reset.
const BY_LINK = { anonymous: true, on401: 'keep' } as const;

/** Request a password reset link; the response is the same for unknown addresses. */
export const requestPasswordReset = (email: string) =>
  send('POST /auth/password/reset', { ...BY_LINK, body: { email } });

/** Check whether a password reset link is still valid; changes nothing. */
export const checkResetLink = (token: string) =>
  send('POST /auth/password/reset/check', { ...BY_LINK, body: { token } });

/** Set a new password; every session of the account ends. */
export const resetPassword = (body: BodyOf<'POST /auth/password/reset/confirm'>) =>
  send('POST /auth/password/reset/confirm', { ...BY_LINK, body });

/** Confirm an email address. */
export const confirmEmail = (token: string) =>
  send('POST /auth/email/confirm', { ...BY_LINK, body: { token } });

/** Unsubscribe from the kind of email that contains the link. */
export const unsubscribe = (token: string) =>
  send('POST /notices/unsubscribe', { ...BY_LINK, query: { token } });
