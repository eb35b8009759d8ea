import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { configQuery, createQueryClient } from '@/api/queries';
import type { Config } from '@/api/types';
import { Stats } from '@/features/home/Stats';
import ContactPage from '@/features/static-pages/ContactPage';
import { renderUi } from '@/testing/render';
import { Footer } from './Footer';

const CONTACT = { email: 'care@visits.example', phone: '+1 202 555 0100', address: '1 Elm Street' };
const CLAIMS = { patients: '500+', rating: '4.9/5', support: '24/7' };

function textsOf(children: ReactNode, config: Partial<Config>, selector = 'li') {
  const client = createQueryClient();
  client.setQueryData(configQuery.queryKey, config as Config);
  const { container } = renderUi(
    <QueryClientProvider client={client}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>,
  );
  return [...container.querySelectorAll(selector)].map((each) => each.textContent);
}

it.each(['email', 'phone', 'address'] as const)('shows no %s that is not set', (name) => {
  const contact = { ...CONTACT, [name]: '' };
  const left = Object.values(contact).filter(Boolean);
  expect(textsOf(<Footer />, { contact }).slice(-left.length - 1)).toEqual([
    'Privacy Policy',
    ...left,
  ]);
  expect(textsOf(<ContactPage />, { contact })).toHaveLength(2);
});

it('shows no list and no heading without any contact', () => {
  const contact = { email: '', phone: '', address: '' };
  expect(textsOf(<Footer />, { contact }, 'h2')).toEqual(['Quick links']);
  expect(textsOf(<ContactPage />, { contact }, 'ul')).toEqual([]);
});

it('shows the claims that are set', () => {
  expect(textsOf(<Stats />, { homeClaims: CLAIMS })).toEqual([
    '500+ patients',
    '4.9/5 rating',
    '24/7 support',
    'Verified doctors',
  ]);
  expect(textsOf(<Stats />, { homeClaims: { ...CLAIMS, rating: '' } })).toEqual([
    '500+ patients',
    '24/7 support',
    'Verified doctors',
  ]);
  expect(textsOf(<Stats />, { homeClaims: { patients: '', rating: '', support: '' } })).toEqual([
    'Verified doctors',
  ]);
});

it('keeps the place of claims that are still loading', () => {
  expect(textsOf(<Stats />, {})).toHaveLength(4);
});
