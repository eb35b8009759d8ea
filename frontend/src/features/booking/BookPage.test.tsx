import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { User } from '@/api/types';
import { formatInstant } from '@/lib/dates';
import { apiError, apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { freeTime, publicDoctor, slots } from '@/testing/doctors';
import { renderAt } from '@/testing/render';
import { admin, patient } from '@/testing/users';
import BookPage from './BookPage';
import { deleteDraft, forgetDraft } from './draft';
import { clearHold } from './hold';

const CHOSEN = '/patient/book-appointment/d1?date=2026-12-08&time=10%3A00';
const HELD = '2026-12-07T06:05:00Z';
const FREE = { '2026-12-08': ['10:00', '14:00'], '2026-12-09': ['09:00'] };

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-12-07T06:00:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  deleteDraft('d1');
  clearHold();
});

function stage(replies: Parameters<typeof stubApi>[0] = {}, user: User | null = patient) {
  if (user) setToken('t');
  return stubApi({
    'GET /doctors/d1': () => ok({ doctor: publicDoctor }),
    'GET /doctors/d1/slots': () => ok(slots('2026-12-07', 62, FREE)),
    'GET /auth/profile': () => ok({ user }),
    'GET /appointments/drafts/d1': () => ok({ draft: null }),
    'PUT /appointments/drafts/d1': () => ok({ draft: null }),
    ...replies,
  });
}

function open(path = CHOSEN) {
  return renderAt(path, <BookPage />, '/patient/book-appointment/:doctorId');
}

const where = () => screen.getByTestId('where').textContent;
const symptoms = () => screen.findByLabelText<HTMLTextAreaElement>(/^Symptoms/);
const book = async () => userEvent.click(await screen.findByRole('button', { name: 'Book' }));
const savedDrafts = (spy: ReturnType<typeof stage>) =>
  spy.mock.calls
    .filter(([input, init]) => init?.method === 'PUT' && String(input).includes('/drafts/'))
    .map(([, init]) => JSON.parse(String(init?.body)));
const sent = (spy: ReturnType<typeof stage>) => {
  const call = spy.mock.calls.find(
    ([input, init]) => init?.method === 'POST' && String(input) === '/api/appointments',
  );
  return JSON.parse(String(call?.[1]?.body));
};

it('books the time in the URL with the typed text, and goes to the appointments', async () => {
  const spy = stage({
    'POST /appointments': () =>
      apiResponse(201, { success: true, message: '', data: { appointment: { _id: 'v1' } } }),
  });
  open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  await book();
  await waitFor(() => expect(where()).toBe('/patient/appointments?booked=v1'));
  expect(sent(spy)).toEqual({
    doctorId: 'd1',
    appointmentDate: '2026-12-08',
    appointmentTime: '10:00',
    symptoms: 'My knee hurts',
    notes: '',
  });
});

it('treats an existing identical booking as a success', async () => {
  stage({ 'POST /appointments': () => ok({ appointment: { _id: 'v1' } }) });
  open();
  await book();
  await waitFor(() => expect(where()).toBe('/patient/appointments?booked=v1'));
});

it('asks for a date and time if none is selected', async () => {
  stage();
  open('/patient/book-appointment/d1');
  await book();
  const link = await screen.findByRole('link', { name: 'Please select date and time' });
  await userEvent.click(link);
  expect(document.activeElement).toBe(
    screen.getByRole('heading', { name: 'Choose a date and time' }),
  );
});

it('offers the nearest times if the time is taken, and keeps the text', async () => {
  stage({
    'POST /appointments': () =>
      apiResponse(409, {
        success: false,
        code: 'slot_taken',
        message: 'This time has just been taken. Please choose another.',
        data: { alternatives: [freeTime('2026-12-08', '14:00'), freeTime('2026-12-09', '09:00')] },
      }),
  });
  open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  await book();
  const panel = await screen.findByRole('alert');
  expect(panel.textContent).toContain('Sorry, this time was just taken');
  expect(document.activeElement).toBe(panel);

  await userEvent.click(screen.getByRole('button', { name: 'Wednesday 9 December, 09:00' }));
  expect(where()).toBe('/patient/book-appointment/d1?date=2026-12-09&time=09%3A00');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement?.textContent).toContain('09:00, Wednesday 9 December');
  expect((await symptoms()).value).toBe('My knee hurts');
});

