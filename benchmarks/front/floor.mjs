// Build a page of React and the router alone, with the packages and the bundler of the product, and weigh it.
// It has what any page of ours has of them: a root that is taken over, two routes, a link. Prints bytes, gzipped.
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const FRONTEND = fileURLToPath(new URL('../../frontend/', import.meta.url));
const { build } = await import(pathToFileURL(createRequire(FRONTEND).resolve('vite')).href);

const PAGE = `
import { createElement as h } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter, Link, useRoutes } from 'react-router-dom';
const hello = h('h1', null, 'Hello');
const Pages = () => useRoutes([{ path: '/', element: hello }, { path: '*', element: h(Link, { to: '/' }, 'Home') }]);
hydrateRoot(document.getElementById('root'), h(BrowserRouter, null, h(Pages)));
`;
const NAME = 'virtual:floor';

const { output } = await build({
  root: FRONTEND,
  configFile: false,
  logLevel: 'error',
  plugins: [
    {
      name: 'floor',
      resolveId: (id) => (id === NAME ? id : null),
      load: (id) => (id === NAME ? PAGE : null),
    },
  ],
  build: { write: false, modulePreload: { polyfill: false }, rolldownOptions: { input: NAME } },
});
const bytes = output
  .filter(({ type }) => type === 'chunk')
  .reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
console.log(bytes);
