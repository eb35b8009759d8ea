// Build the bundle, the boot script that runs before it, and the prerendered HTML of every page.
// `npm run build`; Django reads the result from pages.json (config/spa.py).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { compileCatalogs, extractIds, loadMessagesOfParts, splitCatalogs } from './catalogs.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../frontend_dist/app/', import.meta.url));
const ENTRY = 'src/app/main.tsx';
const FONT = /latin-wght-normal/;
const EXTENDED = /latin-ext/;

/** Return the boot script, which runs before the first paint; a module would be deferred. */
async function buildBootScript() {
  const [{ output }] = [
    await build({
      root: ROOT,
      logLevel: 'warn',
      build: {
        write: false,
        emptyOutDir: false,
        manifest: false,
        rolldownOptions: {
          input: 'src/app/boot.ts',
          output: { format: 'iife', codeSplitting: false },
        },
      },
    }),
  ].flat();
  return output[0].code;
}

/** Build the bundle with the boot script as one of its assets, and return its files. */
async function buildBundle(bootScript) {
  const emitBootScript = {
    name: 'boot-script',
    generateBundle() {
      this.emitFile({ type: 'asset', name: 'boot.js', source: bootScript });
    },
  };
  const { output } = await build({ root: ROOT, plugins: [emitBootScript, messagesOfParts.plugin] });
  return output;
}

/** Render every page to HTML in every language, in a server-side bundle that is deleted afterwards. */
async function prerenderPages(compiled) {
  const outDir = await mkdtemp(join(tmpdir(), 'prerender-'));
  try {
    await build({
      root: ROOT,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: 'src/app/prerender.tsx',
        outDir,
        manifest: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });
    const { prerender } = await import(pathToFileURL(join(outDir, 'prerender.mjs')).href);
    const rendered = new Map();
    for (const [locale, messages] of compiled) {
      rendered.set(locale, await prerender(locale, messages));
    }
    const [{ placeholders, pages }] = rendered.values();
    const htmlOf = (index) =>
      Object.fromEntries([...rendered].map(([locale, each]) => [locale, each.pages[index].html]));
    return { placeholders, pages: pages.map((page, index) => ({ ...page, html: htmlOf(index) })) };
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** Pages, and the list of pages of doctors and admins, which has no messages of its own. */
const PAGE = /\/src\/(features\/.+Page|app\/staffRoutes)\.tsx$/;
const messagesOfParts = loadMessagesOfParts((source) => PAGE.test(source));

const files = await buildBundle(await buildBootScript());
const findAsset = (isAsset) => {
  const matches = files.filter(({ fileName }) => isAsset(fileName));
  if (matches.length !== 1) throw new Error(`Expected one file, got ${matches.length}`);
  return matches[0].fileName;
};

const chunks = new Map(files.filter(({ type }) => type === 'chunk').map((c) => [c.fileName, c]));
const sourceOf = (chunk) => chunk.facadeModuleId?.slice(ROOT.length);
const chunkOf = new Map([...chunks.values()].map((chunk) => [sourceOf(chunk), chunk.fileName]));

/** Collect the files a chunk needs, dependencies first; styles in cascade order. */
function collectFiles(name, files = { scripts: new Set(), styles: new Set() }) {
  const chunk = chunks.get(name);
  if (!chunk || files.scripts.has(name)) return files;
  for (const dependency of chunk.imports) collectFiles(dependency, files);
  files.scripts.add(name);
  for (const style of chunk.viteMetadata.importedCss) files.styles.add(style);
  return files;
}

/** Return the files a page needs, given the source files it starts from. */
function filesOf(sources) {
  const files = { scripts: new Set(), styles: new Set() };
  for (const source of sources) {
    const name = chunkOf.get(source);
    if (!name) throw new Error(`The bundle has no chunk of ${source}`);
    collectFiles(name, files);
  }
  // The entry comes first: the boot script imports it, and it waits for the others.
  return {
    scripts: [...files.scripts].sort((one) => (one === chunkOf.get(ENTRY) ? -1 : 0)),
    styles: [...files.styles],
  };
}

/** Return the chunk that contains a source file. */
function chunkWith(source) {
  const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(source));
  if (!chunk) throw new Error(`The bundle has no chunk with ${source}`);
  return chunk.fileName;
}

/** Return the ids of each catalog: those of every page, and what each page and part of one has besides. */
async function collectMessages(prerenderedPages) {
  const idsOf = await extractIds([...chunks.values()].flatMap((chunk) => chunk.moduleIds));
  const idsOfChunks = (names) =>
    new Set(
      names
        .flatMap((name) => [...collectFiles(name).scripts])
        .flatMap((name) => chunks.get(name).moduleIds)
        .flatMap((source) => [...(idsOf.get(source) ?? [])]),
    );
  const shell = idsOfChunks([chunkOf.get(ENTRY)]);
  const catalogs = new Map([['shell', shell]]);
  for (const { catalog, sources } of prerenderedPages) {
    const names = sources.map((source) => chunkOf.get(source));
    catalogs.set(catalog, idsOfChunks(names).difference(shell));
  }
  for (const [catalog, source] of messagesOfParts.parts) {
    catalogs.set(catalog, idsOfChunks([chunkWith(source)]).difference(shell));
  }
  return catalogs;
}

const compiled = await compileCatalogs();
const { placeholders, pages: prerenderedPages } = await prerenderPages(compiled);
const catalogs = splitCatalogs(compiled, await collectMessages(prerenderedPages));
for (const [name, content] of catalogs.files) await writeFile(DIST + name, content);
const pages = {
  placeholders,
  catalogs: catalogs.pattern,
  languages: [...compiled.keys()],
  boot: findAsset((name) => /boot-[\w-]+\.js$/.test(name)),
  font: findAsset((name) => FONT.test(name) && !EXTENDED.test(name)),
  // For URLs without a page.
  none: { html: {}, readable: false, ...filesOf([ENTRY]) },
  pages: prerenderedPages.map(({ sources, ...page }) => ({
    ...page,
    ...filesOf([ENTRY, ...sources]),
  })),
};
await writeFile(`${DIST}pages.json`, JSON.stringify(pages));
console.log(`${prerenderedPages.length} pages prerendered`);
