import { expect, it } from 'vitest';
import lines from './addressLines.json';
import { addressLine, addressLines, telHref } from './contact';
import { countryOptions } from './countries';
import { joinAddress, splitAddress } from './postalAddress';

it.each([
  ['(202) 555-0100', 'tel:+12025550100'],
  ['(202) 555-0100 ext. 12', 'tel:+12025550100;ext=12'],
  ['+44 20 7946 0018 ext. 3', 'tel:+442079460018;ext=3'],
  ['+1 202 555 0100', 'tel:+12025550100'],
])('formats %s as an international tel link', (shown, href) => {
  expect(telHref(shown)).toBe(href);
});

const address = { street: '12 Elm Street', city: 'Boston', state: 'MA', zipCode: '02116' };

it('names the country of an address only if it is not the site’s', () => {
  expect(addressLine({ ...address, country: 'US' })).toBe('12 Elm Street, Boston, MA 02116');
  expect(addressLines({ ...address, country: 'CA' })).toEqual([
    '12 Elm Street',
    'Boston, MA 02116',
    'Canada',
  ]);
  const empty = { street: '', city: '', state: '', zipCode: '' };
  expect(addressLine({ ...empty, country: 'CA' })).toBe('');
});

it('lists every country once, the site’s own first', () => {
  const values = countryOptions().map(({ value }) => value);
  expect(values[0]).toBe('US');
  expect(values.length).toBe(249);
  expect(new Set(values).size).toBe(249);
});

it.each(lines as [string, object][])('splits %j as the server does', (line, parts) => {
  expect(splitAddress(line)).toEqual(parts);
});

it('parses the line it formats', () => {
  expect(splitAddress(joinAddress(address))).toEqual(address);
});
