import { onlineManager } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderUi } from '@/testing/render';
import { ErrorState } from './ErrorState';
import { Skeletons } from './Skeleton';

afterEach(() => act(() => onlineManager.setOnline(true)));

const OFFLINE = 'You’re offline. We’ll retry when you’re back.';

it('tells while loading that there is no network, and continues when it is back', () => {
  renderUi(<Skeletons>bar</Skeletons>);
  expect(screen.getByRole('status').textContent).toContain('Loading');
  act(() => onlineManager.setOnline(false));
  expect(screen.getByRole('status').textContent).toBe(OFFLINE);
  act(() => onlineManager.setOnline(true));
  expect(screen.getByRole('status').textContent).toContain('Loading');
});

it('blames neither the server nor the user for an error while offline', () => {
  act(() => onlineManager.setOnline(false));
  renderUi(<ErrorState title="Failed to fetch appointments" onRetry={() => {}} />);
  expect(screen.getByRole('alert').textContent).toBe(OFFLINE);
  expect(screen.queryByRole('button')).toBeNull();
  act(() => onlineManager.setOnline(true));
  expect(screen.getByText('Failed to fetch appointments')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
