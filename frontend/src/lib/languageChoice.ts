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

/** Remember the language that the address names, in which the server has sent the page, and remove it from there. */
export function takeLanguageParameter(): void {
  const url = new URL(window.location.href);
  const language = url.searchParams.get(PARAMETER);
  if (language === null) return;
  if (language === document.documentElement.lang) rememberLanguage(language);
  url.searchParams.delete(PARAMETER);
  window.history.replaceState(window.history.state, '', url);
}
