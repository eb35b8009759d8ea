/**
 * The language of the interface. English is the source; the build splits each language's messages by page
 * (catalogs.mjs), so that a page loads its own and those that every page has.
 */
import { i18n, type Messages } from '@lingui/core';
import { recordChunkError } from './chunkErrors';
import { fetchMessages } from './messageFetch';

/** The part of the catalogs that every page needs. */
export const SHELL_CATALOG = 'shell';

/** Return the name of a page's catalog: its route pattern in letters and digits. */
export function catalogName(pattern: string): string {
  return `page${pattern.replace(/\W+/g, '-').replace(/-$/, '')}`;
}

/** Set the messages of a language before anything is rendered. @public Called by the build and by tests. */
export function setMessages(locale: string, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages });
}

/** The parts of the catalogs that were loaded, so that they can be loaded in another language. */
const loadedCatalogs = new Set<string>();

/** The language of the page that the server sent. */
function documentLocale(): string {
  return document.documentElement.lang || 'en';
}

/**
 * Load parts of the catalogs, each once, in the current language.
 *
 * While developing, English messages are part of the code, and other languages load whole.
 */
export async function loadCatalogs(...names: string[]): Promise<void> {
  const locale = i18n.locale || documentLocale();
  if (!import.meta.env.PROD || import.meta.env.SSR) {
    if (!i18n.locale) setMessages(locale, {});
    return;
  }
  const fresh = names.filter((name) => !loadedCatalogs.has(name));
  const parts = await Promise.all(fresh.map((name) => loadCatalog(name, locale)));
  for (const name of fresh) loadedCatalogs.add(name);
  if (i18n.locale) {
    // Not `i18n.load`, which renders everything again, although only what comes next needs these messages.
    Object.assign(i18n.messages, ...parts);
  } else {
    i18n.load(locale, Object.assign({}, ...parts));
    i18n.activate(locale);
  }
}

/** Load a part of a page with its messages. @public The build adds it to each `import()` (catalogs.mjs). */
export async function withMessages<Module>(
  code: Promise<Module>,
  catalog: string,
): Promise<Module> {
  const [module] = await Promise.all([code, loadCatalogs(catalog)]);
  return module;
}

/** Load a part of the catalogs; throw an error that counts as one of the page's code if it can't be had. */
async function loadCatalog(catalog: string, locale: string): Promise<Messages> {
  // The build names the files, and the server puts the pattern of their names on <html>.
  const pattern = document.documentElement.dataset.catalogs ?? '';
  const file = pattern.replace('{catalog}', catalog).replace('{locale}', locale);
  try {
    const response = await fetchMessages(import.meta.env.BASE_URL + file);
    if (!response.ok) throw new Error(`${file} could not be loaded: ${response.status}`);
    return await response.json();
  } catch (error) {
    recordChunkError(error as Error);
    throw error;
  }
}
