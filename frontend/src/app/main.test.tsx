import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

it('shows an error and a way to reload if the messages cannot be loaded', async () => {
  // As the built site runs, whose messages are in files of their own.
  vi.stubEnv('PROD', true);
  vi.stubEnv('SSR', false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  // The reload that comes first has not helped.
  window.sessionStorage.setItem('reloadedAt', String(Date.now()));
  document.body.innerHTML = '<div id="root"><p>Prerendered</p></div>';
  await import('./main');
  const alert = await screen.findByRole('alert');
  expect(alert.closest('[lang]')?.getAttribute('lang')).toBe('en');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page didn’t load');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByText('Prerendered')).toBeNull();
  expect(report).toHaveBeenCalledOnce();
  document.body.innerHTML = '';
  vi.unstubAllEnvs();
});
