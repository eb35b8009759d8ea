import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { Carousel } from './Carousel';

const doctors = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    _id: `d${index}`,
    name: `Person ${index}`,
    specialization: 'Cardiology',
    experience: index,
    profilePicture: null,
  }));

const scrollTo = vi.fn();
let width = 0;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  scrollTo.mockReset();
  Element.prototype.scrollTo = scrollTo;
  width = 1000;
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(() => width);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600);
});
afterEach(() => vi.useRealTimers());

async function show(count: number) {
  stubApi({ 'GET /doctors': () => ok({ doctors: doctors(count), pagination: {} }) });
  renderAt('/', <Carousel />);
  await screen.findByText(count ? `Dr. Person ${count - 1}` : 'No doctors found.');
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('shows the five most experienced doctors in order', async () => {
  await show(7);
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
    ['Dr. Person 6', 'Dr. Person 5', 'Dr. Person 4', 'Dr. Person 3', 'Dr. Person 2'].map(
      (name) => expect.stringContaining(name) as string,
    ),
  );
});

it('scrolls by 220 pixels every 2.5 seconds, and from the end to the start', async () => {
  await show(5);
  await pass(2500);
  expect(scrollTo).toHaveBeenLastCalledWith({ left: 220, behavior: 'smooth' });
  width = 600;
  await pass(2500);
  expect(scrollTo).toHaveBeenLastCalledWith({ left: 0, behavior: 'smooth' });
});

it('stops on hover or focus until restarted', async () => {
  await show(5);
  fireEvent.focus(screen.getAllByRole('link')[0] as Element);
  await pass(10_000);
  expect(scrollTo).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: /^Play/ }));
  await pass(2500);
  expect(scrollTo).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: /^Pause/ }));
  await pass(10_000);
  expect(scrollTo).toHaveBeenCalledTimes(1);
});

it('does not scroll with one doctor, and shows a message with none', async () => {
  await show(1);
  await pass(5000);
  expect(scrollTo).not.toHaveBeenCalled();
  expect(screen.queryByRole('button')).toBeNull();
});

it('shows a message if there is no doctor or no response', async () => {
  await show(0);
});
