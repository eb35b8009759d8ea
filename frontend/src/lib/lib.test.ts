import { describe, expect, it, vi } from 'vitest';
import { formatMoney } from './money';
import { doctorName, initials, nameHash } from './names';
import { nestFields } from './nestedForm';
import { dashboardOf, paths, safeNext } from './paths';
import { reloadOnce } from './staleChunkReload';

it('formats money with its currency symbol, and cents only if there are any', () => {
  expect(formatMoney(120, 'USD')).toBe('$120');
  expect(formatMoney(99.5, 'USD')).toBe('$99.50');
  expect(formatMoney(1500, 'INR')).toBe('₹1,500');
});

describe('names', () => {
  it('takes initials without titles', () => {
    expect(initials('Dr. Ana Ruiz')).toBe('AR');
    expect(initials('Mei-Ling')).toBe('M');
    expect(initials('Dr')).toBe('D');
    expect(initials('  ')).toBe('?');
  });

  it('returns the same tint for the same name', () => {
    expect(nameHash('Ana Ruiz', 5)).toBe(nameHash('Ana Ruiz', 5));
  });

  it('adds the title once', () => {
    expect(doctorName('Ana Ruiz')).toBe('Dr. Ana Ruiz');
    expect(doctorName('Dr. Ana Ruiz')).toBe('Dr. Ana Ruiz');
  });
});

it('nests dotted names', () => {
  expect(nestFields({ name: 'A', 'hospital.name': 'B', 'hospital.address.city': 'C' })).toEqual({
    name: 'A',
    hospital: { name: 'B', address: { city: 'C' } },
  });
});

describe('safeNext', () => {
  it.each(['/profile', '/patient/appointments?scope=past', '/a#b'])('keeps %s', (path) => {
    expect(safeNext(path)).toBe(path);
  });
  it.each([
    null,
    '',
    'profile',
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/profile/..//evil.example',
    '/.\t./\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/login?next=/login',
    '/register',
  ])('refuses %j', (path) => {
    expect(safeNext(path)).toBeNull();
  });
});

it('builds URLs without empty parameters', () => {
  expect(paths.findDoctors({ search: 'a b', city: '' })).toBe('/patient/doctors?search=a+b');
  expect(paths.book('x/y', { date: '2026-12-08' })).toBe(
    '/patient/book-appointment/x%2Fy?date=2026-12-08',
  );
  expect(dashboardOf('admin')).toBe('/admin/dashboard');
  expect(dashboardOf(undefined)).toBe('/');
});

it('reloads once for missing code, not in a loop', () => {
  const reload = vi.fn();
  expect(reloadOnce(reload)).toBe(true);
  expect(reloadOnce(reload)).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});
