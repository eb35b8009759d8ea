import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { AffectedAppointment, Schedule } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { setFormatLocale } from '@/lib/locale';
import { apiError, apiResponse, ok } from '@/testing/apiResponses';
import { renderAppointments } from '@/testing/appointments';
import { doctor } from '@/testing/users';
import { storeDraft } from './draft';
import SchedulePage from './SchedulePage';

const DAY = [
  { start: '09:00', end: '13:00' },
  { start: '14:00', end: '18:00' },
];

const SCHEDULE: Schedule = {
  timeZone: 'America/New_York',
  visitMinutes: 30,
  bufferMinutes: 10,
  minNoticeMinutes: 0,
  maxDaysAhead: 180,
  instantConfirmation: false,
  cancelCutoffHours: 24,
  weeklyHours: {
    monday: DAY,
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  },
  overrides: [],
  blocked: [],
  absences: [],
};

const AMINA: AffectedAppointment = {
  _id: 'appointment-1',
  kind: 'appointment',
  appointmentId: 'appointment-1',
  phone: '+1 202 555 0101',
  hasProposal: false,
  suggested: { date: '2999-12-09', time: '11:00', startsAt: '2999-12-09T16:00:00Z' },
  patientName: 'Amina Yusuf',
  appointmentDate: '2999-12-09',
  appointmentTime: '09:00',
  startsAt: '2999-12-09T14:00:00Z',
  status: 'pending',
  mayCancel: true,
  alternatives: [{ date: '2999-12-09', time: '11:00', startsAt: '2999-12-09T16:00:00Z' }],
};
const BRUNO: AffectedAppointment = {
  ...AMINA,
  _id: 'appointment-2',
  patientName: 'Bruno Lake',
  status: 'confirmed',
  mayCancel: false,
  alternatives: [],
  suggested: null,
};

afterEach(() => storeDraft(doctor._id, null));

/** Show the page; each PUT takes the next reply. Gives what was sent. */
async function show(...puts: (() => Response)[]) {
  const { changed } = renderAppointments('/doctor/schedule', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/schedule': () => ok({ schedule: SCHEDULE }),
    'PUT /doctors/schedule': () => (puts.shift() ?? (() => apiError(500, 'server_error')))(),
  });
  await screen.findByRole('button', { name: 'Save schedule' });
  return changed;
}

/** Render the page once the profile has loaded, like its guard. */
function Below() {
  const { user } = useSession();
  return user && <SchedulePage />;
}

const saved = (affected: AffectedAppointment[] = []) => ok({ schedule: SCHEDULE, affected });
const affectedRefusal = (...affected: AffectedAppointment[]) =>
  apiResponse(409, {
    success: false,
    code: 'visits_affected',
    message: 'Decide.',
    data: { affected },
  });
const sent = <T,>(changed: () => unknown[][], at: number) => changed()[at]?.[1] as T;
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save schedule' }));

test('previews first, then saves if no appointment is affected', async () => {
  const changed = await show(
    () => saved(),
    () => saved(),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add hours to Tuesday' }));
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  const [preview, real] = changed() as [string, Schedule & { visits?: object }][];
  expect(preview?.[0]).toBe('PUT /doctors/schedule?preview=true');
  expect(real?.[0]).toBe('PUT /doctors/schedule');
  expect(real?.[1].weeklyHours.tuesday).toEqual([{ start: '09:00', end: '17:00' }]);
  expect(real?.[1].visits).toBeUndefined();
});

const decisionAbout = (name: string) =>
  within(screen.getByText(name).closest('li') as HTMLElement).getByRole<HTMLSelectElement>(
    'combobox',
    { name: /^What happens/ },
  );

test('proposes another time by default', async () => {
  const changed = await show(
    () => saved([AMINA, BRUNO]),
    () => saved(),
  );
  await save();
  await screen.findByRole('heading', {
    level: 1,
    name: '2 appointments fall outside your new hours',
  });
  expect(decisionAbout('Amina Yusuf').value).toBe('propose');
  expect(screen.getAllByRole('link', { name: '+1 202 555 0101' })[0]?.getAttribute('href')).toBe(
    'tel:+12025550101',
  );
  // There is no free time for this one, and nothing harmless to preselect.
  expect(decisionAbout('Bruno Lake').value).toBe('');
  await save();
  await userEvent.click(
    screen.getByRole('link', { name: 'Choose what happens to Bruno Lake’s appointment.' }),
  );
  await userEvent.selectOptions(decisionAbout('Bruno Lake'), 'keep');
  await save();
  expect(
    await screen.findByText('Schedule saved. 1 new time suggested. We’ve notified the patients.'),
  ).toBeTruthy();
  expect(sent<{ visits: object }>(changed, 1).visits).toEqual({
    'appointment-1': { date: '2999-12-09', time: '11:00' },
    'appointment-2': 'keep',
  });
});

test('allows proposing any other date, and requires a reason to cancel', async () => {
  const changed = await show(
    () => saved([AMINA]),
    () => saved(),
  );
  await save();
  await screen.findByText('Amina Yusuf');
  await userEvent.selectOptions(decisionAbout('Amina Yusuf'), 'Decline the request');
  await save();
  expect(screen.getByRole('link', { name: 'Please give a reason for cancelling.' })).toBeTruthy();
  await userEvent.selectOptions(decisionAbout('Amina Yusuf'), 'Move it now');
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: /^New time/ }),
    'Another date and time…',
  );
  const date = screen.getByLabelText(/^Date/);
  fireEvent.change(date, { target: { value: '' } });
  await save();
  expect(screen.getByRole('link', { name: 'Enter a date for Amina Yusuf.' })).toBeTruthy();
  expect(changed()).toHaveLength(1);
  fireEvent.change(date, { target: { value: '2999-12-20' } });
  const time = screen.getByRole('textbox', { name: /^Time/ });
  await userEvent.clear(time);
  await userEvent.type(time, '9.30');
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'A course.');
  await save();
  expect(await screen.findByText(/1 appointment moved/)).toBeTruthy();
  const body = sent<{ visits: object; reason: string }>(changed, 1);
  expect(body.visits).toEqual({
    'appointment-1': { date: '2999-12-20', time: '09:30', move: true },
  });
  expect(body.reason).toBe('A course.');
});

