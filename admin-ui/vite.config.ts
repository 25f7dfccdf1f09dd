import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzip = promisify<Buffer, { level: number }, Buffer>(gzipCompress);

/** React Aria speaks thirty languages; ours are two. Leaving the others out saves a fifth of the first load. */
const ourLanguagesOnly = (): Plugin => ({
  name: 'vitrine:our-languages-only',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]react-(aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (_code, id) => (/(en-US|de-DE)\.m?js$/.test(id) ? null : { code: 'export default {};', map: null }),
  },
});

/** Compressed once here, as hard as it goes, so that the server only has to choose: a file beside each that gains by it. */
const compressed = (): Plugin => ({
  name: 'vitrine:compressed',
  apply: 'build',
  writeBundle: async ({ dir }, bundle) => {
    if (!dir) return;
    const text = Object.keys(bundle).filter((name) => /\.(js|css|html|svg)$/.test(name));
    await Promise.all(
      text.map(async (name) => {
        const bytes = await readFile(join(dir, name));
        if (bytes.length < 600) return;
        await writeFile(join(dir, `${name}.br`), await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        await writeFile(join(dir, `${name}.gz`), await gzip(bytes, { level: 9 }));
      }),
    );
  },
});

const target = process.env['VITRINE_DEV_SERVER'] ?? 'http://127.0.0.1:8710';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [ourLanguagesOnly(), react(), compressed()],
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
