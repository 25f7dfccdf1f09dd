import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from '../../build/compressed.ts';
import { packagesInside } from '../../build/licences/inside.ts';
import { pdfFiles } from '../screen/pdf-files.vite.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  base: './',
  root: import.meta.dirname,
  publicDir: false,
  define: { VITRINE_VERSION: JSON.stringify(version) },
  plugins: [pdfFiles(), compressed(), packagesInside(join(import.meta.dirname, '..', '..'))],
  build: {
    outDir: '../../dist/player',
    emptyOutDir: true,
    // Target of the build: browsers of the last two years.
    target: ['chrome120', 'firefox132', 'safari17.4'],
    assetsInlineLimit: 0,
    // No inline script is generated, because it would need an exception in the content security policy.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Schemas that are not used are removed from the bundle: only the server needs the schemas of the player's
    // messages.
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
  },
});
