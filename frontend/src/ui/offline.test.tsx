import { onlineManager } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ErrorState } from './ErrorState';
import { Skeletons } from './Skeleton';

afterEach(() => act(() => onlineManager.setOnline(true)));

const OFFLINE = "You're offline. We'll retry when you're back.";

it('what is loading says that there is no network, and goes on loading after it', () => {
  render(<Skeletons>bar</Skeletons>);
  expect(screen.getByRole('status').textContent).toContain('Loading');
  act(() => onlineManager.setOnline(false));
  expect(screen.getByRole('status').textContent).toBe(OFFLINE);
  act(() => onlineManager.setOnline(true));
  expect(screen.getByRole('status').textContent).toContain('Loading');
});

it('an error while offline blames neither the server nor the person', () => {
  act(() => onlineManager.setOnline(false));
  render(<ErrorState title="Failed to fetch appointments" onRetry={() => {}} />);
  expect(screen.getByRole('alert').textContent).toBe(OFFLINE);
  expect(screen.queryByRole('button')).toBeNull();
  act(() => onlineManager.setOnline(true));
  expect(screen.getByText('Failed to fetch appointments')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
