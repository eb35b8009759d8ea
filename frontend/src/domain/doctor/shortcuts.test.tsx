import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderUi } from '@/testing/render';
import { ShortcutsDialog } from './ShortcutsDialog';

function show(acts: Parameters<typeof ShortcutsDialog>[0]['handlers'] = {}) {
  const opened = vi.fn();
  const confirmed = vi.fn();
  renderUi(
    <>
      <label>
        Search <input />
      </label>
      <ul>
        {['Amina', 'Bruno'].map((name) => (
          <li key={name} data-row="">
            <h3 tabIndex={-1}>{name}</h3>
            <button type="button" data-shortcut="open" onClick={() => opened(name)}>
              Open {name}
            </button>
            <button type="button" data-shortcut="confirm" onClick={() => confirmed(name)}>
              Confirm {name}
            </button>
          </li>
        ))}
      </ul>
      <ShortcutsDialog handlers={acts} />
    </>,
  );
  return { opened, confirmed, user: userEvent.setup() };
}

test('moves between rows and clicks their buttons by key', async () => {
  const { opened, confirmed, user } = show();
  await user.keyboard('o');
  expect(opened).not.toHaveBeenCalled();
  await user.keyboard('nj');
  expect(document.activeElement?.textContent).toBe('Bruno');
  await user.keyboard('nc');
  expect(confirmed.mock.calls).toEqual([['Bruno']]);
  await user.keyboard('ko');
  expect(opened.mock.calls).toEqual([['Amina']]);
});

test('ignores keys in text fields, in dialogs and with modifiers', async () => {
  const week = vi.fn();
  const { opened, user } = show({ week });
  await user.type(screen.getByRole('textbox'), 'now?');
  expect(week).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.keyDown(document.body, { key: 'w', ctrlKey: true });
  expect(week).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  fireEvent.keyDown(dialog, { key: 'w' });
  expect(week).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'w' });
  expect(week).toHaveBeenCalledOnce();
  expect(opened).not.toHaveBeenCalled();
});

test('can be turned off permanently', async () => {
  const week = vi.fn();
  const { user } = show({ week });
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
  await user.click(screen.getByRole('checkbox', { name: 'Use these keys' }));
  fireEvent.keyDown(document.body, { key: 'w' });
  expect(week).not.toHaveBeenCalled();
  expect(window.localStorage.getItem('deskShortcuts')).toBe('off');
  await user.click(screen.getByRole('checkbox', { name: 'Use these keys' }));
  fireEvent.keyDown(document.body, { key: 'w' });
  expect(week).toHaveBeenCalledOnce();
});

test('lists only the shortcuts of this page', async () => {
  const { user } = show();
  await user.keyboard('?');
  expect(await screen.findByText('Next row')).toBeTruthy();
  expect(screen.queryByText('Today')).toBeNull();
});
