import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Django serves the bundle from /static/app/ and finds its files through the manifest (django-vite).
// What stands around every page, and what most of them are made of.
const EVERYWHERE = new RegExp(
  `fontsource|/src/(${[
    '\\w+\\.css|App|routes?\\.tsx|features/layout/(?!Bell|AvatarMenu|ColoursSwitch|SignedIn)|domain/(session/(?!Idle|idle)|BackLink|Logo)',
    'ui/(?!Menu|Tabs|DateBoxes|Copy|Email|choices|Disclosure|FormSection|Chips\\.tsx|Pagination\\.tsx|SearchInput|useTyped|useNow)',
    // Styles of a few lines: a file of their own would cost each page that has them a request before it is painted.
    'domain/TimeTiles\\.module',
    'api/(address|ahead|calls|client|errors|queries|token)\\.ts',
    'lib/(colours|contact|cx|dates|held|money|names|paging|paths|stale|storage)\\.ts',
  ].join('|')})`,
);
// What the pages share on which doctors are found and chosen, and what others need of it too.
const DOCTORS = /\/src\/domain\/(ConfirmationBadge|DoctorCard|NextTimes|Rating|SlotPicker)\b/;
// What may be done with a visit is asked wherever it is told what it waits for.
const VISITS = /\/src\/domain\/(appointmentCan|visit\/sentence)\b/;
const TIMES = /\/src\/domain\/(doctorFacts|freeTimes)\b/;

export default defineConfig({
  base: '/static/app/',
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: '../frontend_dist/app',
    emptyOutDir: true,
    // Not the default dot-folder: collectstatic skips those.
    manifest: 'manifest.json',
    // The Content-Security-Policy allows no data: fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/main.tsx',
      output: {
        codeSplitting: {
          // Libraries change rarely and stay in caches; what every page has comes as one file, not fifty.
          groups: [
            { name: 'vendor', test: /node_modules.+js$|vite\/preload-helper/ },
            // layers.css must come before every other style, and is the first in this file.
            { name: 'ui', test: EVERYWHERE },
            { name: 'lists', test: /\/src\/ui\/(Chips\.tsx|Pagination\.tsx|SearchInput|useTyped)/ },
            { name: 'times', test: TIMES },
            { name: 'doctors', test: DOCTORS },
            { name: 'visits', test: VISITS },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, origin: 'http://127.0.0.1:5173' },
});
