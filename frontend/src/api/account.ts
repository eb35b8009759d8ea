import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import { download } from './fileTransfer';

/** Export or close one's own account. */

/** Preview what closing the account would do. Refused with 409 if it can't be closed. */
export const accountClosurePreviewQuery = queryOptions({
  queryKey: ['closing'],
  queryFn: ({ signal }) =>
    call('GET /auth/account/closing', { signal }).then(({ effects }) => effects),
  // Appointments may have been booked since.
  staleTime: 0,
  gcTime: 0,
});

export const closeAccount = (currentPassword: string) =>
  send('POST /auth/account/close', { body: { currentPassword } });

export const exportOwnData = (currentPassword: string) =>
  download('/auth/account/export', 'account.zip', { body: { currentPassword } });
