/**
 * `node build/pages.mjs TARGET`: every `NAME.page.ts` of the server's features becomes `NAME.js` and, with the styles
 * that it imports, `NAME.css`. Each holds all that it needs, since the server writes them into one document
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
