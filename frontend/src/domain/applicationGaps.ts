import type { OwnCase } from '@/api/types';

/**
 * What the doctor's open application lacks, in words: registration asks for the licence's number
 * alone, and staff need more to look it up.
 */
export function applicationGaps(cases: OwnCase[]): string {
  const open = cases.find(({ state }) => state === 'open');
  if (!open) return '';
  const gaps = [
    !open.licenseAuthority && 'who issued your licence',
    !open.licenseExpiresOn && 'until when it is valid',
  ];
  return gaps.filter(Boolean).join(', and ');
}
