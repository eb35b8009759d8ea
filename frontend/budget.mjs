// Weigh every page as a first visit loads it: scripts and styles, compressed with gzip.
// `npm run build && npm run budget`
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../frontend_dist/app/', import.meta.url);
const MOST_KB = 130;
// Desks are opened once in the morning, on a computer, and hold editors.
const DESK = /^\/(doctor|admin)\//;
const MOST_KB_DESK = 170;

const weights = new Map();
function weigh(file) {
  if (!weights.has(file)) {
    weights.set(file, gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length);
  }
  return weights.get(file);
}

const { early, pages } = JSON.parse(readFileSync(new URL('pages.json', DIST)));
let tooHeavy = false;
for (const { pattern, scripts, styles } of pages) {
  const files = [early, ...scripts, ...styles];
  const kb = files.reduce((sum, file) => sum + weigh(file), 0) / 1000;
  const over = kb > (DESK.test(pattern) ? MOST_KB_DESK : MOST_KB);
  tooHeavy ||= over;
  console.log(
    `${kb.toFixed(1).padStart(6)} kB  ${String(files.length).padStart(2)} files  ${pattern}${over ? '  over the budget' : ''}`,
  );
}
if (tooHeavy) {
  console.error(`A page weighs more than ${MOST_KB} kB, or ${MOST_KB_DESK} at a desk.`);
  process.exit(1);
}
