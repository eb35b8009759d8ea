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

test('the page that the browser loaded keeps the browser’s own focus', async () => {
  const PageHeading = await loaded();
  render(<PageHeading>Home</PageHeading>);
  expect(document.activeElement).not.toBe(screen.getByRole('heading'));
});

test('the next page takes the focus', async () => {
  const PageHeading = await loaded();
  render(<PageHeading>Home</PageHeading>).unmount();
  window.history.pushState(null, '', '/register');
  render(<PageHeading>Create your account</PageHeading>);
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

test('so does it for a user who left before the first page had shown its heading', async () => {
  const PageHeading = await loaded();
  window.history.pushState(null, '', '/register');
  render(<PageHeading>Create your account</PageHeading>);
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});
