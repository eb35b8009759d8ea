/**
 * The language of the interface. English is the source; the build splits each language's messages by page
 * (catalogs.mjs), so that a page loads its own and those that every page has.
 */
import {
  I18n,
  i18n,
  type MessageDescriptor,
  type MessageOptions,
  type Messages,
} from '@lingui/core';
import { recordChunkError } from './chunkErrors';
import { fetchMessages } from './messageFetch';

const ESCAPE_SEQUENCE = /\\(?=u[\da-f]{4}|x[\da-f]{2})/gi;

/** Escape what Lingui would decode in a value that a user wrote, such as the backslash of `\u0041`. */
function keepLiteral(values: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(ESCAPE_SEQUENCE, '\\x5c') : value,
    ]),
  );
}

const translate = I18n.prototype._.bind(i18n);
const translateLiterally: typeof translate = (
  message: MessageDescriptor | string,
  values?: Record<string, unknown>,
  options?: MessageOptions,
) =>
  typeof message === 'string'
    ? translate(message, keepLiteral(values), options)
    : translate({ ...message, values: keepLiteral(message.values) });
i18n._ = translateLiterally;
i18n.t = translateLiterally;

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

/** The parts that the open page and those before it need, in whichever language is shown. */
const usedCatalogs = new Set<string>();

/** The parts that were loaded, by language. */
const loadedCatalogs = new Map<string, Set<string>>();

/** The language that is shown: at first that of the page that the server sent. */
export function currentLanguage(): string {
  return i18n.locale || document.documentElement.lang || 'en';
}

/**
 * Load parts of the catalogs, each once for a language.
 *
 * While developing, English messages are part of the code, and other languages load whole.
 */
export async function loadCatalogs(...names: string[]): Promise<void> {
  const added = names.filter((name) => !usedCatalogs.has(name));
  for (const name of added) usedCatalogs.add(name);
  let language: string;
  try {
    do {
      language = currentLanguage();
      await loadUsedCatalogs(language);
      // The reader may have chosen another one since.
    } while (language !== currentLanguage());
  } catch (error) {
    for (const name of added) usedCatalogs.delete(name);
    throw error;
  }
  if (!i18n.locale) i18n.activate(language);
}

/** Load a part of a page with its messages. @public The build adds it to each `import()` (catalogs.mjs). */
export async function withMessages<Module>(
  code: Promise<Module>,
  catalog: string,
): Promise<Module> {
  const [module] = await Promise.all([code, loadCatalogs(catalog)]);
  return module;
}

/** Load the parts in use that a language lacks, and return whether there were any. */
export async function loadUsedCatalogs(language: string): Promise<boolean> {
  if (import.meta.env.SSR) return false;
  if (!import.meta.env.PROD) {
    i18n.load(language, language === 'en' ? {} : await loadWholeCatalog(language));
    return false;
  }
  const loaded = loadedCatalogs.get(language) ?? new Set();
  loadedCatalogs.set(language, loaded);
  const missing = [...usedCatalogs].filter((name) => !loaded.has(name));
  const parts = await Promise.all(missing.map((name) => loadCatalog(name, language)));
  for (const name of missing) loaded.add(name);
  if (language === i18n.locale) {
    // Not `i18n.load`, which renders everything again, although only what comes next needs these messages.
    Object.assign(i18n.messages, ...parts);
  } else {
    i18n.load(language, Object.assign({}, ...parts));
  }
  return missing.length > 0;
}

async function loadWholeCatalog(language: string): Promise<Messages> {
  const catalogs = import.meta.env.DEV
    ? import.meta.glob<{ messages: Messages }>('../locales/*.po')
    : {};
  return (await catalogs[`../locales/${language}.po`]?.())?.messages ?? {};
}

/** Load a part of the catalogs; throw an error that counts as one of the page's code if it can't be had. */
async function loadCatalog(catalog: string, language: string): Promise<Messages> {
  // The build names the files, and the server puts the pattern of their names on <html>.
  const pattern = document.documentElement.dataset.catalogs ?? '';
  const file = pattern.replace('{catalog}', catalog).replace('{locale}', language);
  try {
    const response = await fetchMessages(import.meta.env.BASE_URL + file);
    if (!response.ok) throw new Error(`${file} could not be loaded: ${response.status}`);
    return await response.json();
  } catch (error) {
    recordChunkError(error as Error);
    throw error;
  }
}
