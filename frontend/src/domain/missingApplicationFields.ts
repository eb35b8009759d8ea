import type { OwnCase } from '@/api/types';

/**
 * What the doctor's open application lacks, in words: registration asks for the license's number
 * alone, and staff need more to look it up.
 */
export function missingApplicationFields(cases: OwnCase[]): string {
  const open = cases.find(({ state }) => state === 'open');
  if (!open) return '';
  const gaps = [
    !open.licenseAuthority && 'who issued your license',
    !open.licenseExpiresOn && 'until when it is valid',
  ];
  return gaps.filter(Boolean).join(', and ');
}
