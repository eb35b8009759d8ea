// Weigh every page as a first visit loads it: scripts and styles, compressed with gzip.
// `npm run build && npm run budget`
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../frontend_dist/app/', import.meta.url);
const ENTRY = 'src/main.tsx';
const MOST_KB = 130;
// Desks are opened once in the morning, on a computer, and hold editors.
const DESK =
  /^src\/features\/(doctor-desk|doctor-patients|doctor-verification|visit-desk|admin-[a-z]+|schedule)\//;
const MOST_KB_DESK = 170;

const manifest = JSON.parse(readFileSync(new URL('manifest.json', DIST)));
const weigh = (file) => gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length;

function collect(name, files = new Set()) {
  const chunk = manifest[name];
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const imported of chunk.imports ?? []) collect(imported, files);
  return files;
}

let tooHeavy = false;
function weighPages(of, before) {
  for (const page of manifest[of].dynamicImports ?? []) {
    const files = collect(page, new Set(before));
    if (!page.startsWith('src/features/')) {
      // A part of the site map, with pages of its own.
      weighPages(page, files);
      continue;
    }
    const kb = [...files].reduce((sum, file) => sum + weigh(file), 0) / 1000;
    const over = kb > (DESK.test(page) ? MOST_KB_DESK : MOST_KB);
    tooHeavy ||= over;
    console.log(`${kb.toFixed(1).padStart(6)} kB  ${page}${over ? '  over the budget' : ''}`);
  }
}
weighPages(ENTRY, collect(ENTRY));
if (tooHeavy) {
  console.error(`A page weighs more than ${MOST_KB} kB, or ${MOST_KB_DESK} at a desk.`);
  process.exit(1);
}
