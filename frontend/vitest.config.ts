import { mergeConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost/' } },
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/testing/setup.ts'],
      // A document of its own and React loaded again for each file took two thirds of the time.
      isolate: false,
      pool: 'threads',
      restoreMocks: true,
      // Generous: machines that run everything at once are slow.
      testTimeout: 30_000,
      css: false,
    },
  }),
);
