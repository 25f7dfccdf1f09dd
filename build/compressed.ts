/**
 * Vite plugin that writes compressed copies of files with the highest compression, if they are smaller. The server then
 * only has to choose a copy.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzip = promisify<Buffer, { level: number }, Buffer>(gzipCompress);

/**
 * Size limit in bytes. For larger files (pdf.js) the highest compression would take longer than the rest of the build
 * and save a few percent. The files of the admin window’s first load are smaller.
 */
const LARGE_BYTES = 1_000_000;

export const compressed = (): Plugin => ({
  name: 'vitrine:compressed',
  apply: 'build',
  writeBundle: async ({ dir }, bundle) => {
    if (!dir) return;
    const text = Object.keys(bundle).filter((name) => /\.(m?js|css|html|svg)$/.test(name));
    await Promise.all(
      text.map(async (name) => {
        const bytes = await readFile(join(dir, name));
        if (bytes.length < 600) return;
        await writeFile(
          join(dir, `${name}.br`),
          await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 9 : 11 } }),
        );
        await writeFile(join(dir, `${name}.gz`), await gzip(bytes, { level: 9 }));
      }),
    );
  },
});
