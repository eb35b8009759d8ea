import { beforeEach, expect, it, vi } from 'vitest';
import { takeLanguageParameter } from './languageChoice';
import { languageName } from './languages';

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the code does it.
  document.cookie = 'language=; Max-Age=0';
});

const setCookie = () => vi.spyOn(document, 'cookie', 'set');

it('names a language in that language', () => {
  expect(['en', 'de', 'ar'].map(languageName)).toEqual(['English', 'Deutsch', 'العربية']);
});

it('remembers the language of the address, and removes it from there', () => {
  const cookie = setCookie();
  document.documentElement.lang = 'de';
  window.history.replaceState({ kept: true }, '', '/doctors/1?lang=de&date=2026-12-08#times');
  takeLanguageParameter();
  expect(window.location.pathname + window.location.search + window.location.hash).toBe(
    '/doctors/1?date=2026-12-08#times',
  );
  expect(window.history.state).toEqual({ kept: true });
  expect(cookie).toHaveBeenCalledExactlyOnceWith(
    'language=de; Path=/; Max-Age=31536000; SameSite=Lax',
  );
});

it('remembers no language that the site does not have', () => {
  const cookie = setCookie();
  document.documentElement.lang = 'en';
  window.history.replaceState(null, '', '/?lang=%3Bxx');
  takeLanguageParameter();
  expect(window.location.search).toBe('');
  expect(cookie).not.toHaveBeenCalled();
});

it('keeps the language that the reader chose before', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the code does it.
  document.cookie = 'language=ar';
  const cookie = setCookie();
  document.documentElement.lang = 'de';
  window.history.replaceState(null, '', '/?lang=de');
  takeLanguageParameter();
  expect(window.location.search).toBe('');
  expect(cookie).not.toHaveBeenCalled();
});