it('shows the server’s message or a default, and that a retry is safe without a response', async () => {
  const replies = [
    () => apiError(403, 'wrong_role', 'Your account can’t do this.'),
    () => apiError(400, 'x'),
    () => new TypeError('no network'),
  ];
  stage({ 'POST /appointments': () => (replies.shift() as () => Response)() });
  open();
  await book();
  expect((await screen.findByRole('alert')).textContent).toContain('Your account can’t do this.');
  await book();
  await screen.findByText('Failed to book appointment');
  await book();
  const outage = await screen.findByText(/It’s safe to select Book again/);
  expect(outage.textContent).toContain('Failed to book appointment. Check your connection');
});

it.each([
  [409, 'requests_full', 'You have 10 requests waiting for an answer, and may have 10.'],
  [429, 'booked_too_often', 'You have booked 20 visits within an hour, which is the most.'],
])(
  'explains why no more can be booked and links to the appointments: %i %s',
  async (status, code, sentence) => {
    const replies = [
      () => apiError(status, code, sentence),
      () => apiError(409, 'email_taken', 'No.'),
    ];
    stage({ 'POST /appointments': () => (replies.shift() as () => Response)() });
    open();
    await userEvent.type(await symptoms(), 'My knee hurts');
    await book();
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    const link = screen.getByRole('link', { name: 'See your appointments' });
    expect(link.getAttribute('href')).toBe('/patient/appointments');
    expect((await symptoms()).value).toBe('My knee hurts');
    await book();
    await screen.findByText('No.');
    expect(screen.queryByRole('link', { name: 'See your appointments' })).toBeNull();
  },
);

it('asks for a confirmed email address and resends the link', async () => {
  const sentence = 'Confirm your email address first. Then you can book more appointments.';
  const replies = [
    () => apiError(409, 'email_unconfirmed', sentence),
    () => apiError(409, 'email_taken', 'No.'),
  ];
  const spy = stage({
    'POST /appointments': () => (replies.shift() as () => Response)(),
    'POST /auth/email/resend': () => ok({}),
  });
  open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  await book();
  expect((await screen.findByRole('alert')).textContent).toContain(sentence);
  expect((await screen.findByText(/Open the link we emailed to/)).textContent).toBe(
    'Open the link we emailed to pat@example.com, then come back here and select Book again. What you typed is still here.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Send the link again' }));
  expect(
    spy.mock.calls.filter(([input]) => String(input).endsWith('/auth/email/resend')).length,
  ).toBe(1);
  expect((await symptoms()).value).toBe('My knee hurts');
  await book();
  await screen.findByText('No.');
  expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull();
});

it.each(['hold_paused', 'network_share_taken'])(
  'tells that a time that can’t be held can still be booked: %s',
  async (code) => {
    stage({ 'POST /appointments/hold': () => apiError(429, code, 'Not held.') });
    open();
    await screen.findByText('We can’t hold this time for you right now');
    expect(screen.queryByText('Not held.')).toBeNull();
    expect((screen.getByRole('button', { name: /^Book/ }) as HTMLButtonElement).disabled).toBe(
      false,
    );
  },
);

