import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';

const ROOT = join(import.meta.dirname, '..');
const PICTURES = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'avif', 'svg', 'tif', 'tiff'];

const tracked = execFileSync('git', ['ls-files', '-z', ...PICTURES.map((ending) => `*.${ending}`)], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '');

test('every picture of the repository can be decoded completely', async (t) => {
  const damaged: string[] = [];
  for (const file of tracked)
    await sharp(join(ROOT, file), { failOn: 'warning', animated: true })
      .raw()
      .toBuffer()
      .catch((error: Error) => damaged.push(`${file}: ${error.message}`));
  t.diagnostic(`${tracked.length} pictures`);
  if (tracked.length === 0) throw new Error('git lists no pictures');
  if (damaged.length > 0) throw new Error(`these pictures are damaged:\n${damaged.join('\n')}`);
});
