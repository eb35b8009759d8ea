import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  window.history.replaceState(null, '', '/');
});

/** The heading of a browser that has just loaded `/`. */
async function loaded() {
  return (await import('./PageHeading')).PageHeading;
}

test('keeps the browser’s focus on the first page', async () => {
  const PageHeading = await loaded();
  render(<PageHeading>Home</PageHeading>);
  expect(document.activeElement).not.toBe(screen.getByRole('heading'));
});

test('focuses the heading of the next page', async () => {
  const PageHeading = await loaded();
  render(<PageHeading>Home</PageHeading>).unmount();
  window.history.pushState(null, '', '/register');
  render(<PageHeading>Create your account</PageHeading>);
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

test('focuses the heading if the user left before the first one was shown', async () => {
  const PageHeading = await loaded();
  window.history.pushState(null, '', '/register');
  render(<PageHeading>Create your account</PageHeading>);
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});
