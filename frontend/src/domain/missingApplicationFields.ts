import { t } from '@lingui/core/macro';
import type { OwnCase } from '@/api/types';
import { formatList } from '@/lib/formatList';

/**
 * List what the doctor's open application lacks: registration requires only the license number, but
 * staff need more to verify it.
 */
export function missingApplicationFields(cases: OwnCase[]): string {
  const open = cases.find(({ state }) => state === 'open');
  if (!open) return '';
  return formatList([
    ...(open.licenseAuthority ? [] : [t`who issued your license`]),
    ...(open.licenseExpiresOn ? [] : [t`when your license expires`]),
  ]);
}
