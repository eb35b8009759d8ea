import { type CallOptions, call } from './client';
import type { BookingDraft } from './types';

/** The patient's unfinished booking form for one doctor, as the account keeps it. */

const at = (doctorId: string) => `/appointments/drafts/${encodeURIComponent(doctorId)}`;

export const getBookingDraft = (doctorId: string, options?: Pick<CallOptions, 'signal'>) =>
  call<{ draft: BookingDraft | null }>(at(doctorId), options).then(({ draft }) => draft);

/** Replace the draft; blank text deletes it. `keepalive`: the page may be closing. */
export const saveBookingDraft = (doctorId: string, body: BookingDraft, keepalive = false) =>
  call(at(doctorId), { method: 'PUT', body, keepalive });
