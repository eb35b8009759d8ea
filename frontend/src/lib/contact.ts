import type { Address } from '@/api/types';

/** A telephone number as a link that dials it. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`;
}

/** "12 Elm Street, Boston, MA 02116": an address on one line, without its empty parts. */
export function addressLine({ street, city, state, zipCode }: Address): string {
  return [street, city, [state, zipCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
