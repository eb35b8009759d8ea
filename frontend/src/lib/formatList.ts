import { t } from '@lingui/core/macro';
import { perLocale } from './locale';

const conjunction = perLocale((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** Format a list: "A, B, and C". */
export function formatList(parts: readonly string[]): string {
  return conjunction().format(parts);
}

/** Format facts about one thing, leaving out those that don't apply: "A, B, C". */
export function formatFacts(facts: readonly (string | false | null | undefined)[]): string {
  const [first = '', ...others] = facts.filter(
    (fact) => typeof fact === 'string' && fact !== '',
  ) as string[];
  // Intl's lists have an "and" in some languages.
  return others.reduce(
    (list, fact) => t({ message: `${list}, ${fact}`, comment: 'Facts about one thing' }),
    first,
  );
}
