import { i18n } from '@lingui/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isChunkError } from './chunkErrors';
import { catalogName, loadCatalogs, setMessages, withMessages } from './i18n';
import { onLanguageChange } from './languageChoice';
import { switchLanguage } from './languages';
import { prefetchMessages } from './messageFetch';

// As the built site runs, whose messages are in files of their own.
beforeEach(() => {
  vi.stubEnv('PROD', true);
  vi.stubEnv('SSR', false);
  document.documentElement.dataset.catalogs = 'assets/{catalog}.{locale}-Ab12Cd34.json';
});
afterEach(() => vi.unstubAllEnvs());

it('names a catalog after the pattern of the page', () => {
  const patterns = ['/', '/about', '/doctors/:id', '/patient/appointments/:id/move'];
  expect(patterns.map(catalogName)).toEqual([
    'page',
    'page-about',
    'page-doctors-id',
    'page-patient-appointments-id-move',
  ]);
});

it('loads each part once', async () => {
  const fetched: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return Response.json({ [url]: ['Loaded'] });
  });
  await loadCatalogs('shell', 'page-about');
  await loadCatalogs('shell', 'page-about', 'page-contact');
  expect(fetched.map((url) => url.replace(/^.*assets/, ''))).toEqual([
    '/shell.en-Ab12Cd34.json',
    '/page-about.en-Ab12Cd34.json',
    '/page-contact.en-Ab12Cd34.json',
  ]);
  expect(fetched.map((url) => i18n._(url))).toEqual(['Loaded', 'Loaded', 'Loaded']);
});

it('fails when the messages of a page are missing, and tries again', async () => {
  const fetch = vi.fn().mockResolvedValueOnce(new Response('', { status: 404 }));
  fetch.mockResolvedValueOnce(Response.json({}));
  vi.stubGlobal('fetch', fetch);
  const error = await loadCatalogs('page-late').catch((reason: unknown) => reason);
  expect(error).toHaveProperty(
    'message',
    'assets/page-late.en-Ab12Cd34.json could not be loaded: 404',
  );
  expect(isChunkError(error)).toBe(true);
  await loadCatalogs('page-late');
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('uses what was requested before the code was here, once', async () => {
  const fetch = vi.fn(async () => Response.json({ early: ['Early'] }));
  vi.stubGlobal('fetch', fetch);
  prefetchMessages([`${import.meta.env.BASE_URL}assets/page-early.en-Ab12Cd34.json`]);
  await loadCatalogs('page-early');
  expect(fetch).toHaveBeenCalledOnce();
  expect(i18n._('early')).toBe('Early');
});

it('loads a part of a page with its messages, without rendering everything again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ part: ['Part'] }));
  const onChange = vi.fn();
  const stop = i18n.on('change', onChange);
  expect(await withMessages(Promise.resolve('code'), 'part-editor')).toBe('code');
  stop();
  expect(i18n._('part')).toBe('Part');
  expect(onChange).not.toHaveBeenCalled();
});

describe('switching to another language', () => {
  afterEach(() => setMessages('en', {}));

  it('loads the parts in use, and names the language and its direction', async () => {
    vi.stubGlobal('fetch', async (url: string) => Response.json({ greeting: [url] }));
    const onChange = vi.fn();
    onLanguageChange(onChange);
    await loadCatalogs('page-greeting');
    await switchLanguage('ar');
    expect(i18n._('greeting')).toMatch(/\/page-greeting\.ar-Ab12Cd34\.json$/);
    expect(document.documentElement).toMatchObject({ lang: 'ar', dir: 'rtl' });
    expect(onChange).toHaveBeenCalledOnce();
    await switchLanguage('de');
    expect(document.documentElement).toMatchObject({ lang: 'de', dir: 'ltr' });
  });

  it('shows the language that was chosen last, whichever is loaded first', async () => {
    vi.stubGlobal('fetch', async () => Response.json({}));
    await loadCatalogs('page-slow');
    let respond = () => {};
    const french = new Promise<void>((resolve) => {
      respond = resolve;
    });
    vi.stubGlobal('fetch', async (url: string) => {
      if (url.includes('.fr-')) await french;
      return Response.json({});
    });
    const first = switchLanguage('fr');
    await switchLanguage('es');
    respond();
    await first;
    expect(i18n.locale).toBe('es');
  });

  it('loads a page that was requested before in the new language', async () => {
    let respond = (_: Response) => {};
    const fetched: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      fetched.push(url.replace(/^.*assets/, ''));
      if (!url.includes('delayed.en')) return Promise.resolve(Response.json({ late: [url] }));
      return new Promise((resolve) => {
        respond = resolve;
      });
    });
    const page = loadCatalogs('page-delayed');
    await switchLanguage('de');
    respond(Response.json({ late: ['in English'] }));
    await page;
    expect(fetched.filter((url) => url.includes('page-delayed'))).toContain(
      '/page-delayed.de-Ab12Cd34.json',
    );
    expect(i18n._('late')).toMatch(/page-delayed\.de/);
  });

  it('stays with the former language if the other one cannot be loaded', async () => {
    vi.stubGlobal('fetch', async () => Response.json({}));
    await loadCatalogs('page-offline');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(switchLanguage('it')).rejects.toThrow('Failed to fetch');
    expect(i18n.locale).toBe('en');
  });
});
