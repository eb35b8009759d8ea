import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Django serves the bundle from /static/app/ and finds its files through the manifest (django-vite).
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
          // Libraries change rarely and stay in caches; building blocks come as one file, not fifty.
          groups: [
            // layers.css must come before every other style, and everything loads this file first.
            { name: 'vendor', test: /node_modules|\/src\/layers\.css/ },
            { name: 'ui', test: /\/src\/(ui|lib|api)\//, minShareCount: 14 },
          ],
        },
      },
    },
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true, origin: 'http://127.0.0.1:5173' },
});
