// Build what is served: the bundle, the script that runs before it, and every page as it begins.
// `npm run build`; Django reads the result from pages.json.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../frontend_dist/app/', import.meta.url));
const ENTRY = 'src/main.tsx';
const FONT = /latin-wght-normal/;
const EXTENDED = /latin-ext/;

/** The script that runs before anything is painted: no module, since those wait. */
async function early() {
  const [{ output }] = [
    await build({
      root: ROOT,
      logLevel: 'warn',
      build: {
        write: false,
        emptyOutDir: false,
        manifest: false,
        rolldownOptions: {
          input: 'src/early.ts',
          output: { format: 'iife', codeSplitting: false },
        },
      },
    }),
  ].flat();
  return output[0].code;
}

/** The bundle; answers the chunks by their source, and the other files by their names. */
async function bundle(code) {
  const emitting = {
    name: 'early',
    generateBundle() {
      this.emitFile({ type: 'asset', name: 'early.js', source: code });
    },
  };
  const { output } = await build({ root: ROOT, plugins: [emitting] });
  return output;
}

/** Draw all pages, in a bundle of their own that nobody is served. */
async function drawn() {
  const outDir = await mkdtemp(join(tmpdir(), 'prerender-'));
  try {
    await build({
      root: ROOT,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: 'src/prerender.tsx',
        outDir,
        manifest: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
      },
    });
    const { prerender } = await import(pathToFileURL(join(outDir, 'prerender.mjs')).href);
    return await prerender();
  } finally {
    await rm(outDir, { recursive: true });
  }
}

const files = await bundle(await early());
const asset = (test) => {
  const found = files.filter(({ fileName }) => test(fileName));
  if (found.length !== 1) throw new Error(`${found.length} files where one was expected`);
  return found[0].fileName;
};

const chunks = new Map(files.filter(({ type }) => type === 'chunk').map((c) => [c.fileName, c]));
const sourceOf = (chunk) => chunk.facadeModuleId?.slice(ROOT.length);
const chunkOf = new Map([...chunks.values()].map((chunk) => [sourceOf(chunk), chunk.fileName]));

/** Everything that a chunk needs, itself last; styles in the order in which they count. */
function needs(name, found = { scripts: new Set(), styles: new Set() }) {
  const chunk = chunks.get(name);
  if (!chunk || found.scripts.has(name)) return found;
  for (const each of chunk.imports) needs(each, found);
  found.scripts.add(name);
  for (const style of chunk.viteMetadata.importedCss) found.styles.add(style);
  return found;
}

function all(sources) {
  const found = { scripts: new Set(), styles: new Set() };
  for (const source of sources) {
    const name = chunkOf.get(source);
    if (!name) throw new Error(`The bundle has no chunk of ${source}`);
    needs(name, found);
  }
  // The entry, on which all wait, stands first; it begins to run when the others are here.
  return {
    scripts: [...found.scripts].sort((one) => (one === chunkOf.get(ENTRY) ? -1 : 0)),
    styles: [...found.styles],
  };
}

const { standIns, drawings } = await drawn();
const pages = {
  standIns,
  early: asset((name) => /early-[\w-]+\.js$/.test(name)),
  font: asset((name) => FONT.test(name) && !EXTENDED.test(name)),
  // An address that leads to no page of ours.
  none: { html: '', readable: false, ...all([ENTRY]) },
  pages: drawings.map(({ sources, ...drawing }) => ({ ...drawing, ...all([ENTRY, ...sources]) })),
};
await writeFile(`${DIST}pages.json`, JSON.stringify(pages));
console.log(`${drawings.length} pages drawn`);
