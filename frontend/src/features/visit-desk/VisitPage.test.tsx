import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { Appointment, VisitFile, VisitRecord } from '@/api/types';
import { RequireRole } from '@/domain/session/guards';
import { answer, ok } from '@/testing/answers';
import { doctor } from '@/testing/people';
import { aVisit, renderVisits } from '@/testing/visits';
import VisitPage from './VisitPage';

const NOW = '2026-12-08T19:30:00Z';
beforeEach(() => vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const blank: VisitRecord = {
  version: 0,
  writtenAt: null,
  diagnosis: '',
  notes: '',
  prescription: { notes: '', items: [] },
  followUpDays: null,
};
const written: VisitRecord = { ...blank, version: 1, writtenAt: NOW, diagnosis: 'Flu.' };

let visits = 0;

/** Open a visit of its own for each test: what is typed outlives a page. */
function open(
  changes: Partial<VisitFile> & { visit?: Partial<Appointment> } = {},
  replies: Record<string, () => Response> = {},
  query = '',
) {
  visits += 1;
  const _id = `visit-${visits}`;
  const { visit, ...rest } = changes;
  const file: VisitFile = {
    appointment: aVisit({ _id, ...visit }),
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
  const server = renderVisits(
    `/doctor/appointments/${_id}${query}`,
    <RequireRole roles={['doctor']}>
      <VisitPage />
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
  /** The visit is another from now on, whoever asks. */
  const become = (next: Partial<Appointment>, record: VisitRecord = file.record) => {
    file.record = record;
    file.appointment = { ...file.appointment, ...next };
    return file.appointment;
  };
  return { ...server, sent, become };
}

afterEach(() => setToken(null));

test('the patient is pinned by name and birth date, the reason and the past stand beside', async () => {
  open({
    past: [
      aVisit({ _id: 'old', status: 'completed', attended: false, appointmentDate: '2026-03-02' }),
    ],
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Amina Yusuf' })).toBeTruthy();
  expect(screen.getByText('5 July 1984')).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Reason' }).textContent).toContain('Chest tightness.');
  const past = screen.getByRole('region', { name: 'Earlier visits with you' });
  expect(past.textContent).toContain('2 March 2026Did not come');
});

test('a record is saved with the version that was seen', async () => {
  const { sent } = open(
    { record: written },
    {
      'PUT /appointments/VISIT/visit': () =>
        ok({ appointment: aVisit(), record: { ...written, version: 2 } }, 'Record saved'),
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

test('a medicine without a name keeps the record from being written, and the summary leads there', async () => {
  const { sent } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Add a medicine' }));
  await userEvent.type(screen.getByLabelText('Dose'), '10 mg');
  await userEvent.click(screen.getByRole('button', { name: 'Complete visit' }));
  const summary = await screen.findByRole('alert');
  await userEvent.click(
    within(summary).getByRole('link', { name: 'Enter the name of the medicine' }),
  );
  expect(document.activeElement).toBe(screen.getByLabelText('Medicine'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent('PUT /appointments/VISIT/visit')).toEqual([]);
});

test('completing shows in short what is written, and sends both at once', async () => {
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
  expect(dialog.textContent).not.toContain('has not started yet');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Complete visit' }));
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

test('a record that changed meanwhile is shown, and mine is saved over it when I say so', async () => {
  let version = 2;
  const { sent } = open(
    { record: written },
    {
      'PUT /appointments/VISIT/visit': () => {
        if (version === 2) {
          version = 3;
          const record = { ...written, diagnosis: 'Cold.', version: 2 };
          return answer(409, { code: 'record_changed', message: 'Changed.', data: { record } });
        }
        return ok({ appointment: aVisit(), record: { ...written, version } }, 'Record saved');
      },
    },
  );
  await userEvent.type(await screen.findByLabelText('Diagnosis'), ' Mild.');
  await userEvent.click(screen.getByRole('button', { name: 'Save record' }));
  expect(await screen.findByText('The record was changed meanwhile')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Look at the other version' }));
  expect(screen.getByRole('dialog').textContent).toContain('Cold.');
  await userEvent.click(screen.getByRole('button', { name: 'Go on with mine' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Diagnosis').value).toBe('Flu. Mild.');
  await userEvent.click(screen.getByRole('button', { name: 'Save record' }));
  expect(await screen.findByText('Record saved')).toBeTruthy();
  expect(
    sent('PUT /appointments/VISIT/visit').map((body) => (body as { version: number }).version),
  ).toEqual([1, 2]);
});

test('an empty record of a visit that waits says so, and cannot be written', async () => {
  open({ visit: { status: 'pending', startsAt: '2026-12-10T19:00:00Z' } });
  const record = await screen.findByRole('region', { name: 'Record' });
  expect(within(record).getAllByText('Nothing added')).toHaveLength(4);
  expect(record.textContent).toContain('You can write once the visit is confirmed.');
  expect(screen.queryByLabelText('Diagnosis')).toBeNull();
});

test('a closed visit is read first, and its draft is taken up again', async () => {
  open({ visit: { status: 'completed', attended: true }, record: written });
  expect(await screen.findByRole('link', { name: 'Change the record' })).toBeTruthy();
  expect(screen.queryByLabelText('Diagnosis')).toBeNull();
});

test('a draft of a closed visit is taken up again', async () => {
  open({
    visit: { status: 'completed', attended: true },
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

test('whoever did not come is marked after a question', async () => {
  const { sent, become } = open(
    {},
    {
      'PUT /appointments/VISIT/status': () =>
        ok({ appointment: become({ status: 'completed', attended: false }) }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Did not come' }));
  const question = await screen.findByRole('alertdialog', { name: 'Amina Yusuf did not come?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Did not come' }));
  expect(await screen.findByText('The patient did not come.')).toBeTruthy();
  expect(sent('PUT /appointments/VISIT/status')).toEqual([
    { status: 'completed', attended: false },
  ]);
});
