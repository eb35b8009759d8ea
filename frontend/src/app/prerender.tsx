/**
 * Draws each page as it stands before its code and answers are here; the build calls it (build.mjs),
 * and Django puts what it draws into the page (config/spa.py).
 */
import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { type RouteObject, StaticRouter, useRoutes } from 'react-router-dom';
import { configQuery, createQueryClient } from '@/api/queries';
import type { Config } from '@/api/types';
import { Layout } from '@/app/layout/Layout';
import { Spinner } from '@/ui/Spinner';
import { App } from './App';
import type { Handle } from './routeFactory';
import { pages, Routes } from './routes';

/**
 * Stand-ins for the words and numbers of the public settings, which are known where the page is
 * served: numbers that stand nowhere else, since a telephone's link keeps nothing but figures.
 */
const PLACEHOLDERS = {
  'homeClaims.patients': '9990000001',
  'homeClaims.rating': '9990000002',
  'homeClaims.support': '9990000003',
  'contact.email': '9990000004',
  'contact.phone': '9990000005',
  'contact.address': '9990000006',
  passwordMinLength: '9990000007',
  'idleMinutes.patient': '9990000008',
} as const;

const config = {
  currency: 'USD',
  demoAccounts: [],
  passwordMinLength: Number(PLACEHOLDERS.passwordMinLength),
  idleMinutes: { patient: Number(PLACEHOLDERS['idleMinutes.patient']) },
  homeClaims: {
    patients: PLACEHOLDERS['homeClaims.patients'],
    rating: PLACEHOLDERS['homeClaims.rating'],
    support: PLACEHOLDERS['homeClaims.support'],
  },
  contact: {
    email: PLACEHOLDERS['contact.email'],
    phone: PLACEHOLDERS['contact.phone'],
    address: PLACEHOLDERS['contact.address'],
  },
} as unknown as Config;

// Only to find the file of each page, which the map names by what it imports.
const pageModules = import.meta.glob<{ default?: ComponentType }>('/src/features/**/*Page.tsx');

export interface PrerenderedPage {
  /** In the router's words: `/doctors/:id`. */
  pattern: string;
  /** The sources of the code that the page needs beside the entry. */
  sources: string[];
  html: string;
  /** There is something to read before the code is here, which so may come after the paint. */
  readable: boolean;
}

function renderPage(address: string, children: React.ReactNode): string {
  const client = createQueryClient();
  client.setQueryData(configQuery.queryKey, config);
  const html = renderToString(
    <App client={client} router={(app) => <StaticRouter location={address}>{app}</StaticRouter>}>
      {children}
    </App>,
  );
  // What breaks is left to the browser without a word, but for this mark.
  if (html.includes('<!--$!-->'))
    throw new Error(`The page at ${address} needs a browser to begin`);
  return html;
}

/** The frame around a page that waits to know who is here. */
function LoadingPage() {
  return useRoutes([{ element: <Layout />, children: [{ path: '*', element: <Spinner /> }] }]);
}

async function prerenderRoutes(routes: RouteObject[], basePath = ''): Promise<PrerenderedPage[]> {
  const files = await Promise.all(
    Object.entries(pageModules).map(async ([file, load]) => ({
      file,
      Page: (await load()).default,
    })),
  );
  const prerenderedPages: PrerenderedPage[] = [];
  for (const { path = '', handle } of routes) {
    if (!handle) continue;
    const { isPrerendered, load } = handle as Handle;
    const { default: Page } = await load();
    const file = files.find((each) => each.Page === Page)?.file;
    if (!file) throw new Error(`No file of the features holds the page of ${path}`);
    const sources = [file.slice(1), ...(basePath ? ['src/app/staffRoutes.tsx'] : [])];
    const pattern = basePath + path;
    const address = pattern.replaceAll(/:\w+/g, '0');
    prerenderedPages.push({
      pattern,
      sources,
      html: renderPage(address, isPrerendered ? <Routes /> : <LoadingPage />),
      readable: isPrerendered === true,
    });
  }
  return prerenderedPages;
}

/** All pages, and how the stand-ins in them are to be replaced. @public Called by build.mjs. */
export async function prerender() {
  const { adminPages, doctorPages } = await import('./staffRoutes');
  return {
    standIns: PLACEHOLDERS,
    drawings: [
      ...(await prerenderRoutes(pages)),
      ...(await prerenderRoutes(doctorPages, '/doctor/')),
      ...(await prerenderRoutes(adminPages, '/admin/')),
    ],
  };
}
