import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderUi } from '@/testing/render';
import { formatNumber } from '../figures';
import { BarChart } from './BarChart';

const steps = ['Monday', 'Tuesday', 'Wednesday'].map((name) => ({ name, short: name.slice(0, 3) }));

function chart() {
  const { container } = renderUi(
    <BarChart
      label="Visits"
      steps={steps}
      series={[
        { name: 'Completed', values: [4, 0, 2] },
        { name: 'Missed', values: [1, null, 0] },
      ]}
      format={formatNumber}
    />,
  );
  const cursor = screen.getByRole('slider', { name: 'Visits, step by step' });
  return { container, cursor, said: () => cursor.getAttribute('aria-valuetext') };
}

test('moves between steps with the arrow keys and announces their values', async () => {
  const { cursor, said } = chart();
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(cursor);
  expect(said()).toBe('Wednesday: Completed 2, Missed 0');
  await user.keyboard('{ArrowLeft}');
  expect(said()).toBe('Tuesday: Completed 0, Missed Unknown');
  await user.keyboard('{Home}');
  expect(said()).toBe('Monday: Completed 4, Missed 1');
  // What is said is seen too.
  expect(screen.getByText('Monday: Completed 4, Missed 1')).toBeTruthy();
});

test('draws series in different patterns and colors, and no bars for zero', () => {
  const { container } = chart();
  const bars = [...container.querySelectorAll<SVGRectElement>('svg > rect[fill^="url"]')];
  const inPlot = bars.filter((bar) => bar.getAttribute('width') !== '16');
  expect(inPlot.map((bar) => bar.getAttribute('fill')?.slice(-3))).toEqual(['-0)', '-1)', '-0)']);
  const height = (at: number) => Number(inPlot[at]?.getAttribute('height'));
  expect(height(0) / height(1)).toBeCloseTo(4);
});
