import { send } from './client';

/** One's own e-mail addresses: the one in use, and another one that waits to be confirmed. */

/** Have the link mailed once more. Refused (409) where nothing is left to confirm, and (429) after a few. */
export const resendConfirmationLink = (isPending: boolean) =>
  send(isPending ? 'POST /auth/email/pending' : 'POST /auth/email/resend');

/** Take back the wish for another e-mail address. */
export const cancelEmailChange = () => send('DELETE /auth/email/pending');
