import type { ReactNode } from 'react';
import { setToken } from '@/api/token';
import type { Appointment } from '@/api/types';
import { DialogHost } from '@/ui/dialogHost';
import { Toasts, toast } from '@/ui/toasts';
import { apiError, ok, stubApi } from './apiResponses';
import { renderAt } from './render';
import { patient } from './users';

/** An appointment with every field: Tuesday 8 December 2026, 14:00 in New York, confirmed. */
export function makeAppointment(changes: Partial<Appointment> = {}): Appointment {
  return {
    _id: 'appointment-1',
    doctor: {
      _id: 'doctor-1',
      name: 'Ana Ruiz',
      specialization: 'Cardiology',
      profilePicture: null,
    },
    patient: {
      _id: 'patient-1',
      name: 'Amina Yusuf',
      email: 'amina@example.com',
      phone: '+1 617 555 0134',
    },
    hospital: {
      name: 'Riverside Heart Centre',
      address: {
        street: '12 Elm Street',
        city: 'Boston',
        state: 'MA',
        zipCode: '02116',
        country: 'US',
      },
      phone: '+1 617 555 0199',
    },
    appointmentDate: '2026-12-08',
    appointmentTime: '14:00',
    timeZone: 'America/New_York',
    startsAt: '2026-12-08T19:00:00Z',
    endsAt: '2026-12-08T20:00:00Z',
    status: 'confirmed',
    symptoms: 'Chest tightness.',
    notes: { patient: '', doctor: '' },
    diagnosis: '',
    prescription: { notes: '', items: [] },
    followUpDays: null,
    record: { version: 0, writtenAt: null },
    attended: null,
    bookedBy: 'patient',
    consultationFee: 120,
    currency: 'USD',
    createdAt: '2026-12-01T09:00:00Z',
    respondBy: null,
    cancelledBy: null,
    cancelReason: '',
    cancelReply: '',
    cancelRequest: null,
    proposal: null,
    declined: false,
    outsideHours: false,
    cancelUntil: null,
    rescheduleUntil: null,
    completableFrom: '2026-12-08T18:45:00Z',
    completedAt: null,
    reopenUntil: null,
    undoUntil: null,
    version: 1,
    ...changes,
  };
}

/** The answer to a list of appointments, all on one page. */
export function appointmentsData(...appointments: Appointment[]) {
  const count = appointments.length;
  return {
    appointments,
    pagination: { page: 1, pageSize: 20, hasNext: false, count, countIsExact: true },
  };
}

/**
 * Render a page with the places where questions and notices appear. Gives what was asked of the
 * server: `asked()` the addresses read, `changed()` what was sent and where.
 */
export function renderAppointments(
  path: string,
  page: ReactNode,
  replies: Parameters<typeof stubApi>[0],
  route?: string,
) {
  toast.clear();
  setToken('a-token');
  const api = stubApi({
    'GET /auth/profile': () => ok({ user: patient }),
    'GET /config': () => apiError(404, 'not_found'),
    ...replies,
  });
  renderAt(
    path,
    <>
      <Toasts />
      {page}
      <DialogHost />
    </>,
    route,
  );
  const calls = () =>
    api.mock.calls.map(([input, init]) => ({
      method: init?.method,
      address: String(input).replace('/api', ''),
      body: init?.body,
    }));
  return {
    asked: () =>
      calls()
        .filter(({ method }) => method === 'GET')
        .map(({ address }) => address),
    changed: () =>
      calls()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, address, body }) => [
          `${method} ${address}`,
          body && JSON.parse(String(body)),
        ]),
  };
}
