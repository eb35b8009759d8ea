import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderUi } from '@/testing/render';
import { confirm } from './confirm';
import { DialogHost } from './dialogHost';
import { Menu } from './Menu';
import { Toasts, toast } from './toasts';

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    renderUi(<Toasts />);
  });
  afterEach(() => {
    act(() => toast.clear());
    vi.useRealTimers();
  });
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

  it('hides a success after three seconds', () => {
    act(() => toast.success('Saved'));
    expect(screen.getByRole('status').textContent).toContain('Saved');
    pass(2900);
    expect(screen.queryByText('Saved')).not.toBeNull();
    pass(200);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('keeps a success while it is hovered', () => {
    act(() => toast.success('Saved'));
    const notice = screen.getByText('Saved');
    fireEvent.mouseEnter(notice.closest('[class]')?.parentElement as Element);
    fireEvent.mouseOver(notice);
    pass(10_000);
    expect(screen.queryByText('Saved')).not.toBeNull();
  });

  it('keeps a success with an undo, and removes older undos', () => {
    const undo = vi.fn();
    act(() => toast.success('Stopped', { label: 'Undo', run: undo }));
    pass(60_000);
    act(() => toast.success('Stopped more', { label: 'Undo', run: undo }));
    expect(screen.queryByText('Stopped')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Stopped more')).toBeNull();
  });

  it('keeps an error until it is dismissed', () => {
    act(() => toast.error('It failed'));
    pass(60_000);
    expect(screen.getByRole('alert').textContent).toContain('It failed');
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('It failed')).toBeNull();
  });

  it('keeps unsaved text whatever else is reported', () => {
    act(() => toast.error('It was changed', { title: 'Amina Yusuf', typedText: 'On leave.' }));
    act(() => toast.success('Saved'));
    act(() => toast.error('It failed'));
    pass(60_000);
    const error = screen.getByText('Amina Yusuf').closest('[role="alert"]');
    expect(error?.textContent).toContain('It was changed');
    expect(screen.getByText('On leave.')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Dismiss' })[0] as Element);
    expect(screen.queryByText('On leave.')).toBeNull();
  });
});

describe('confirm', () => {
  const ask = () => confirm({ title: 'Sure?', action: 'Cancel appointment', dismiss: 'Keep it' });

  it('resolves to the answer and restores focus', async () => {
    renderUi(
      <>
        <button type="button">Opener</button>
        <DialogHost />
      </>,
    );
    screen.getByText('Opener').focus();
    let answer = ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel appointment' }));
    expect(await answer).toBe(true);
    expect(document.activeElement).toBe(screen.getByText('Opener'));

    answer = ask();
    await userEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
    expect(await answer).toBe(false);
  });

  it('treats Escape as no', async () => {
    renderUi(<DialogHost />);
    const answer = ask();
    fireEvent(await screen.findByRole('alertdialog'), new Event('cancel', { cancelable: true }));
    expect(await answer).toBe(false);
  });
});

describe('menu', () => {
  beforeEach(() => {
    renderUi(
      <>
        <Menu label="Account" trigger="A">
          {(close) => (
            <>
              <a href="/one">One</a>
              <button type="button" onClick={close}>
                Two
              </button>
            </>
          )}
        </Menu>
        <p>Outside</p>
      </>,
    );
  });
  const button = () => screen.getByRole('button', { name: 'Account' });

  it('opens, moves with the arrow keys and closes with Escape', async () => {
    await userEvent.click(button());
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('One');
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Two');
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('One');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByText('One')).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it('closes on a click outside', async () => {
    await userEvent.click(button());
    await userEvent.click(screen.getByText('Outside'));
    expect(button().getAttribute('aria-expanded')).toBe('false');
  });
});
