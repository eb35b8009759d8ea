import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** One catalog for each language; `catalogs.mjs` splits them by page. */
export default defineConfig({
  sourceLocale: 'en',
  // The pseudo locale marks every message, so that text without one shows while developing.
  locales: ['en', 'de', 'ar', 'pseudo'],
  pseudoLocale: 'pseudo',
  fallbackLocales: { default: 'en' },
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: ['**/*.test.*'],
    },
  ],
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  runtimeConfigModule: { Trans: ['@/lib/Trans', 'Trans'] },
  extractors: [createSwcExtractor()],
});