test('applies one decision to all appointments', async () => {
  const carla = { ...AMINA, _id: 'appointment-3', patientName: 'Carla Reed' };
  const changed = await show(
    () => saved([AMINA, carla]),
    () => saved(),
  );
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel all' }));
  expect(decisionAbout('Carla Reed').value).toBe('cancel');
  await userEvent.click(screen.getByRole('button', { name: 'Move all now' }));
  await save();
  expect(await screen.findByText(/2 appointments moved/)).toBeTruthy();
  expect(sent<{ visits: object }>(changed, 1).visits).toEqual({
    'appointment-1': { date: '2999-12-09', time: '11:00', move: true },
    'appointment-3': { date: '2999-12-09', time: '11:00', move: true },
  });
});

test('shows the list again with the choices kept if an appointment was booked since', async () => {
  await show(
    () => saved([AMINA]),
    () => affectedRefusal(AMINA, BRUNO),
    () => saved(),
  );
  await save();
  await screen.findByText('Amina Yusuf');
  await userEvent.selectOptions(decisionAbout('Amina Yusuf'), 'cancel');
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'A course.');
  await save();
  expect(await screen.findByText('Bruno Lake')).toBeTruthy();
  expect(screen.getByText(/Another appointment is affected now/)).toBeTruthy();
  expect(decisionAbout('Amina Yusuf').value).toBe('cancel');
  await userEvent.selectOptions(decisionAbout('Bruno Lake'), 'keep');
  await save();
  expect(await screen.findByText(/1 appointment cancelled/)).toBeTruthy();
});