it('keeps the text when the time changes', async () => {
  stage();
  open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  await userEvent.click(screen.getByRole('button', { name: /^Change/ }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Choose another time' }));
  await userEvent.click(
    screen.getByRole('button', { name: '14:00, Tuesday 8 December, Dr. Ana Ruiz' }),
  );
  expect(where()).toContain('time=14%3A00');
  expect((await symptoms()).value).toBe('My knee hurts');
});

it('keeps a visitor’s time and text when asking to sign in', async () => {
  stage({}, null);
  const { unmount } = open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  await book();
  expect(where()).toBe(`/login?next=${encodeURIComponent(CHOSEN)}`);
  unmount();

  const spy = stage();
  open();
  expect((await symptoms()).value).toBe('My knee hurts');
  // Now it belongs to the account, and nothing of it stays in the browser.
  await waitFor(() => expect(savedDrafts(spy)).toEqual([{ symptoms: 'My knee hurts', notes: '' }]));
  expect(JSON.stringify({ ...window.localStorage, ...window.sessionStorage })).not.toContain(
    'knee',
  );
});

it('restores a visitor’s text after a reload, in this tab only', async () => {
  stage({}, null);
  const { unmount } = open();
  await userEvent.type(await symptoms(), 'My knee hurts');
  expect(JSON.stringify({ ...window.localStorage })).not.toContain('knee');
  unmount();
  forgetDraft('d1');
  open();
  expect((await symptoms()).value).toBe('My knee hurts');
});

it('restores the text of an account after a reload', async () => {
  stage({
    'GET /appointments/drafts/d1': () => ok({ draft: { symptoms: 'My knee hurts', notes: 'x' } }),
  });
  open();
  await waitFor(async () => expect((await symptoms()).value).toBe('My knee hurts'));
});

it('does not overwrite text typed before the saved draft loads', async () => {
  let arrive = () => {};
  const slow = new Promise<void>((done) => {
    arrive = done;
  });
  const spy = stage();
  const reply = spy.getMockImplementation();
  spy.mockImplementation(async (input, init) => {
    if (String(input) === '/api/appointments/drafts/d1' && !init?.body) {
      await slow;
      return ok({ draft: { symptoms: 'Older text', notes: '' } });
    }
    return (reply as NonNullable<typeof reply>)(input, init);
  });
  open();
  await userEvent.type(await symptoms(), 'New');
  await act(async () => arrive());
  expect((await symptoms()).value).toBe('New');
});

it('clears the text and says so when the user signs out in another tab', async () => {
  const spy = stage();
  open();
  await userEvent.type(await symptoms(), 'Annas private words');
  act(() => {
    window.localStorage.removeItem('token');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }));
  });
  await screen.findByText(/^You’ve been signed out, so what you typed is hidden/);
  expect((await symptoms()).value).toBe('');
  expect(JSON.stringify({ ...window.sessionStorage })).not.toContain('private');

  // Another person signs in there: nothing of it is shown, saved or booked under their name.
  const before = savedDrafts(spy).length;
  stage({}, { ...patient, _id: 'p2', name: 'Sess Bob' });
  act(() => {
    window.localStorage.setItem('token', 'of-bob');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: 'of-bob' }));
  });
  await screen.findByText('For Sess Bob');
  expect((await symptoms()).value).toBe('');
  expect(savedDrafts(spy)).toHaveLength(before);
});

it('goes to sign-in when the session has ended', async () => {
  stage({ 'POST /appointments': () => apiError(401, 'session_ended') });
  open();
  await book();
  await waitFor(() => expect(where()).toBe(`/login?next=${encodeURIComponent(CHOSEN)}`));
});

it('shows admins the page without a Book button', async () => {
  stage({}, admin);
  open();
  // Before all that is of no use to them.
  const note = await screen.findByText('You’re signed in as an admin');
  const choice = await screen.findByText('Your appointment');
  expect(note.compareDocumentPosition(choice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByRole('button', { name: 'Book' })).toBeNull();
});

it('tells that Book sends a request, and its deadline', async () => {
  const respondBy = '2026-12-08T06:30:00Z';
  stage({
    'POST /appointments/hold': () =>
      ok({ holdId: 's', expiresAt: HELD, doctorId: 'd1', startsAt: HELD, respondBy }),
  });
  const { unmount } = open();
  const button = await screen.findByRole('button', { name: 'Book' });
  await waitFor(() => {
    const effect = document.getElementById(String(button.getAttribute('aria-describedby')));
    expect(effect?.textContent).toBe(
      `Sends a request to Dr. Ana Ruiz. If Dr. Ana Ruiz hasn’t replied by ${formatInstant(respondBy)}, your request expires.`,
    );
  });
  unmount();
  stage({
    'GET /doctors/d1': () => ok({ doctor: { ...publicDoctor, instantConfirmation: true } }),
  });
  open();
  expect(await screen.findByText('Your appointment is confirmed right away.')).toBeTruthy();
  expect(screen.queryByText(/request/)).toBeNull();
});

it('shows no form if the doctor is fully booked', async () => {
  stage({
    'GET /doctors/d1/slots': () => ok(slots('2026-12-07', 62, {})),
    'GET /doctors': () => ok({ doctors: [], pagination: { page: 1, hasNext: false } }),
  });
  open('/patient/book-appointment/d1');
  expect(await screen.findByText('Dr. Ana Ruiz has no openings right now.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Book' })).toBeNull();
  expect(screen.queryByLabelText(/^Symptoms/)).toBeNull();
});

