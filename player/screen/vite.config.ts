import { join } from 'node:path';
import { defineConfig } from 'vite';
import { packagesInside } from '../../build/licences/inside.ts';
import { pdfFiles } from './pdf-files.vite.ts';

export default defineConfig({
  base: './',
  root: import.meta.dirname,
  publicDir: false,
  plugins: [pdfFiles(), packagesInside(join(import.meta.dirname, '..', '..'))],
  build: {
    outDir: '../../dist/screen',
    emptyOutDir: true,
    target: 'chrome120',
    assetsInlineLimit: 0,
    // No inline script is generated, because it would need an exception in the content security policy.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
