import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, call, send, toFormData } from './client';
import type { ProofBody } from './mfa';
import type { Role } from './types';

/** One's own profile, password and sessions. */

export const updateProfile = (body: BodyOf<'PUT /auth/profile'>) =>
  send('PUT /auth/profile', { body });

/** Save the full form: multipart, because it may contain a picture. */
export const updateProfileForm = (role: Role, values: Record<string, unknown>) =>
  send(role === 'doctor' ? 'PUT /doctors/profile' : 'PUT /auth/profile', {
    body: toFormData(values),
  });

export const changePassword = (body: ProofBody & { newPassword: string }) =>
  send('PUT /auth/password', { body });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /auth/sessions', { signal }).then(({ sessions }) => sessions),
});

export const endSession = (id: string) => send('DELETE /auth/sessions/{id}', { path: { id } });

export const endOtherSessions = () => send('DELETE /auth/sessions');
