import { t } from '@lingui/core/macro';
import type { OwnCase } from '@/api/types';

/**
 * Return what the open application lacks; empty if nothing. Registration requires only the
 * license number, but staff need more to verify it.
 */
export function missingApplicationText(cases: OwnCase[]): string {
  const open = cases.find(({ state }) => state === 'open');
  if (!open) return '';
  const { licenseAuthority: authority, licenseExpiresOn: expiry } = open;
  if (!authority && !expiry)
    return t`To check your license, we still need to know who issued it and when it expires.`;
  if (!authority) return t`To check your license, we still need to know who issued it.`;
  if (!expiry) return t`To check your license, we still need to know when it expires.`;
  return '';
}
