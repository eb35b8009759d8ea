import { type BodyOf, send } from './client';

/** What is done by a link that came by mail, signed in or not: the link alone says for whom. */

// An expired token must not get in the way of asking for a new password.
const BY_LINK = { anonymous: true, on401: 'keep' } as const;

/** Ask for a link to choose a new password; the answer is the same whether or not the address is known. */
export const requestPasswordReset = (email: string) =>
  send('POST /auth/password/reset', { ...BY_LINK, body: { email } });

/** Ask whether a link to choose a new password still works; nothing changes. */
export const checkResetLink = (token: string) =>
  send('POST /auth/password/reset/check', { ...BY_LINK, body: { token } });

/** Choose a new password; every session of the account ends. */
export const resetPassword = (body: BodyOf<'POST /auth/password/reset/confirm'>) =>
  send('POST /auth/password/reset/confirm', { ...BY_LINK, body });

/** Say that the mailbox of this address is one's own. */
export const confirmEmail = (token: string) =>
  send('POST /auth/email/confirm', { ...BY_LINK, body: { token } });

/** Stop the kind of mail that the link came with. */
export const unsubscribe = (token: string) =>
  send('POST /notices/unsubscribe', { ...BY_LINK, query: { token } });
