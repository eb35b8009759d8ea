import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import { download } from './fileTransfer';
import type { Effects } from './types';

/** What people may do with their own account: take their data away, and close it. */

/** What closing would do. Refused (409) where it can't be done. */
export const closingQuery = queryOptions({
  queryKey: ['closing'],
  queryFn: ({ signal }) =>
    call<{ effects: Effects }>('/auth/account/closing', { signal }).then((data) => data.effects),
  // Appointments may have been booked since.
  staleTime: 0,
  gcTime: 0,
});

export const closeAccount = (currentPassword: string) =>
  send('/auth/account/close', { method: 'POST', body: { currentPassword } });

export const exportOwnData = (currentPassword: string) =>
  download('/auth/account/export', 'wellhour.zip', { body: { currentPassword } });
