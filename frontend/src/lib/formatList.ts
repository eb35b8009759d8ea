import { i18n } from '@lingui/core';

/** Format a list in the language of the interface: "A, B, and C". */
export function formatList(parts: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(parts);
}

/** Format facts about one thing, leaving out those that don't apply: "A, B, C". */
export function formatFacts(facts: readonly (string | false | null | undefined)[]): string {
  const present = facts.filter((fact) => typeof fact === 'string' && fact !== '') as string[];
  return new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' }).format(present);
}
