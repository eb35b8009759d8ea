import type { OwnCase } from '@/api/types';

/**
 * List what the doctor's open application lacks: registration requires only the license number, but
 * staff need more to verify it.
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
