import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { setFormatLocale } from '@/lib/locale';
import { renderUi } from '@/testing/render';
import { MonthGrid } from './MonthGrid';

const FREE: Record<string, number> = { '2026-12-08': 5, '2026-12-31': 1, '2027-01-31': 2 };

function Host({ onChoose = () => {} }: { onChoose?: (date: string) => void }) {
  const [month, setMonth] = useState('2026-12');
  return (
    <MonthGrid
      month={month}
      onMonth={setMonth}
      first="2026-12"
      last="2027-02"
      today="2026-12-02"
      free={(date) => FREE[date] ?? 0}
      selectedDate={null}
      onChoose={onChoose}
    />
  );
}

const focused = () => document.activeElement?.getAttribute('aria-label');

async function enter() {
  screen.getByLabelText('Next month').focus();
  await userEvent.tab();
}

it('has one tab stop at the first day with free times', async () => {
  renderUi(<Host />);
  await enter();
  expect(focused()).toBe('Tuesday 8 December 2026, 5 openings'.replace(' 2026', year()));
  await userEvent.tab();
  expect(document.activeElement).toBe(document.body);
});

/** The year is named when it is not this one. */
function year(at = 2026) {
  return new Date().getFullYear() === at ? '' : ` ${at}`;
}

it.each([
  ['{ArrowRight}', 'Wednesday 9 December', 2026],
  ['{ArrowLeft}', 'Monday 7 December', 2026],
  ['{ArrowDown}', 'Tuesday 15 December', 2026],
  ['{ArrowUp}', 'Tuesday 1 December', 2026],
  ['{Home}', 'Monday 7 December', 2026],
  ['{End}', 'Sunday 13 December', 2026],
  ['{PageDown}', 'Friday 8 January', 2027],
])('moves with %s to %s', async (key, day, at) => {
  renderUi(<Host />);
  await enter();
  await userEvent.keyboard(key);
  expect(focused()).toBe(`${day}${year(at)}, no openings`);
});

it('moves across months and uses the last day of shorter months', async () => {
  renderUi(<Host />);
  await enter();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{End}{ArrowRight}');
  expect(focused()).toContain('Monday 4 January');
  await userEvent.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(focused()).toBe(`Thursday 31 December${year()}, 1 opening`);
  await userEvent.keyboard('{PageDown}{PageDown}');
  expect(focused()).toContain('Sunday 28 February');
});

it('stays within the given months', async () => {
  renderUi(<Host />);
  await enter();
  await userEvent.keyboard('{PageUp}');
  expect(focused()).toContain('Tuesday 8 December');
});

it('selects only days with free times', async () => {
  const onChoose = vi.fn();
  renderUi(<Host onChoose={onChoose} />);
  await enter();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  expect(onChoose).not.toHaveBeenCalled();
  await userEvent.keyboard('{ArrowLeft}{Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('2026-12-08');
});

it.each([
  ['en-US', ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], 2, 'December 6', 'December 12'],
  [
    'ar-EG',
    ['السبت', 'الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة'],
    3,
    '٥',
    '١١',
  ],
])('begins the week where %s does', async (locale, names, gap, start, end) => {
  setFormatLocale(locale);
  renderUi(<Host />);
  expect(screen.getAllByRole('columnheader').map((each) => each.textContent)).toEqual(names);
  const [, firstWeek] = screen.getAllByRole('row');
  expect(firstWeek?.querySelectorAll('td:empty').length).toBe(gap);
  await enter();
  await userEvent.keyboard('{Home}');
  expect(focused()).toContain(start);
  await userEvent.keyboard('{End}');
  expect(focused()).toContain(end);
});
