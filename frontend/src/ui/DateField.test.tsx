import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderUi } from '@/testing/render';
import { DateField } from './DateField';

it.each([
  ['85-3-2', ['Year']],
  ['1985-13-2', ['Month']],
  ['1985-2-31', ['Day']],
  ['2999-2-31', ['Year']],
  ['', ['Day', 'Month', 'Year']],
])('marks only the invalid input in %j until the next error', async (value, marked) => {
  const boxes = (now: string, error?: string) => (
    <DateField
      name="dateOfBirth"
      label="Date of birth"
      birthday
      value={now}
      error={error}
      onChange={() => {}}
    />
  );
  const { rerender } = renderUi(boxes(value));
  const found = () =>
    ['Day', 'Month', 'Year'].filter((name) => box(name).getAttribute('aria-invalid') === 'true');
  expect(found()).toEqual([]);
  rerender(boxes(value, 'Wrong'));
  expect(found()).toEqual(marked);
  rerender(boxes('1985-03-02', 'Wrong'));
  expect(found()).toEqual(marked);
  rerender(boxes('1985-03-02'));
  expect(found()).toEqual([]);
});

function Example({
  initial = '',
  onValue = () => {},
}: {
  initial?: string;
  onValue?: (value: string) => void;
}) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <DateField
        name="dateOfBirth"
        label="Date of birth"
        birthday
        value={value}
        onChange={(next) => {
          setValue(next);
          onValue(next);
        }}
      />
      <button type="button" onClick={() => setValue('2000-02-29')}>
        Load
      </button>
    </>
  );
}

const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

it('emits an ISO date once the three inputs form one', async () => {
  const onValue = vi.fn();
  renderUi(<Example onValue={onValue} />);
  await userEvent.type(box('Day'), '7');
  await userEvent.type(box('Month'), '3');
  expect(onValue).toHaveBeenLastCalledWith('-3-7');
  await userEvent.type(box('Year'), '1985');
  expect(onValue).toHaveBeenLastCalledWith('1985-03-07');
  // What was typed stays as it was typed.
  expect(box('Day').value).toBe('7');
});

it('keeps a typed leading zero', async () => {
  renderUi(<Example />);
  await userEvent.type(box('Day'), '07');
  expect(box('Day').value).toBe('07');
});

it('keeps impossible dates in the inputs without padding them', async () => {
  const onValue = vi.fn();
  renderUi(<Example onValue={onValue} />);
  await userEvent.type(box('Day'), '30');
  await userEvent.type(box('Month'), '02');
  await userEvent.type(box('Year'), '2026');
  expect(onValue).toHaveBeenLastCalledWith('2026-02-30');
  expect(box('Month').value).toBe('02');
});

it('emits an empty value when all inputs are cleared', async () => {
  const onValue = vi.fn();
  renderUi(<Example initial="1985-03-27" onValue={onValue} />);
  for (const name of ['Day', 'Month', 'Year']) await userEvent.clear(box(name));
  expect(onValue).toHaveBeenLastCalledWith('');
});

it('follows an external value', async () => {
  renderUi(<Example initial="1985-03-27" />);
  expect([box('Day').value, box('Month').value, box('Year').value]).toEqual(['27', '3', '1985']);
  await userEvent.click(screen.getByText('Load'));
  expect([box('Day').value, box('Month').value, box('Year').value]).toEqual(['29', '2', '2000']);
});

it('accepts only digits and supports birthday autofill', async () => {
  renderUi(<Example />);
  await userEvent.type(box('Year'), '19a8-5');
  expect(box('Year').value).toBe('1985');
  expect(box('Day').autocomplete).toBe('bday-day');
});
