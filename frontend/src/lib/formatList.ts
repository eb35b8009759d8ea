import { perLocale } from './locale';

const conjunction = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));
const unit = perLocale((locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }));

/** Format a list: "A, B, and C". */
export function formatList(parts: readonly string[]): string {
  return conjunction().format(parts);
}

/** Format facts about one thing, leaving out those that don't apply: "A, B, C". */
export function formatFacts(facts: readonly (string | false | null | undefined)[]): string {
  const present = facts.filter((fact) => typeof fact === 'string' && fact !== '') as string[];
  return unit().format(present);
}
