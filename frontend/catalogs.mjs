// Split the message catalogs by page, so that a page loads only its own messages in one language.
// Used by build.mjs; src/lib/i18n.ts loads the files.
import { createHash } from 'node:crypto';
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { extractMessagesFromFiles } from '@lingui/native-tools';

const PSEUDO = 'pseudo';
const FILE = 'assets/{catalog}.{locale}-{version}.json';

/** Return the compiled messages of every language by their ids; throw for one that is missing or can't be read. */
export async function compileCatalogs() {
  const config = getConfig();
  const [catalog] = await getCatalogs(config);
  const compiled = new Map();
  for (const locale of config.locales.filter((each) => each !== PSEUDO)) {
    const { messages, missing } = await catalog.getTranslations(locale, {
      sourceLocale: config.sourceLocale,
      fallbackLocales: config.fallbackLocales,
    });
    if (missing.length) throw new Error(`${locale}.po lacks ${missing[0].source ?? missing[0].id}`);
    const { source, errors } = createCompiledCatalog(locale, messages, { namespace: 'json' });
    if (errors.length) throw new Error(`${locale}.po: ${errors[0].id}: ${errors[0].error.message}`);
    compiled.set(locale, JSON.parse(source).messages);
  }
  return compiled;
}

/** Return the ids of the messages in each source file. */
export async function extractIds(sources) {
  const idsOf = new Map(sources.map((source) => [source, new Set()]));
  const { messages, warnings } = await extractMessagesFromFiles(sources);
  if (warnings.length) throw new Error(warnings.join('\n'));
  for (const { id, origin } of messages) idsOf.get(origin.filename).add(id);
  return idsOf;
}

/**
 * Return the content of the catalogs by file name, and the pattern of these names: `{catalog}` and `{locale}` are
 * filled in by those who load them.
 *
 * @param compiled The messages of each language by id.
 * @param parts The ids of each part of the site (collectMessages in build.mjs).
 */
export function splitCatalogs(compiled, parts) {
  const contents = new Map();
  for (const [locale, messages] of compiled) {
    for (const [part, ids] of parts) {
      const own = [...ids].sort().map((id) => [id, messages[id]]);
      const unknown = own.find(([, message]) => message === undefined);
      if (unknown) throw new Error(`${locale}.po lacks ${unknown[0]}: run \`npm run extract\``);
      contents.set({ catalog: part, locale }, JSON.stringify(Object.fromEntries(own)));
    }
  }
  const version = createHash('sha256')
    .update(JSON.stringify([...contents]))
    .digest('base64url')
    .replace(/[-_]/g, '0')
    .slice(0, 8);
  const pattern = FILE.replace('{version}', version);
  const files = [...contents].map(([names, content]) => [catalogFile(pattern, names), content]);
  return { pattern, files: new Map(files) };
}

/** Return the name of a catalog's file. */
export function catalogFile(pattern, { catalog, locale }) {
  return pattern.replace('{catalog}', catalog).replace('{locale}', locale);
}
