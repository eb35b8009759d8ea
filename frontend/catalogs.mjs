// Split the message catalogs by page, and by part of a page that loads later, so that each loads only its own messages
// in one language. Used by build.mjs; src/lib/i18n.ts loads the files.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { extractMessagesFromFiles } from '@lingui/native-tools';

const PSEUDO = 'pseudo';
const FILE = 'assets/{catalog}.{locale}-{version}.json';
const SRC = fileURLToPath(new URL('./src', import.meta.url));
const SOURCE = /\/src\/.+\.tsx?$/;
const DYNAMIC_IMPORT = /(?<!typeof )\bimport\('([^']+)'\)/g;

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

/**
 * Make each `import()` of a part of a page also load the part's messages.
 *
 * @param isPage Whether a source file is a page, whose messages the router loads, or part of none.
 * @returns The plugin, and the source file of each part by its catalog, once the bundle is built.
 */
export function loadMessagesOfParts(isPage) {
  const parts = new Map();
  const plugin = {
    name: 'messages-of-parts',
    enforce: 'pre',
    transform: {
      filter: { id: SOURCE, code: DYNAMIC_IMPORT },
      async handler(code, importer) {
        let changed = code;
        for (const [call, path] of code.matchAll(DYNAMIC_IMPORT)) {
          const { id: source } = await this.resolve(path, importer);
          if (isPage(source)) continue;
          const catalog = `part-${relative(SRC, source)
            .replace(/\.\w+$/, '')
            .replace(/\W+/g, '-')}`;
          parts.set(catalog, source);
          changed = changed.replaceAll(call, `withMessages(${call}, '${catalog}')`);
        }
        if (changed === code) return null;
        return { code: `import { withMessages } from '@/lib/i18n';${changed}`, map: null };
      },
    },
  };
  return { plugin, parts };
}

/** Return the ids of the messages in each source file. */
export async function extractIds(files) {
  const sources = [...new Set(files)].filter((file) => SOURCE.test(file));
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
 * @param parts The ids of each catalog (collectMessages in build.mjs).
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
