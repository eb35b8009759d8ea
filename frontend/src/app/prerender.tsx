/**
 * Prerender each page as it looks before its code and data load. Called by build.mjs;
 * Django inserts the HTML into the page (config/spa.py).
 */
import type { Messages } from '@lingui/core';
import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { type RouteObject, StaticRouter, useRoutes } from 'react-router-dom';
import { configQuery, createQueryClient } from '@/api/queries';
import type { Config } from '@/api/types';
import { Layout } from '@/app/layout/Layout';
import { catalogName, setMessages } from '@/lib/i18n';
import { setSiteSettings } from '@/lib/siteSettings';
import { Spinner } from '@/ui/Spinner';
import { App } from './App';
import type { Handle } from './routeFactory';
import { pages, Routes } from './routes';

/**
 * Placeholders for the public settings, which are known when the page is
 * served: numbers that occur nowhere else, because a `tel:` link keeps only digits.
 */
const PLACEHOLDERS = {
  'homeClaims.patients': '9990000001',
  'homeClaims.rating': '9990000002',
  'homeClaims.support': '9990000003',
  siteName: '9990000009',
  'contact.email': '9990000004',
  'contact.phone': '9990000005',
  'contact.address': '9990000006',
  passwordMinLength: '9990000007',
  'idleMinutes.patient': '9990000008',
} as const;

const config = {
  siteName: PLACEHOLDERS.siteName,
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
  // Django removes the links to texts that are not written.
  texts: ['imprint', 'terms'],
} as unknown as Config;

// Used only to find the source file of each page.
const pageModules = import.meta.glob<{ default?: ComponentType }>('/src/features/**/*Page.tsx');

export interface PrerenderedPage {
  /** The route pattern, such as `/doctors/:id`. */
  pattern: string;
  /** The source files the page needs in addition to the entry. */
  sources: string[];
  html: string;
  /** The name of the page's message catalog. */
  catalog: string;
  /** Whether there is content to read without the code, which can then load after the paint. */
  readable: boolean;
}

setSiteSettings({ siteName: PLACEHOLDERS.siteName });

function renderPage(address: string, children: React.ReactNode): string {
  const client = createQueryClient();
  client.setQueryData(configQuery.queryKey, config);
  const html = renderToString(
    <App client={client} router={(app) => <StaticRouter location={address}>{app}</StaticRouter>}>
      {children}
    </App>,
  );
  // React leaves failed parts to the browser, and marks them with this comment.
  if (html.includes('<!--$!-->'))
    throw new Error(`The page at ${address} needs a browser to begin`);
  return html;
}

/** The layout of a page while the session is loading. */
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
      catalog: catalogName(pattern),
      html: renderPage(address, isPrerendered ? <Routes /> : <LoadingPage />),
      readable: isPrerendered === true,
    });
  }
  return prerenderedPages;
}

/** Render all pages in a language, with placeholders. @public Called by build.mjs. */
export async function prerender(language: string, messages: Messages) {
  setMessages(language, messages);
  const { ADMIN_BASE, adminPages, DOCTOR_BASE, doctorPages } = await import('./staffRoutes');
  return {
    placeholders: PLACEHOLDERS,
    pages: [
      ...(await prerenderRoutes(pages)),
      ...(await prerenderRoutes(doctorPages, DOCTOR_BASE)),
      ...(await prerenderRoutes(adminPages, ADMIN_BASE)),
    ],
  };
}
