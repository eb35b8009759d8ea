/** The locale of dates, times, numbers and lists. The language of texts is that of lib/i18n.ts. */
import { i18n } from '@lingui/core';

/** For readers whose browser names no region for the language of the interface. */
const DEFAULT_LOCALES: Record<string, string> = {
  ar: 'ar-EG',
  de: 'de-DE',
  en: 'en-US',
  pseudo: 'en-US',
};

const REGION = /^(?:[A-Z]{2}|\d{3})$/;

/** By language of the interface, since the browser's preferences are read a hundred times in a page. */
const locales = new Map<string, string>();

/** Return the first of the preferred locales in a language that names a region, or else the language's own. */
export function chooseLocale(language: string, preferred: readonly string[]): string {
  const regional = preferred.find((tag) => {
    const [first, ...subtags] = tag.split('-');
    return first === language && subtags.some((subtag) => REGION.test(subtag));
  });
  return regional ?? DEFAULT_LOCALES[language] ?? language;
}

let chosen = '';

/** Use a locale instead of the browser's. @public Called by tests. */
export function setFormatLocale(locale: string): void {
  chosen = locale;
}

/** Return the locale of formats, such as `en-GB`: the reader's own for the language of the interface. */
export function formatLocale(): string {
  if (chosen) return chosen;
  const language = i18n.locale || 'en';
  let locale = locales.get(language);
  if (locale === undefined) {
    locale = chooseLocale(language, import.meta.env.SSR ? [] : navigator.languages);
    locales.set(language, locale);
  }
  return locale;
}

/**
 * Return a function that returns the formatter of the current locale. Each is created once, which takes
 * longer than hundreds of uses.
 */
export function perLocale<Formatter>(create: (locale: string) => Formatter): () => Formatter {
  const formatters = new Map<string, Formatter>();
  return () => {
    const locale = formatLocale();
    const formatter = formatters.get(locale) ?? create(locale);
    formatters.set(locale, formatter);
    return formatter;
  };
}
