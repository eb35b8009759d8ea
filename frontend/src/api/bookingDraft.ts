import { type CallOptions, call } from './client';
import type { BookingDraft } from './types';

/** The patient's unfinished booking form for one doctor, as the account keeps it. */

export const getBookingDraft = (doctorId: string, options?: Pick<CallOptions, 'signal'>) =>
  call('GET /appointments/drafts/{id}', { ...options, path: { id: doctorId } }).then(
    ({ draft }) => draft,
  );

/** Replace the draft; blank text deletes it. `keepalive`: the page may be closing. */
export const saveBookingDraft = (doctorId: string, body: BookingDraft, keepalive = false) =>
  call('PUT /appointments/drafts/{id}', { path: { id: doctorId }, body, keepalive });
