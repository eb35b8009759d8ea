import { queryOptions } from '@tanstack/react-query';
import { call, send, toFormData } from './client';

/** A doctor's own applications to be verified. */

/** Uploading a document takes longer than other calls. */
const UPLOAD_TIMEOUT_MS = 120_000;

export const ownCasesQuery = queryOptions({
  queryKey: ['verification'],
  queryFn: ({ signal }) => call('GET /doctors/verification', { signal }),
});

export interface Application {
  licenseNumber: string;
  licenseAuthority: string;
  licenseRegion: string;
  licenseExpiresOn: string;
  message: string;
  document: File | null;
}

/** Apply, or update the pending application (then the response's status is 200). */
export const applyForVerification = (application: Application) =>
  send('POST /doctors/verification', {
    body: toFormData({ ...application }),
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
