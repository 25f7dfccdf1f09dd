/**
 * `node build/pages.mjs TARGET`: bundles every `NAME.page.ts` of the server's features to `NAME.js` and, with its
 * imported styles, `NAME.css`. Each file is self-contained, since the server inlines it into a document
 * (features/widgets/pages/document.ts).
 */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './install.mjs';

const files = globSync('server/features/**/*.page.ts', { cwd: root });
await build({
  entryPoints: files.map((file) => ({ in: join(root, file), out: basename(file, '.page.ts') })),
  outdir: process.argv[2],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome120',
  logLevel: 'warning',
});
