import { i18n } from '@lingui/core';

/** "Germany" for "DE", in the language of the interface. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([i18n.locale], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
