import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  root: import.meta.dirname,
  publicDir: false,
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
