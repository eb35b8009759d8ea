import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { setToken } from '@/api/token';
import type { Doctor } from '@/api/types';
import { setMessages } from '@/lib/i18n';
import { setFormatLocale } from '@/lib/locale';
import { apiError, apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { freeTime, publicDoctor } from '@/testing/doctors';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import FindDoctorsPage from './FindDoctorsPage';

const pagination = { page: 1, pageSize: 20, hasNext: false, count: 2, countIsExact: true };
const ana = publicDoctor;
const sam: Doctor = {
  ...publicDoctor,
  _id: 'd2',
  name: 'Samuel Okafor',
  rating: { average: 4.75, count: 31 },
  instantConfirmation: true,
  nextTimes: ['09:00', '10:00', '11:00', '14:00'].map((time) => freeTime('2031-12-09', time)),
};

const filters = {
  specializations: ['General Medicine', 'Cardiology', 'Oncology'],
  example: { specialization: 'Oncology', city: 'Bern' },
};

function stage(
  doctors: Doctor[] = [ana, sam],
  corrected: { from: string; to: string } | null = null,
) {
  const page = { doctors, corrected, pagination: { ...pagination, count: doctors.length } };
  return stubApi({
    'GET /doctors': () => ok(page),
    'GET /doctors/filters': () => ok(filters),
    'GET /doctors/d2': () => ok({ doctor: sam }),
    'GET /auth/profile': () => ok({ user: patient }),
    'GET /appointments': () =>
      ok({
        appointments: [
          { status: 'completed', doctor: { _id: 'd2' } },
          { status: 'cancelled', doctor: { _id: 'd1' } },
        ],
        pagination,
      }),
  });
}

const where = () => screen.getByTestId('where').textContent;
const names = () =>
  screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

it('shows what users need to choose, and links times to the booking page', async () => {
  stage();
  renderAt('/patient/doctors', <FindDoctorsPage />);
  expect(await screen.findByRole('heading', { name: '2 doctors' })).toBeTruthy();
  const [first, second] = screen.getAllByRole('article') as [HTMLElement, HTMLElement];
  expect(within(first).getByText('New')).toBeTruthy();
  expect(within(first).getByText('Needs confirmation')).toBeTruthy();
  expect(within(first).getByText('No openings right now')).toBeTruthy();
  expect(within(second).getByText('4.8')).toBeTruthy();
  expect(within(second).getByText('Instant booking')).toBeTruthy();
  const times = within(second).getAllByRole('link', { name: /, book$/ });
  expect(times.map((link) => link.getAttribute('href'))).toEqual([
    '/patient/book-appointment/d2?date=2031-12-09&time=09%3A00',
    '/patient/book-appointment/d2?date=2031-12-09&time=10%3A00',
    '/patient/book-appointment/d2?date=2031-12-09&time=11%3A00',
  ]);
  const profile = within(second).getByRole('link', { name: /^View Profile/ });
  expect(profile.getAttribute('href')).toBe('/doctors/d2');
});

it('shows the fees and times of all doctors in another language', async () => {
  stage();
  renderAt('/patient/doctors', <FindDoctorsPage />);
  await screen.findByRole('heading', { name: '2 doctors' });
  const fees = () =>
    screen.getAllByText(/120/, { selector: 'strong' }).map(({ textContent }) => textContent);
  expect(fees()).toEqual(['$120', '$120']);
  act(() => {
    setFormatLocale('de-DE');
    setMessages('de', {});
  });
  expect(fees()).toEqual(['120\u00a0$', '120\u00a0$']);
  act(() => setMessages('en', {}));
});

it('searches while typing, and keeps the old results until the new ones load', async () => {
  const spy = stage();
  renderAt('/patient/doctors', <FindDoctorsPage />);
  await screen.findByRole('heading', { name: '2 doctors' });
  spy.mockClear();
  await userEvent.type(screen.getByLabelText('Name or specialization'), 'heart');
  await waitFor(() => expect(where()).toBe('/patient/doctors?search=heart'));
  expect(screen.getAllByRole('article')).toHaveLength(2);
  await waitFor(() => expect(spy).toHaveBeenCalled());
  // One call for the word, not one a letter.
  expect(spy.mock.calls.map(([path]) => String(path))).toEqual(['/api/doctors?search=heart']);
});

it('keeps filters in the URL and lets each be removed', async () => {
  stage();
  renderAt('/patient/doctors?search=heart&page=2', <FindDoctorsPage />);
  await screen.findByRole('heading', { name: '2 doctors' });
  await userEvent.selectOptions(screen.getByLabelText('Specialization'), 'Cardiology');
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Soonest opening');
  await waitFor(() =>
    expect(where()).toBe(
      '/patient/doctors?search=heart&specialization=Cardiology&ordering=nextFree',
    ),
  );
  const chips = screen.getByRole('list', { name: 'Active filters' });
  expect(
    within(chips)
      .getByRole('link', { name: /“heart”/ })
      .getAttribute('href'),
  ).toBe('/patient/doctors?specialization=Cardiology&ordering=nextFree');
});

it('applies several simultaneous changes', async () => {
  stage();
  renderAt('/patient/doctors', <FindDoctorsPage />);
  await screen.findByRole('heading', { name: '2 doctors' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // As if several fields were filled in before the page's code was here.
  act(() => {
    for (const [label, value] of [
      ['Name or specialization', 'heart'],
      ['Specialization', 'Cardiology'],
      ['City', 'Leeds'],
    ] as const) {
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    }
  });
  act(() => vi.runAllTimers());
  vi.useRealTimers();
  await waitFor(() =>
    expect(where()).toBe('/patient/doctors?search=heart&specialization=Cardiology&city=Leeds'),
  );
});

it('filters by every specialization with doctors, and shows an example with results', async () => {
  stage();
  renderAt('/patient/doctors?specialization=Surgery', <FindDoctorsPage />);
  await screen.findByPlaceholderText('e.g. Oncology');
  expect(screen.getByLabelText('City').getAttribute('placeholder')).toBe('e.g. Bern');
  const select = screen.getByLabelText<HTMLSelectElement>('Specialization');
  expect([...select.options].map((option) => option.text)).toEqual([
    'All',
    'General Medicine',
    'Cardiology',
    'Oncology',
    // Named by the link, though nobody is there.
    'Surgery',
  ]);
});

it('shows the corrected search text, and links to the original', async () => {
  stage([ana], { from: 'cardioligy', to: 'cardiology' });
  renderAt('/patient/doctors?search=cardioligy&city=Leeds&page=2', <FindDoctorsPage />);
  expect(await screen.findByText('cardiology')).toBeTruthy();
  expect(screen.getByText(/Showing results for/)).toBeTruthy();
  const literal = screen.getByRole('link', { name: 'Search for “cardioligy” instead' });
  expect(literal.getAttribute('href')).toBe(
    '/patient/doctors?search=cardioligy&city=Leeds&literal=true',
  );
  const chips = screen.getByRole('list', { name: 'Active filters' });
  expect(within(chips).getByText('“cardiology”')).toBeTruthy();
  expect(within(chips).queryByText('“cardioligy”')).toBeNull();
});

it('corrects typos again after a new search', async () => {
  const spy = stage();
  renderAt('/patient/doctors?search=hart&literal=true', <FindDoctorsPage />);
  await screen.findByRole('heading', { name: '2 doctors' });
  expect(spy.mock.calls.map(([path]) => String(path))).toContain(
    '/api/doctors?search=hart&literal=true',
  );
  await userEvent.type(screen.getByLabelText('Name or specialization'), 's');
  await waitFor(() => expect(where()).toBe('/patient/doctors?search=harts'));
});

it('lists doctors the patient knows first, once', async () => {
  setToken('t');
  stage();
  renderAt('/patient/doctors', <FindDoctorsPage />);
  expect(await screen.findByRole('heading', { name: 'Your doctors' })).toBeTruthy();
  expect(names()).toEqual(['Dr. Samuel Okafor', 'Dr. Ana Ruiz']);
});

it('tells that nobody matches, and offers a way on', async () => {
  stage([]);
  renderAt('/patient/doctors?search=zzz&city=Oslo', <FindDoctorsPage />);
  expect(await screen.findByText('No doctors found matching your criteria.')).toBeTruthy();
  const wider = screen.getByRole('link', { name: 'Search all cities' });
  expect(wider.getAttribute('href')).toBe('/patient/doctors?search=zzz');
});

it('continues signed out when the token has expired', async () => {
  setToken('dead');
  const spy = stage();
  const over = () => apiError(401, 'session_ended', 'Your session has ended.');
  spy.mockImplementation(async (input, init) => {
    const dead = new Headers(init?.headers).has('Authorization');
    if (dead) return over();
    return String(input).startsWith('/api/doctors?') || String(input) === '/api/doctors'
      ? ok({ doctors: [ana, sam], pagination })
      : over();
  });
  renderAt('/patient/doctors', <FindDoctorsPage />);
  expect(await screen.findByRole('heading', { name: '2 doctors' })).toBeTruthy();
  expect(where()).toBe('/patient/doctors');
});

it('offers a retry after an error', async () => {
  const spy = stage();
  spy.mockImplementation(async () => apiResponse(400, { success: false, message: '' }));
  renderAt('/patient/doctors', <FindDoctorsPage />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  stage();
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: '2 doctors' })).toBeTruthy();
});
