import { defineConfig } from 'vite';
import { pdfFiles } from './pdf-files.vite.ts';

export default defineConfig({
  base: './',
  root: import.meta.dirname,
  publicDir: false,
  plugins: [pdfFiles()],
  build: {
    outDir: '../../dist/screen',
    emptyOutDir: true,
    target: 'chrome120',
    assetsInlineLimit: 0,
    // An inline script would need a hole in the content security policy.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
