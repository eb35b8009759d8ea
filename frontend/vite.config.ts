import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// Django serves the bundle from /static/app/ and finds its files through the manifest (django-vite).
// The chunk of every page: its layout, and what most pages use.
const EVERYWHERE = new RegExp(
  `fontsource|/src/(${[
    'app/(\\w+\\.css|App|routes|routeFactory)|app/layout/(?!Bell|AvatarMenu|ColorSchemeSwitch|LanguageMenu|signedIn)',
    'domain/(session/(?!Idle|idle|mfa|passkey|useResend)|appointment/expiry|BackLink|Logo)',
    'ui/(?!Menu|Tabs|DataTable|DateField|CopyButton|Email|PasswordInput|pageIcons|confirm|Dialog\\.tsx|Checkbox|RadioGroup|Disclosure|FormSection|FilterChips\\.tsx|Pagination\\.tsx|SearchInput|useDebouncedParam|useNow)',
    // A few lines of styles: a file of their own would cost pages that use them a request before the first paint.
    'domain/SlotTiles\\.module',
    'api/(url|prefetch|appointments|session|client|errors|queries|token)\\.ts',
    'lib/(Trans|colorScheme|formatList|i18n|messageFetch|contact|cx|dates|sessionMarker|money|names|searchParams|paths|staleChunkReload|storage)\\.ts',
  ].join('|')})`,
);
// Shared by the pages that list doctors.
const DOCTORS = /\/src\/domain\/(ConfirmationBadge|DoctorCard|NextSlots|Rating)\b/;
// Shared by the pages where a time is chosen, most of which list no doctors.
const PICKER = /\/src\/domain\/slotPicker\b/;
const APPOINTMENTS = /\/src\/domain\/appointment\/(allowedActions|statusText)\b/;
const SLOTS = /\/src\/domain\/(freeSlots|unavailableSlot|timeZoneLabel)\b/;

interface AstNode {
  type: string;
  start: number;
  end: number;
  expression?: AstNode;
  callee?: AstNode & { name?: string };
  arguments?: AstNode[];
}

/** Drop warnings and the texts of assertions, which only explain mistakes to developers. */
function dropDeveloperTexts(code: string, program: object): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const visit = (node: AstNode) => {
    const call = node.type === 'ExpressionStatement' ? node.expression : undefined;
    const [condition, text] = call?.arguments ?? [];
    if (call?.callee?.name === 'warning' || call?.callee?.name === 'warningOnce') {
      edits.push({ start: node.start, end: node.end, text: ';' });
    } else if (call?.callee?.name === 'invariant' && condition && text) {
      edits.push({ start: condition.end, end: text.end, text: '' });
    } else {
      for (const child of Object.values(node).flat()) if (child?.type) visit(child);
    }
  };
  visit(program as AstNode);
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code);
}

/**
 * Drop the parts of React Router that no page uses (forms, scroll restoration, framework mode), which saves 5 kB on
 * every page, and 1.5 kB of texts for developers. Its `forwardRef` and `createContext` calls are not marked as pure, its
 * `displayName` assignments keep them alive, and the package only exports the build with development warnings.
 */
const treeShakeRouter: Plugin = {
  name: 'tree-shake-router',
  apply: 'build',
  transform: {
    filter: { id: /react-router\/dist\/.+\.mjs$/ },
    handler(code) {
      return {
        code: dropDeveloperTexts(code, this.parse(code))
          .replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1')
          .replace(/^\w+\.displayName = .+;$/gm, '')
          .replace('ENABLE_DEV_WARNINGS = true', 'ENABLE_DEV_WARNINGS = false'),
        map: null,
      };
    },
  },
};

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** Scope a class by its file alone: Vite also appends line numbers, which hardly compress and add 0.5 kB to a page. */
function scopeClass(name: string, file: string): string {
  const hash = createHash('sha256').update(relative(ROOT, file)).digest('base64url');
  return `${name}-${hash.slice(0, 4)}`;
}

export default defineConfig({
  base: '/static/app/',
  css: { modules: { generateScopedName: scopeClass } },
  plugins: [lingui({ macroTransform: true }), react(), treeShakeRouter],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // Lingui imports it for older versions of React.
      'use-sync-external-store/shim': 'react',
    },
  },
  build: {
    outDir: '../frontend_dist/app',
    emptyOutDir: true,
    // Not the default dot-folder: collectstatic skips those.
    manifest: 'manifest.json',
    // The Content-Security-Policy allows no data: fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'src/app/main.tsx',
      output: {
        codeSplitting: {
          // Libraries change rarely and stay cached; what every page uses is one file instead of fifty.
          groups: [
            { name: 'vendor', test: /node_modules.+js$|vite\/preload-helper/ },
            // layers.css must come before every other style; it is imported first in this chunk.
            { name: 'ui', test: EVERYWHERE },
            {
              name: 'lists',
              test: /\/src\/ui\/(FilterChips\.tsx|SearchInput|useDebouncedParam)/,
            },
            // Else the chunk of lists of doctors would come along with it.
            {
              name: 'doctor-facts',
              test: /\/src\/(lib\/(specializations|options|weekStart)|domain\/doctorFacts)\.ts/,
            },
            { name: 'icons', test: /\/src\/ui\/pageIcons/ },
            { name: 'slots', test: SLOTS },
            { name: 'doctors', test: DOCTORS },
            { name: 'picker', test: PICKER },
            { name: 'appointments', test: APPOINTMENTS },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, origin: 'http://127.0.0.1:5173' },
});
