// Measure the scripts, styles and messages a first visit to each page loads, compressed with gzip.
// `npm run build && npm run budget`
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { catalogFile } from './catalogs.mjs';

const DIST = new URL('../frontend_dist/app/', import.meta.url);
const MAX_KB = 136;
// Doctors and admins open their pages once a day on a computer; those pages contain editors.
const STAFF_PAGE = /^\/(doctor|admin)\//;
const MAX_STAFF_KB = 170;
// Patients come to their own pages with most of the code in their browser's cache.
const PATIENT_PAGE = /^\/(profile|patient\/(appointments|dashboard|records|profile))\b/;
const MAX_PATIENT_KB = 138;

function findLimit(pattern) {
  if (STAFF_PAGE.test(pattern)) return MAX_STAFF_KB;
  return PATIENT_PAGE.test(pattern) ? MAX_PATIENT_KB : MAX_KB;
}

const weights = new Map();
function weigh(file) {
  if (!weights.has(file)) {
    weights.set(file, gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length);
  }
  return weights.get(file);
}

const { boot, catalogs, languages, pages } = JSON.parse(readFileSync(new URL('pages.json', DIST)));
let isTooHeavy = false;
/** The messages of a page in the language in which they weigh most. */
function weighMessages(catalog) {
  const sizes = languages.map((locale) =>
    ['shell', catalog].reduce(
      (sum, name) => sum + weigh(catalogFile(catalogs, { catalog: name, locale })),
      0,
    ),
  );
  return Math.max(...sizes);
}

for (const { pattern, catalog, scripts, styles } of pages) {
  const files = [boot, ...scripts, ...styles];
  const kb = files.reduce((sum, file) => sum + weigh(file), weighMessages(catalog)) / 1000;
  const isOver = kb > findLimit(pattern);
  isTooHeavy ||= isOver;
  console.log(
    `${kb.toFixed(1).padStart(6)} kB  ${String(files.length).padStart(2)} files  ${pattern}${isOver ? '  over the budget' : ''}`,
  );
}
if (isTooHeavy) {
  console.error(
    `A page weighs more than ${MAX_KB} kB (${MAX_PATIENT_KB} kB for a patient's own pages, ${MAX_STAFF_KB} kB for doctors and admins).`,
  );
  process.exit(1);
}
