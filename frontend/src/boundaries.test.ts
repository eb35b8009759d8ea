import { expect, it } from 'vitest';

/** What each layer may import: app ← features ← domain ← api, lib, ui. */
const MAY_IMPORT: Record<string, string[]> = {
  lib: ['lib', 'api/types'],
  api: ['api', 'lib'],
  ui: ['ui', 'lib'],
  domain: ['domain', 'api', 'ui', 'lib'],
  features: ['features', 'domain', 'api', 'ui', 'lib'],
  app: ['app', 'features', 'domain', 'api', 'ui', 'lib'],
};
const FORBIDDEN_IN_UI = /from '(react-router-dom|@tanstack\/[^']+)'/;
const IMPORT = /\b(from|import\()\s*'(@\/|\.{1,2}\/)([^']+)'/g;

const sources = import.meta.glob<string>('./**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const modules = Object.entries(sources)
  .map(([path, source]) => ({ path: path.slice(2), source }))
  .filter(({ path }) => !path.includes('.test.') && !path.startsWith('testing/'));

/** Return the paths that a module imports, such as `ui/Button`; lazy ones only if asked for. */
function importsOf({ path, source }: { path: string; source: string }, withLazy = true): string[] {
  return [...source.matchAll(IMPORT)]
    .filter(([, keyword]) => withLazy || keyword === 'from')
    .map(([, , start, rest]) => {
      const target = start === '@/' ? `/${rest}` : `${start}${rest}`;
      return new URL(target, `http://src/${path}`).pathname.slice(1);
    });
}

const layerOf = (path: string) => path.split('/')[0] ?? '';
const featureOf = (path: string) => path.split('/')[1];

it('allows only imports in layer order', () => {
  const violations: string[] = [];
  for (const module of modules) {
    const { path, source } = module;
    const layer = layerOf(path);
    const allowed = MAY_IMPORT[layer] ?? [];
    for (const target of importsOf(module)) {
      const isAllowed = allowed.includes(layerOf(target)) || allowed.includes(target);
      const crossesFeatures =
        layer === 'features' &&
        layerOf(target) === 'features' &&
        featureOf(path) !== featureOf(target);
      if (!isAllowed || crossesFeatures) violations.push(`${path} imports ${target}`);
    }
    if (layer === 'ui' && FORBIDDEN_IN_UI.test(source)) violations.push(`${path} knows too much`);
  }
  expect(violations).toEqual([]);
});

it('has no import cycles', () => {
  const byName = new Map(modules.map((module) => [module.path.replace(/\.tsx?$/, ''), module]));
  const done = new Set<string>();
  const cycles: string[] = [];
  function appointment(name: string, trail: string[]) {
    if (trail.includes(name)) {
      cycles.push([...trail.slice(trail.indexOf(name)), name].join(' → '));
      return;
    }
    const module = byName.get(name);
    if (!module || done.has(name)) return;
    for (const target of importsOf(module, false)) appointment(target, [...trail, name]);
    done.add(name);
  }
  for (const name of byName.keys()) appointment(name, []);
  expect(cycles).toEqual([]);
});
