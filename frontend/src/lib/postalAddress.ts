import type { Address } from '@/api/types';

/** The parts of a one-line address. */
export type AddressParts = Omit<Address, 'country'>;

const ZIP = '(?=[A-Z]*[0-9])[A-Z0-9]{2,7}(?:[ -][A-Z0-9]{2,4})?';
const STATE_AND_ZIP = new RegExp(`^(?:(?<state>.*?)\\s+)??(?<zip>${ZIP})$`);
const ZIP_AND_CITY = /^(?<zip>[0-9]{4,5})\s+(?<city>\D+)$/;

/** Format an address on one line like the server; submitting it unchanged changes nothing. */
export function joinAddress({ street, city, state, zipCode }: AddressParts): string {
  return [street, city, `${state} ${zipCode}`.trim()].filter(Boolean).join(', ');
}

/**
 * Parse a one-line address by the server's rules (accounts/text/postal_addresses.py), to preview
 * the parts; both are tested with addressLines.json.
 */
export function splitAddress(line: string): Partial<AddressParts> {
  const first = line
    .split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
  const last = first.pop();
  if (last === undefined) return {};
  if (first.length === 0) return { street: last };
  const foreign = ZIP_AND_CITY.exec(last)?.groups;
  if (foreign) return { street: first.join(', '), city: foreign.city, zipCode: foreign.zip };
  const written = STATE_AND_ZIP.exec(last)?.groups;
  if (!written) {
    // Of two parts the last is the city, of more the state.
    if (first.length === 1) return { street: first.join(', '), city: last };
    const city = first.pop();
    return { street: first.join(', '), city, state: last };
  }
  const zipCode = written.zip;
  if (!written.state && first.length > 2) {
    const state = first.pop();
    const city = first.pop();
    return { street: first.join(', '), city, state, zipCode };
  }
  const city = first.length > 1 ? { city: first.pop() } : {};
  const state = written.state ? { state: written.state } : {};
  return { street: first.join(', '), ...city, ...state, zipCode };
}
