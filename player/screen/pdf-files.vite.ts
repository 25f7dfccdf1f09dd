/** Build step: copies the files that pdf.js fetches by name next to its chunk (surfaces/pdf-document.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const FOLDERS = [
  { from: 'cmaps', to: 'cmaps', which: /\.bcmap$/ },
  { from: 'standard_fonts', to: 'fonts', which: /\.(pfb|ttf)$/ },
  { from: 'wasm', to: 'decoders', which: /_nowasm_fallback\.js$/ },
] as const;

export const pdfFiles = (): Plugin => ({
  name: 'pdf-files',
  apply: 'build',
  generateBundle() {
    for (const { from, to, which } of FOLDERS) {
      for (const name of readdirSync(join(PACKAGE, from))) {
        if (which.test(name))
          this.emitFile({
            type: 'asset',
            fileName: `assets/pdf/${to}/${name}`,
            source: readFileSync(join(PACKAGE, from, name)),
          });
      }
    }
  },
});
