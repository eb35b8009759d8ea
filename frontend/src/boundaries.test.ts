import { expect, it } from 'vitest';

/** The direction of knowledge: lib ← api, ui ← domain ← features ← routes. */
const MAY_IMPORT: Record<string, string[]> = {
  // The shapes of the wire are words everybody may use.
  lib: ['lib', 'api/types'],
  api: ['api', 'lib'],
  ui: ['ui', 'lib'],
  domain: ['domain', 'api', 'ui', 'lib'],
  features: ['features', 'domain', 'api', 'ui', 'lib'],
};
const FORBIDDEN_IN_UI = /from '(react-router-dom|@tanstack\/[^']+)'/;

const sources = import.meta.glob<string>('./**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The rooms of a file's imports: `ui`, `features/home`. */
function imports(file: string, source: string): string[] {
  const found = [...source.matchAll(/(?:from|import\()\s*'(@\/|\.{1,2}\/)([^']+)'/g)];
  return found.map(([, start, rest]) => {
    const base = start === '@/' ? 'http://x/' : `http://x/${file.slice(2)}`;
    return new URL(start === '@/' ? (rest ?? '') : `${start}${rest}`, base).pathname.slice(1);
  });
}

const room = (path: string) => path.split('/')[0] ?? '';
const feature = (path: string) => path.split('/')[1];

it('keeps the direction of imports', () => {
  const broken: string[] = [];
  for (const [file, source] of Object.entries(sources)) {
    const from = file.slice(2);
    const allowed = MAY_IMPORT[room(from)];
    if (!allowed || from.includes('.test.')) continue;
    for (const to of imports(file, source)) {
      if (!allowed.includes(room(to)) && !allowed.includes(to))
        broken.push(`${from} imports ${to}`);
      if (room(from) === 'features' && room(to) === 'features' && feature(from) !== feature(to)) {
        broken.push(`${from} imports ${to}`);
      }
    }
    if (room(from) === 'ui' && FORBIDDEN_IN_UI.test(source)) broken.push(`${from} knows too much`);
  }
  expect(broken).toEqual([]);
});