it('tells when a time is no longer held', async () => {
  stage({ 'POST /appointments/hold': held });
  open();
  await screen.findAllByText(/^Held for you until/);
  vi.setSystemTime(new Date('2026-12-07T06:06:00Z'));
  vi.spyOn(document, 'hidden', 'get').mockReturnValueOnce(true);
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(await screen.findByText('We’re no longer holding this time for you')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Book' }).getAttribute('aria-disabled')).toBeNull();
});

it('tells when the doctor does not exist', async () => {
  stage({ 'GET /doctors/d1': () => apiError(404, 'doctor_unavailable') });
  open();
  expect(await screen.findByText('Doctor not found or unavailable.')).toBeTruthy();
});

const held = () => ok({ holdId: 'secret', expiresAt: HELD, doctorId: 'd1', startsAt: HELD });

it('shows how long the time is held, and books with the hold', async () => {
  const spy = stage({
    'POST /appointments/hold': held,
    'POST /appointments': () => ok({ appointment: { _id: 'v1' } }),
  });
  open();
  const own = new Date(HELD).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const [line] = await screen.findAllByText(/^Held for you until/);
  expect(line?.textContent).toBe(`Held for you until ${own}`);
  expect(line?.closest('[aria-live], [role="status"]')).toBeNull();
  await book();
  await waitFor(() => expect(where()).toBe('/patient/appointments?booked=v1'));
  expect(sent(spy)).toMatchObject({ holdId: 'secret' });
  // It is used up, so there is nothing to release.
  expect(spy.mock.calls.some(([, init]) => init?.method === 'DELETE')).toBe(false);
});

it('names the time zone if it differs from the clinic’s', async () => {
  stage({
    'GET /doctors/d1': () => ok({ doctor: { ...publicDoctor, timeZone: 'Asia/Tokyo' } }),
    'POST /appointments/hold': held,
  });
  open();
  const [line] = await screen.findAllByText(/^Held for you until/);
  expect(line?.textContent).toMatch(/^Held for you until \d\d:\d\d your time$/);
});

it('tells users that they booked the time themselves, and links to the appointment', async () => {
  const spy = stage({
    'GET /doctors/d1/slots': () => ok(slots('2026-12-07', 62, { '2026-12-09': ['09:00'] })),
    'POST /appointments/hold': () =>
      apiResponse(409, {
        code: 'already_booked',
        message: 'You have booked this time.',
        data: { appointmentId: 'v1' },
      }),
  });
  open();
  await screen.findByText('You’ve already booked this');
  const link = screen.getByRole('link', { name: 'View appointment' });
  expect(link.getAttribute('href')).toBe('/patient/appointments/v1');
  expect(screen.queryByText(/can’t be held|no longer open/)).toBeNull();
  // There is nothing to keep, so it is not asked again.
  expect(spy.mock.calls.filter(([input]) => String(input).endsWith('/hold'))).toHaveLength(1);
});

it('releases the time when the user leaves the page', async () => {
  const spy = stage({
    'POST /appointments/hold': held,
    'DELETE /appointments/hold/secret': () => ok({}),
  });
  const { unmount } = open();
  await screen.findAllByText(/^Held for you until/);
  unmount();
  await waitFor(() =>
    expect(spy.mock.calls.some(([, init]) => init?.method === 'DELETE')).toBe(true),
  );
});

it('shows visitors the time they hold as free', async () => {
  const spy = stage({ 'POST /appointments/hold': held }, null);
  open();
  await screen.findAllByText(/^Held for you until/);
  await waitFor(() =>
    expect(spy.mock.calls.some(([input]) => String(input).endsWith('&holdId=secret'))).toBe(true),
  );
});

it('keeps the hold on the way to sign-in', async () => {
  const spy = stage({ 'POST /appointments/hold': held }, null);
  const { unmount } = open();
  await screen.findAllByText(/^Held for you until/);
  window.history.pushState(null, '', '/login');
  unmount();
  stage({ 'POST /appointments/hold': held });
  open();
  await screen.findAllByText(/^Held for you until/);
  expect(spy.mock.calls.some(([, init]) => init?.method === 'DELETE')).toBe(false);
  window.history.pushState(null, '', '/');
});

it('refuses to book a time that was taken, and keeps the text', async () => {
  const spy = stage({
    'POST /appointments/hold': () =>
      apiResponse(409, {
        code: 'slot_taken',
        message: 'Taken.',
        data: { alternatives: [freeTime('2026-12-08', '14:00')] },
      }),
  });
  open();
  const field = await symptoms();
  await userEvent.type(field, 'My knee');
  await screen.findByText(/can’t be held for you/);
  expect(document.activeElement).toBe(field);
  expect(field.value).toBe('My knee');
  expect(screen.getByRole('button', { name: 'Tuesday 8 December, 14:00' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Book' }).getAttribute('aria-disabled')).toBe('true');
  await book();
  await screen.findByRole('link', {
    name: 'This time is no longer available. Please choose another.',
  });
  expect(spy.mock.calls.some(([input]) => String(input) === '/api/appointments')).toBe(false);
});
