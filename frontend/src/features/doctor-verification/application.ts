import { t } from '@lingui/core/macro';
import type { OwnCase } from '@/api/types';
import type { Application } from '@/api/verification';
import { isDate, today } from '@/lib/dates';
import { checkDocument } from '@/lib/documentRules';
import { withoutEmpty } from '@/lib/validate';

/** Return the initial values, from the last application. */
export function initialApplication(cases: OwnCase[], licenseNumber: string): Application {
  const last = cases[0];
  return {
    licenseNumber: last?.licenseNumber || licenseNumber,
    licenseAuthority: last?.licenseAuthority ?? '',
    licenseRegion: last?.licenseRegion ?? '',
    licenseExpiresOn: last?.licenseExpiresOn ?? '',
    // A reply to a decision is a new message.
    message: last?.state === 'open' ? last.message : '',
    document: null,
  };
}

export function checkApplication(values: Application): Record<string, string> {
  const { licenseNumber, licenseAuthority, licenseExpiresOn, document } = values;
  return withoutEmpty({
    licenseNumber: licenseNumber.trim() ? undefined : t`Enter your license number`,
    licenseAuthority: licenseAuthority.trim() ? undefined : t`Enter who issued your license`,
    licenseExpiresOn: checkExpiry(licenseExpiresOn),
    document: (document && checkDocument(document)) || undefined,
  });
}

function checkExpiry(date: string): string | undefined {
  if (!date) return t`Enter the date your license expires`;
  if (!isDate(date)) return t`Enter a valid expiration date`;
  if (date < today()) return t`This license has expired. Renew it first, then apply`;
}
