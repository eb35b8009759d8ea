import { render, renderHook, screen } from '@testing-library/react';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  document.head.innerHTML = '';
});
// The next file of this worker must not find these settings.
afterAll(() => {
  vi.resetModules();
  document.head.innerHTML = '';
});

function addMeta(config: object) {
  const meta = Object.assign(document.createElement('meta'), { name: 'wellhour-config' });
  meta.content = JSON.stringify(config);
  document.head.append(meta);
}

it('uses the name of the site in the logo and in titles', async () => {
  addMeta({ siteName: 'Harbor Clinic' });
  const { Logo } = await import('@/domain/Logo');
  const { usePageTitle } = await import('@/ui/documentTitle');
  render(<Logo />);
  expect(screen.getByText('Harbor Clinic')).toBeDefined();
  renderHook(() => usePageTitle('Contact'));
  expect(document.title).toBe('Contact - Harbor Clinic');
  renderHook(() => usePageTitle('Harbor Clinic'));
  expect(document.title).toBe('Harbor Clinic');
});

it('keeps the defaults of what the page does not set', async () => {
  addMeta({ siteName: 'Harbor Clinic' });
  const { getSiteSettings } = await import('./siteSettings');
  expect(getSiteSettings()).toEqual({
    siteName: 'Harbor Clinic',
    defaultCountry: 'US',
    dialing: { callingCode: '1', trunkPrefix: '1' },
  });
});
