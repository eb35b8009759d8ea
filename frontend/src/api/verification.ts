import { queryOptions } from '@tanstack/react-query';
import { call, send, toFormData } from './client';
import type { OwnCase, OwnCases } from './types';

/** A doctor's own applications to be verified. */

/** A document on a slow line takes longer than other calls. */
const UPLOAD_TIMEOUT_MS = 120_000;

export const ownCasesQuery = queryOptions({
  queryKey: ['verification'],
  queryFn: ({ signal }) => call<OwnCases>('/doctors/verification', { signal }),
});

export interface Application {
  licenseNumber: string;
  licenseAuthority: string;
  licenseRegion: string;
  licenseExpiresOn: string;
  message: string;
  document: File | null;
}

/** Apply, or bring the application that waits up to date: then the answer's status is 200. */
export const applyForVerification = (application: Application) =>
  send<{ case: OwnCase }>('/doctors/verification', {
    method: 'POST',
    body: toFormData({ ...application }),
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
