/** The reader's choice of a language, which the server respects (config/language.py). */

const COOKIE = 'language';
const COOKIE_SECONDS = 31_536_000;
/** The parameter of addresses that name a language. */
const PARAMETER = 'lang';

let notifyLanguageChange: () => void = () => {};

/** Register the handler for a switch to another language. */
export function onLanguageChange(handler: () => void): void {
  notifyLanguageChange = handler;
}

/** Report that another language is shown. */
export function emitLanguageChange(): void {
  notifyLanguageChange();
}

/** Remember a language in this browser. */
export function rememberLanguage(language: string): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers.
  document.cookie = `${COOKIE}=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax${secure}`;
}

/**
 * Remove the language from the address, in which the server has sent the page. It is remembered unless the reader has
 * chosen another one: a link to a page is no choice.
 */
export function takeLanguageParameter(): void {
  const url = new URL(window.location.href);
  const language = url.searchParams.get(PARAMETER);
  if (language === null) return;
  const isChosen = document.cookie.split('; ').some((each) => each.startsWith(`${COOKIE}=`));
  if (language === document.documentElement.lang && !isChosen) rememberLanguage(language);
  url.searchParams.delete(PARAMETER);
  window.history.replaceState(window.history.state, '', url);
}
