import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** React Aria speaks thirty languages; ours are two. Leaving the others out saves a fifth of the first load. */
const ourLanguagesOnly = (): Plugin => ({
  name: 'vitrine:our-languages-only',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]react-(aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (_code, id) => (/(en-US|de-DE)\.m?js$/.test(id) ? null : { code: 'export default {};', map: null }),
  },
});

const target = process.env['VITRINE_DEV_SERVER'] ?? 'http://127.0.0.1:8710';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [ourLanguagesOnly(), react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/admin', import.meta.url)),
    emptyOutDir: true,
    // The CSP allows files, not data: fonts; and one request more on a LAN costs nothing.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome120', 'firefox121', 'safari17'],
  },
  server: { proxy: { '/api': { target, ws: true } } },
});