test('shows the server’s errors at their fields and keeps the typed values', async () => {
  await show(() =>
    apiError(400, 'invalid', 'Please check the marked fields.', {
      'weeklyHours.monday.1.end': ['The end is wrong.'],
      maxDaysAhead: ['Too far.'],
    }),
  );
  const length = screen.getByLabelText<HTMLInputElement>('Appointment length');
  await userEvent.clear(length);
  await userEvent.type(length, '45');
  await save();
  await screen.findByRole('link', { name: 'The end is wrong.' });
  const end = screen.getByLabelText('Monday, end of hours 2');
  expect(end.getAttribute('aria-invalid')).toBe('true');
  expect(end.id).toBe('field-weeklyHours-monday-1-end');
  const described = document.getElementById(end.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('Error: The end is wrong.');
  expect(screen.getByLabelText('Booking window').getAttribute('aria-invalid')).toBe('true');
  expect(length.value).toBe('45');
});

test('refuses overlapping hours before sending them', async () => {
  const changed = await show();
  const start = screen.getByLabelText('Monday, start of hours 2');
  await userEvent.clear(start);
  await userEvent.type(start, '12');
  await save();
  expect(screen.getByRole('link', { name: 'These hours overlap.' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Monday, start of hours 2').value).toBe('12:00');
  expect(changed()).toEqual([]);
});

test('adds hours by dragging over the grid', async () => {
  await show();
  const grid = screen.getByTestId('week-grid');
  // Seven days of 100 px, and 07:00 to 20:00 in rows of 10 px.
  grid.getBoundingClientRect = () => new DOMRect(0, 0, 700, 260);
  const at = (day: number, row: number) => ({
    clientX: day * 100 + 50,
    clientY: row * 10 + 5,
    button: 0,
  });
  fireEvent.pointerDown(grid, at(1, 4));
  fireEvent.pointerMove(grid, at(2, 7));
  fireEvent.pointerUp(grid);
  for (const day of ['Tuesday', 'Wednesday']) {
    expect(screen.getByLabelText<HTMLInputElement>(`${day}, start of hours 1`).value).toBe('09:00');
    expect(screen.getByLabelText<HTMLInputElement>(`${day}, end of hours 1`).value).toBe('11:00');
  }
  fireEvent.pointerDown(grid, at(1, 4));
  fireEvent.pointerMove(grid, at(1, 5));
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(screen.getByLabelText<HTMLInputElement>('Tuesday, start of hours 1').value).toBe('09:00');
});

test('begins the week on Sunday and uses the 12-hour clock in the US', async () => {
  setFormatLocale('en-US');
  await show();
  const grid = screen.getByTestId('week-grid');
  grid.getBoundingClientRect = () => new DOMRect(0, 0, 700, 260);
  const cell = { clientX: 50, clientY: 45, button: 0 };
  fireEvent.pointerDown(grid, cell);
  fireEvent.pointerUp(grid);
  expect(screen.getByLabelText<HTMLInputElement>('Sunday, start of hours 1').value).toBe('09:00');
  const [first] = screen.getAllByRole('heading', { name: /day$/ });
  expect(first?.textContent).toBe('Sunday');
  expect(screen.getByText(/^9:00\sAM$/)).toBeTruthy();
});

test('previews time off, asks for decisions and saves one entry', async () => {
  let puts = 0;
  const { changed } = renderAppointments('/doctor/schedule', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/schedule': () =>
      ok({
        schedule: {
          ...SCHEDULE,
          absences: [
            {
              _id: 'off-1',
              from: { date: '2999-12-30', time: '12:00' },
              to: { date: '3000-01-02', time: '09:00' },
              reason: 'A wedding',
            },
          ],
        },
      }),
    'PUT /doctors/schedule/absences/off-1': () =>
      ok({ absence: null, affected: puts++ > 0 ? [] : [AMINA] }),
    'DELETE /doctors/schedule/absences/off-1': () => ok({}),
  });
  const entry = (await screen.findByText('A wedding')).closest('li') as HTMLElement;
  await userEvent.click(within(entry).getByRole('button', { name: /^Change/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Change time off' });
  fireEvent.change(within(dialog).getByLabelText('Last day'), { target: { value: '2999-12-29' } });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save time off' }));
  expect(
    within(dialog).getByRole('link', { name: 'The last day off is before the first.' }),
  ).toBeTruthy();
  fireEvent.change(within(dialog).getByLabelText('Last day'), { target: { value: '3000-01-04' } });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save time off' }));
  await screen.findByText('Amina Yusuf');
  await userEvent.click(screen.getByRole('button', { name: 'Save time off' }));
  expect(
    await screen.findByText('Time off saved. 1 new time suggested. We’ve notified the patients.'),
  ).toBeTruthy();
  const bodies = changed().map(([, body]) => body);
  const time = {
    from: { date: '2999-12-30', time: '12:00' },
    to: { date: '3000-01-04', time: '09:00' },
  };
  expect(bodies).toEqual([
    { ...time, reason: 'A wedding' },
    {
      ...time,
      reason: 'A wedding',
      visits: { 'appointment-1': { date: '2999-12-09', time: '11:00' } },
      visitsReason: '',
    },
  ]);
  await userEvent.click(within(entry).getByRole('button', { name: /^Remove/ }));
  expect(await screen.findByText(/Time off removed/)).toBeTruthy();
});

test('edits consecutive days off as one entry', async () => {
  const overrides = ['2999-12-07', '2999-12-08', '2999-12-09'].map((date) => ({
    date,
    hours: [],
    reason: 'Holiday',
  }));
  const replies = [() => saved(), () => saved()];
  const { changed } = renderAppointments('/doctor/schedule', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/schedule': () => ok({ schedule: { ...SCHEDULE, overrides } }),
    'PUT /doctors/schedule': () => (replies.shift() ?? (() => apiError(500, 'server_error')))(),
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Change .* to / }));
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2999-12-08' } });
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2999-12-10' } });
  await userEvent.click(screen.getByRole('button', { name: 'Change these days' }));
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  expect(sent<Schedule>(changed, 1).overrides.map(({ date }) => date)).toEqual([
    '2999-12-08',
    '2999-12-09',
    '2999-12-10',
  ]);
});

test('reads the cutoff as hours before the start, and empty as never', async () => {
  const changed = await show(
    () => saved(),
    () => saved(),
  );
  const field = screen.getByLabelText('Patients can cancel up to this many hours before');
  await userEvent.clear(field);
  await userEvent.type(field, '700');
  await save();
  expect(
    screen.getByRole('link', { name: 'Enter the hours before as a whole number from 0 to 672.' }),
  ).toBeTruthy();
  await userEvent.clear(field);
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  expect(sent<Schedule>(changed, 1).cancelCutoffHours).toBeNull();
});

test('tells at the field who can read the reason for blocked time', async () => {
  renderAppointments('/doctor/schedule', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/schedule': () => ok({ schedule: SCHEDULE }),
  });
  await screen.findByRole('button', { name: 'Save schedule' });
  expect(
    screen.getByText(
      'Block part of a day, e.g. for a meeting. Visible to you and our staff. Patients don’t see it.',
    ),
  ).toBeTruthy();
  expect(screen.queryByText(/Only you/)).toBeNull();
});
