import { type BodyOf, call, send } from './client';

/** Actions of patients on their appointments, and actions of both sides. */

/** Hold a slot while the form is filled in; an earlier hold, given by its secret, is renewed or released. */
export const holdTime = (body: BodyOf<'POST /appointments/hold'>) =>
  call('POST /appointments/hold', { body, on401: 'again' });

/** Release a hold; also while the page is being left. */
export const releaseHold = (holdId: string) =>
  call('DELETE /appointments/hold/{secret}', {
    path: { secret: holdId },
    on401: 'keep',
    keepalive: true,
  });

/** Book an appointment; the response's status is 200 if the same booking exists already. */
export const bookAppointment = (body: BodyOf<'POST /appointments'>) =>
  send('POST /appointments', { body });

export const cancelAppointment = (id: string, reason?: string) =>
  send('PUT /appointments/{id}/cancel', { path: { id }, body: reason ? { reason } : {} });

/** Move a pending appointment. */
export const rescheduleAppointment = (
  id: string,
  body: BodyOf<'PUT /appointments/{id}/reschedule'>,
) => send('PUT /appointments/{id}/reschedule', { path: { id }, body });

/** Propose another time to the other side. */
export const proposeTime = (id: string, body: BodyOf<'POST /appointments/{id}/proposal'>) =>
  send('POST /appointments/{id}/proposal', { path: { id }, body });

/** Accept or decline the open proposal; one's own is withdrawn by not accepting it. */
export const answerProposal = (id: string, accept: boolean) =>
  send('PUT /appointments/{id}/proposal', { path: { id }, body: { accept } });

/** "I can't make it": cancels at once before the doctor's cutoff, and asks the doctor after it. */
export const requestCancellation = (id: string, reason: string) =>
  send('POST /appointments/{id}/cancel-request', { path: { id }, body: { reason } });

/** "I can come after all": withdraw the request to cancel. */
export const withdrawCancelRequest = (id: string) =>
  send('DELETE /appointments/{id}/cancel-request', { path: { id } });
