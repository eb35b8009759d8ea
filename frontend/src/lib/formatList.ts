import { i18n } from '@lingui/core';

/** Format a list in the language of the interface: "A, B, and C". */
export function formatList(parts: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(parts);
}
