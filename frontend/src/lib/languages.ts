/** Switch between the languages of the interface; loaded with the menu that offers them. */
import { i18n } from '@lingui/core';
import { loadUsedCatalogs } from './i18n';
import { emitLanguageChange, rememberLanguage } from './languageChoice';

const RIGHT_TO_LEFT = new Set(['ar']);

/** Return the name of a language in that language: "Deutsch". */
export function languageName(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

let chosenLanguage = '';

/** Show the interface in another language and remember it. What was typed stays: no component is mounted again. */
export async function switchLanguage(language: string): Promise<void> {
  chosenLanguage = language;
  // Until there is nothing more to load, since the reader may open another page in between.
  while (await loadUsedCatalogs(language));
  // While its messages were loading, the reader may have chosen another one.
  if (chosenLanguage !== language) return;
  rememberLanguage(language);
  i18n.activate(language);
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  emitLanguageChange();
}
