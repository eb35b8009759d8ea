import { send } from './client';

/** One's own email addresses: the current one, and a new one that is not confirmed yet. */

/** Send the confirmation link again. Refused with 409 if nothing is left to confirm, 429 after a few. */
export const resendConfirmationLink = (isPending: boolean) =>
  send(isPending ? 'POST /auth/email/pending' : 'POST /auth/email/resend');

/** Cancel the change of the email address. */
export const cancelEmailChange = () => send('DELETE /auth/email/pending');
