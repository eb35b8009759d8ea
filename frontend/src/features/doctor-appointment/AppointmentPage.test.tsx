import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { Appointment, AppointmentFile, AppointmentRecord } from '@/api/types';
import { RequireRole } from '@/domain/session/guards';
import { apiResponse, ok } from '@/testing/apiResponses';
import { makeAppointment, renderAppointments } from '@/testing/appointments';
import { doctor } from '@/testing/users';
import AppointmentPage from './AppointmentPage';

const NOW = '2026-12-08T19:30:00Z';
beforeEach(() => vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const blank: AppointmentRecord = {
  version: 0,
  writtenAt: null,
  diagnosis: '',
  notes: '',
  prescription: { notes: '', items: [] },
  followUpDays: null,
};
const written: AppointmentRecord = { ...blank, version: 1, writtenAt: NOW, diagnosis: 'Flu.' };

let lastId = 0;

/** Open an appointment of its own for each test: what is typed outlives a page. */
function open(
  changes: Omit<Partial<AppointmentFile>, 'appointment'> & {
    appointment?: Partial<Appointment>;
  } = {},
  replies: Record<string, () => Response> = {},
  query = '',
) {
  lastId += 1;
  const _id = `appointment-${lastId}`;
  const { appointment, ...rest } = changes;
  const file: AppointmentFile = {
    appointment: makeAppointment({ _id, completableFrom: '2026-12-08T18:45:00Z', ...appointment }),
    record: blank,
    attachments: [],
    draft: null,
    past: [],
    patient: {
      _id: 'patient-1',
      name: 'Amina Yusuf',
      email: 'amina@example.com',
      phone: '+1 617 555 0134',
      gender: 'female',
      dateOfBirth: '1984-07-05',
      age: 42,
      bloodGroup: 'O+',
      profilePicture: null,
    },
    ...rest,
  };
  const at = Object.fromEntries(
    Object.entries(replies).map(([key, reply]) => [key.replace('VISIT', _id), reply]),
  );
  const server = renderAppointments(
    `/doctor/appointments/${_id}${query}`,
    <RequireRole roles={['doctor']}>
      <AppointmentPage />
    </RequireRole>,
    {
      'GET /auth/profile': () => ok({ user: doctor }),
      [`GET /appointments/${_id}/visit`]: () => ok(file),
      [`PUT /appointments/${_id}/visit/draft`]: () =>
        ok({ draft: { content: {}, revision: 1, savedAt: NOW } }),
      ...at,
    },
    '/doctor/appointments/:id',
  );
  const sent = (path: string) =>
    server.changed().flatMap(([key, body]) => (key === path.replace('VISIT', _id) ? [body] : []));
  /** The appointment is another from now on, for every caller. */
  const become = (next: Partial<Appointment>, record: AppointmentRecord = file.record) => {
    file.record = record;
    file.appointment = { ...file.appointment, ...next };
    return file.appointment;
  };
  return { ...server, sent, become };
}

afterEach(() => setToken(null));

test('shows the patient’s name and birth date, the reason, and earlier appointments', async () => {
  open({
    past: [
      makeAppointment({
        _id: 'old',
        status: 'completed',
        attended: false,
        appointmentDate: '2026-03-02',
      }),
    ],
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Amina Yusuf' })).toBeTruthy();
  expect(screen.getByText('5 July 1984')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Reason' }).textContent).toContain('Chest tightness.');
  const past = screen.getByRole('region', { name: 'Earlier appointments with you' });
  expect(past.textContent).toContain('2 March 2026No-show');
});

test('saves a record with the version it was based on', async () => {
  const { sent } = open(
    { record: written },
    {
      'PUT /appointments/VISIT/visit': () =>
        ok({ appointment: makeAppointment(), record: { ...written, version: 2 } }, 'Record saved'),
    },
  );
  await userEvent.type(await screen.findByLabelText('Diagnosis'), ' Mild.');
  await userEvent.click(screen.getByRole('button', { name: 'Save record' }));
  expect(await screen.findByText('Record saved')).toBeTruthy();
  expect(sent('PUT /appointments/VISIT/visit')).toEqual([
    {
      diagnosis: 'Flu. Mild.',
      notes: '',
      prescription: { notes: '', items: [] },
      followUpDays: null,
      version: 1,
    },
  ]);
});

test('does not save a medicine without a name, and links to it in the error summary', async () => {
  const { sent } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Add a medicine' }));
  await userEvent.type(screen.getByLabelText('Dose'), '10 mg');
  await userEvent.click(screen.getByRole('button', { name: 'Complete appointment' }));
  const summary = await screen.findByRole('alert');
  await userEvent.click(
    within(summary).getByRole('link', { name: 'Enter the name of the medicine' }),
  );
  expect(document.activeElement).toBe(screen.getByLabelText('Medicine'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent('PUT /appointments/VISIT/visit')).toEqual([]);
});

test('shows a summary before completing, and sends record and status together', async () => {
  const { sent, become } = open(
    {},
    {
      'PUT /appointments/VISIT/status': () =>
        ok({
          appointment: become(
            {
              status: 'completed',
              attended: true,
              diagnosis: 'Flu.',
              record: { version: 1, writtenAt: NOW },
            },
            written,
          ),
        }),
    },
  );
  await userEvent.type(await screen.findByLabelText('Diagnosis'), 'Flu.');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const dialog = await screen.findByRole('dialog', {
    name: 'Are you sure you want to mark this appointment as completed?',
  });
  expect(dialog.textContent).toContain('Flu.');
  expect(dialog.textContent).not.toContain('hasn’t started yet');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Complete appointment' }));
  expect(await screen.findByText('Appointment marked as completed successfully!')).toBeTruthy();
  expect(sent('PUT /appointments/VISIT/status')).toEqual([
    expect.objectContaining({
      status: 'completed',
      attended: true,
      visit: expect.objectContaining({ diagnosis: 'Flu.', version: 0 }),
    }),
  ]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Amina Yusuf'));
  expect(await screen.findByRole('button', { name: 'Print' })).toBeTruthy();
});

test('shows a newer record, and overwrites it on request', async () => {
  let version = 2;
  const { sent } = open(
    { record: written },
    {
      'PUT /appointments/VISIT/visit': () => {
        if (version === 2) {
          version = 3;
          const record = { ...written, diagnosis: 'Cold.', version: 2 };
          return apiResponse(409, {
            code: 'record_changed',
            message: 'Changed.',
            data: { record },
          });
        }
        return ok(
          { appointment: makeAppointment(), record: { ...written, version } },
          'Record saved',
        );
      },
    },
  );
  await userEvent.type(await screen.findByLabelText('Diagnosis'), ' Mild.');
  await userEvent.click(screen.getByRole('button', { name: 'Save record' }));
  expect(
    await screen.findByText('This record was changed in another window or by someone else'),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'View the other version' }));
  expect(screen.getByRole('dialog').textContent).toContain('Cold.');
  await userEvent.click(screen.getByRole('button', { name: 'Keep my version' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Diagnosis').value).toBe('Flu. Mild.');
  await userEvent.click(screen.getByRole('button', { name: 'Save record' }));
  expect(await screen.findByText('Record saved')).toBeTruthy();
  expect(
    sent('PUT /appointments/VISIT/visit').map((body) => (body as { version: number }).version),
  ).toEqual([1, 2]);
});

test('cannot complete an appointment before its time, not even by keyboard', async () => {
  const startsAt = '2026-12-10T19:00:00Z';
  open({ appointment: { startsAt, completableFrom: '2026-12-10T18:45:00Z' } });
  expect(await screen.findByRole('button', { name: 'Save record' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Complete appointment' })).toBeNull();
  await userEvent.type(screen.getByLabelText('Diagnosis'), 'Flu.');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('reports an outdated completion above the page with the typed text', async () => {
  const { become } = open(
    {},
    {
      'PUT /appointments/VISIT/status': () => {
        become({ status: 'cancelled', cancelledBy: 'patient' });
        return apiResponse(409, {
          code: 'illegal_transition',
          message: 'The patient has cancelled.',
        });
      },
    },
  );
  await userEvent.type(await screen.findByLabelText('Diagnosis'), 'Flu.');
  await userEvent.click(screen.getByRole('button', { name: 'Complete appointment' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Complete appointment' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The patient has cancelled.');
  expect(within(alert).getByText('Flu.')).toBeTruthy();
});

test('shows that a pending appointment has no record, and does not allow one', async () => {
  open({ appointment: { status: 'pending', startsAt: '2026-12-10T19:00:00Z' } });
  const record = await screen.findByRole('region', { name: 'Record' });
  expect(within(record).getAllByText('Nothing added')).toHaveLength(4);
  expect(record.textContent).toContain(
    'You can write a record once you’ve confirmed the appointment.',
  );
  expect(screen.queryByLabelText('Diagnosis')).toBeNull();
});

test('shows a closed appointment read-only at first', async () => {
  open({ appointment: { status: 'completed', attended: true }, record: written });
  expect(await screen.findByRole('link', { name: 'Edit record' })).toBeTruthy();
  expect(screen.queryByLabelText('Diagnosis')).toBeNull();
});

test('resumes the draft of a closed appointment', async () => {
  open({
    appointment: { status: 'completed', attended: true },
    record: written,
    draft: {
      content: {
        diagnosis: 'Flu, mi',
        notes: '',
        prescription: { notes: '', items: [] },
        followUpDays: null,
      },
      revision: 3,
      savedAt: NOW,
    },
  });
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Diagnosis')).value).toBe('Flu, mi');
  expect(screen.getByText('Draft saved 14:30')).toBeTruthy();
});

test('marks a no-show after a confirmation', async () => {
  const { sent, become } = open(
    {},
    {
      'PUT /appointments/VISIT/status': () =>
        ok({ appointment: become({ status: 'completed', attended: false }) }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: /^No-show/ }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Mark this appointment as a no-show?',
  });
  await userEvent.click(within(question).getByRole('button', { name: 'No-show' }));
  expect(await screen.findByText('The patient didn’t come.')).toBeTruthy();
  expect(sent('PUT /appointments/VISIT/status')).toEqual([
    { status: 'completed', attended: false, expectedStatus: 'confirmed' },
  ]);
});
