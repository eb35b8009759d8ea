import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { configQuery, createQueryClient, siteTextQuery } from '@/api/queries';
import type { Config } from '@/api/types';
import { Footer } from '@/app/layout/Footer';
import { renderUi } from '@/testing/render';
import PrivacyPage from './PrivacyPage';
import SiteTextPage from './SiteTextPage';

const TEXT = `Example Practice
1 Elm Street

# Contact
Write to https://care.example.org/form?a=1. Or <b>call</b>.

## Hours
- Monday
- Tuesday`;

function show(
  page: React.ReactNode,
  path: string,
  kind: Config['texts'][number],
  texts = [{ language: 'de', text: TEXT, updatedAt: '2026-11-30T10:00:00Z' }],
) {
  const client = createQueryClient();
  client.setQueryData(configQuery.queryKey, { texts: [kind] } as unknown as Config);
  client.setQueryData(siteTextQuery(kind).queryKey, { texts });
  return renderUi(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>{page}</MemoryRouter>
    </QueryClientProvider>,
  ).container;
}

it('shows headings, lists, lines and links, and no markup', () => {
  const page = show(<SiteTextPage />, '/imprint', 'imprint');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Imprint');
  expect(page.querySelector('article')?.lang).toBe('de');
  expect([...page.querySelectorAll('h2, h3, article > p:not([lang]), li')].map(describe)).toEqual([
    'P Example Practice\n1 Elm Street',
    'H2 Contact',
    'P Write to https://care.example.org/form?a=1. Or <b>call</b>.',
    'H3 Hours',
    'LI Monday',
    'LI Tuesday',
  ]);
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://care.example.org/form?a=1');
});

function describe({ tagName, textContent }: Element) {
  return `${tagName} ${textContent}`;
}

it.each(['javascript:alert(1)', 'http:/x', 'data:text/html,x'])('makes no link of %s', (text) => {
  const page = show(<SiteTextPage />, '/terms', 'terms', [
    { language: 'en', text, updatedAt: '2026-11-30T10:00:00Z' },
  ]);
  expect(page.querySelectorAll('a')).toHaveLength(0);
  expect(page.textContent).toContain(text);
});

it('shows a text in each of its languages', () => {
  const page = show(<SiteTextPage />, '/terms', 'terms', [
    { language: 'en', text: 'Be kind.', updatedAt: '2026-11-30T10:00:00Z' },
    { language: 'de', text: 'Seid nett.', updatedAt: '2026-11-30T10:00:00Z' },
  ]);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms of Use');
  expect([...page.querySelectorAll('article')].map(({ lang }) => lang)).toEqual(['en', 'de']);
});

it('shows the operator’s privacy policy in place of the standard one', () => {
  const page = show(<PrivacyPage />, '/privacy', 'privacy');
  expect(page.textContent).toContain('1 Elm Street');
  expect(page.textContent).not.toContain('What we keep');
});

it('links in the footer to texts that exist', () => {
  const page = show(<Footer />, '/', 'terms');
  expect([...page.querySelectorAll('nav a')].map((link) => link.textContent)).toEqual([
    'Home',
    'About Us',
    'Contact',
    'Privacy Policy',
    'Terms of Use',
  ]);
});
