import './layers.css';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import './theme.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { configQuery, createQueryClient } from '@/api/queries';
import { getToken } from '@/api/token';
import { loadSignedInComponents } from '@/app/layout/lazySignedInComponents';
import { trackChunkErrors } from '@/lib/chunkErrors';
import { loadCatalogs, SHELL_CATALOG } from '@/lib/i18n';
import { onLanguageChange, takeLanguageParameter } from '@/lib/languageChoice';
import { captureTypedInput } from '@/lib/preHydrationInput';
import { reloadOnce } from '@/lib/staleChunkReload';
import { App } from './App';
import { findHandle, Routes } from './routes';
import { StartError } from './StartError';

trackChunkErrors();
// A tab from before a deploy requests code that is gone: reload once.
window.addEventListener('vite:preloadError', (event) => {
  if (reloadOnce()) event.preventDefault();
});

/** Render the page, or hydrate the prerendered one. */
async function start(root: HTMLElement) {
  if (getToken()) loadSignedInComponents().catch(() => {});
  takeLanguageParameter();
  const { pathname, search } = window.location;
  const handle = findHandle(pathname);
  // The page's code is already loading. If that fails, the page shows an error.
  await Promise.all([loadCatalogs(SHELL_CATALOG), handle?.load().catch(() => {})]);

  const client = createQueryClient();
  // The public settings are part of the HTML.
  const config = document.querySelector<HTMLMetaElement>('meta[name="wellhour-config"]')?.content;
  if (config) client.setQueryData(configQuery.queryKey, JSON.parse(config));

  captureTypedInput(root);
  const buildApp = () => (
    <App client={client} router={(pages) => <BrowserRouter>{pages}</BrowserRouter>}>
      <Routes />
    </App>
  );
  // As a transition, the first render lets the browser respond in between.
  startTransition(() => {
    let reactRoot: Root;
    // The prerendered page ignores the query string.
    if (root.hasChildNodes() && handle?.isPrerendered && !search) {
      reactRoot = hydrateRoot(root, buildApp());
    } else {
      reactRoot = createRoot(root);
      reactRoot.render(buildApp());
    }
    // Dates and numbers are no messages, so in another language everything is rendered again.
    onLanguageChange(() => reactRoot.render(buildApp()));
  });
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
start(root).catch((error: unknown) => {
  // As above.
  if (reloadOnce()) return;
  console.error(error);
  createRoot(root).render(<StartError />);
});
