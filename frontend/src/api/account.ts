import { queryOptions } from '@tanstack/react-query';
import { call, send } from './client';
import { download } from './fileTransfer';

/** What people may do with their own account: export their data, and close it. */

/** What closing would do. Refused (409) where it can't be done. */
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
  download('/auth/account/export', 'wellhour.zip', { body: { currentPassword } });
