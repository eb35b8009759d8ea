import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { AffectedVisit, Schedule } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { answer, ok, refusal } from '@/testing/answers';
import { doctor } from '@/testing/people';
import { renderVisits } from '@/testing/visits';
import { keepDraft } from './draft';
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
};

const AMINA: AffectedVisit = {
  _id: 'visit-1',
  patientName: 'Amina Yusuf',
  appointmentDate: '2999-12-09',
  appointmentTime: '09:00',
  startsAt: '2999-12-09T14:00:00Z',
  status: 'pending',
  mayCancel: true,
  alternatives: [{ date: '2999-12-09', time: '11:00', startsAt: '2999-12-09T16:00:00Z' }],
};
const BRUNO: AffectedVisit = {
  ...AMINA,
  _id: 'visit-2',
  patientName: 'Bruno Lake',
  status: 'confirmed',
  mayCancel: false,
  alternatives: [],
};

afterEach(() => keepDraft(doctor._id, null));

/** Show the page; each PUT takes the next reply. Gives what was sent. */
async function show(...puts: (() => Response)[]) {
  const { changed } = renderVisits('/doctor/schedule', <Below />, {
    'GET /auth/profile': () => ok({ user: doctor }),
    'GET /doctors/schedule': () => ok({ schedule: SCHEDULE }),
    'PUT /doctors/schedule': () => (puts.shift() ?? (() => refusal(500, 'server_error')))(),
  });
  await screen.findByRole('button', { name: 'Save schedule' });
  return changed;
}

/** The page as below its guard: the profile is there. */
function Below() {
  const { user } = useSession();
  return user && <SchedulePage />;
}

const saved = (affected: AffectedVisit[] = []) => ok({ schedule: SCHEDULE, affected });
const affectedRefusal = (...affected: AffectedVisit[]) =>
  answer(409, { success: false, code: 'visits_affected', message: 'Decide.', data: { affected } });
const sent = <T,>(changed: () => unknown[][], at: number) => changed()[at]?.[1] as T;
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save schedule' }));

test('looks first, then saves when no visit is affected', async () => {
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

test('each affected visit is kept unless the doctor chooses otherwise', async () => {
  const changed = await show(
    () => saved([AMINA, BRUNO]),
    () => saved(),
  );
  await save();
  await screen.findByRole('heading', { level: 1, name: '2 visits lie outside the new hours' });
  expect(screen.getAllByRole('radio', { checked: true })).toHaveLength(2);
  expect(screen.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  const bruno = screen.getByText('Bruno Lake').closest('li') as HTMLElement;
  // The rules let the doctor not cancel this one, and there is no time to propose.
  expect(within(bruno).getAllByRole('radio')).toHaveLength(1);
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  expect(sent<{ visits: object }>(changed, 1).visits).toEqual({
    'visit-1': 'keep',
    'visit-2': 'keep',
  });
});

test('proposing needs a time, cancelling a reason', async () => {
  const changed = await show(
    () => saved([AMINA]),
    () => saved(),
  );
  await save();
  await userEvent.click(await screen.findByRole('radio', { name: 'Propose another time' }));
  await save();
  expect(
    screen.getByRole('link', { name: 'Choose a time to propose to Amina Yusuf.' }),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Decline it' }));
  await save();
  expect(screen.getByRole('link', { name: 'Please give a reason for cancelling.' })).toBeTruthy();
  expect(changed()).toHaveLength(1);

  await userEvent.click(screen.getByRole('radio', { name: 'Propose another time' }));
  await userEvent.click(screen.getByRole('button', { name: /11:00/ }));
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'A course.');
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
  const body = sent<{ visits: object; reason: string }>(changed, 1);
  expect(body.visits).toEqual({ 'visit-1': { date: '2999-12-09', time: '11:00' } });
  expect(body.reason).toBe('A course.');
});

test('a visit booked meanwhile brings the list again, and keeps what was chosen', async () => {
  await show(
    () => saved([AMINA]),
    () => affectedRefusal(AMINA, BRUNO),
    () => saved(),
  );
  await save();
  await userEvent.click(await screen.findByRole('radio', { name: 'Decline it' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'A course.');
  await save();
  expect(await screen.findByText('Bruno Lake')).toBeTruthy();
  expect(screen.getByText(/Another visit is affected now/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Decline it' }).checked).toBe(true);
  await save();
  expect(await screen.findByText('Schedule saved')).toBeTruthy();
});

test('what the server refuses stands at its place, and nothing typed is lost', async () => {
  await show(() =>
    refusal(400, 'invalid', 'Please check the marked fields.', {
      'weeklyHours.monday.1.end': ['The end is wrong.'],
      maxDaysAhead: ['Too far.'],
    }),
  );
  const length = screen.getByLabelText<HTMLInputElement>('Visit length');
  await userEvent.clear(length);
  await userEvent.type(length, '45');
  await save();
  await screen.findByRole('link', { name: 'The end is wrong.' });
  const end = screen.getByLabelText('Monday, end of hours 2');
  expect(end.getAttribute('aria-invalid')).toBe('true');
  expect(end.id).toBe('field-weeklyHours-monday-1-end');
  const described = document.getElementById(end.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('Error: The end is wrong.');
  expect(screen.getByLabelText('How far ahead').getAttribute('aria-invalid')).toBe('true');
  expect(length.value).toBe('45');
});

test('hours that overlap are refused before they are sent', async () => {
  const changed = await show();
  const start = screen.getByLabelText('Monday, start of hours 2');
  await userEvent.clear(start);
  await userEvent.type(start, '12');
  await save();
  expect(screen.getByRole('link', { name: 'These hours overlap.' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Monday, start of hours 2').value).toBe('12:00');
  expect(changed()).toEqual([]);
});

test('a drag over the grid paints hours into the list', async () => {
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

test('several days off are one override a day', async () => {
  const changed = await show(
    () => saved(),
    () => saved(),
  );
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2999-12-30' } });
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '3000-01-01' } });
  await userEvent.click(screen.getByRole('button', { name: 'Take these days off' }));
  await save();
  await waitFor(() => expect(changed()).toHaveLength(2));
  expect(sent<Schedule>(changed, 1).overrides.map(({ date, hours }) => [date, hours])).toEqual([
    ['2999-12-30', []],
    ['2999-12-31', []],
    ['3000-01-01', []],
  ]);
});
