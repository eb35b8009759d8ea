import type { Address } from '@/api/types';
import { countryName } from './countryName';
import { getSiteSettings } from './siteSettings';

/**
 * A `tel:` link (RFC 3966) that works from any country, with its extension. The server shows
 * numbers of the site's own country without a country code ("(202) 555-0100 ext. 12"), all others
 * with one.
 */
export function telHref(phone: string): string {
  const [number = '', extension = ''] = phone.split(/\s*(?:ext\.?|x|;ext=|#)\s*/i);
  const digits = number.replace(/\D/g, '');
  const { callingCode, trunkPrefix } = getSiteSettings().dialing;
  const national =
    trunkPrefix && digits.startsWith(trunkPrefix) ? digits.slice(trunkPrefix.length) : digits;
  const dialed = number.trim().startsWith('+') ? digits : `${callingCode}${national}`;
  return `tel:+${dialed}${extension && `;ext=${extension.replace(/\D/g, '')}`}`;
}

/**
 * Return the lines of an address: "12 Elm Street", "Boston, MA 02116", "Canada"; the country only
 * if it is not the site's.
 */
export function addressLines({ street, city, state, zipCode, country }: Address): string[] {
  const town = [city, [state, zipCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const lines = [street, town].filter(Boolean);
  const abroad = country && country !== getSiteSettings().defaultCountry;
  return lines.length > 0 && abroad ? [...lines, countryName(country)] : lines;
}

/** Format an address on one line: "12 Elm Street, Boston, MA 02116". */
export function addressLine(address: Address): string {
  return addressLines(address).join(', ');
}
