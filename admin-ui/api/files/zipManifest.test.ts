import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZipFile } from 'yazl';
import { manifestIn } from './zipManifest.ts';

const zipOf = async (
  entries: Record<string, string>,
  options: { forceZip64Format?: boolean; compress?: boolean } = {},
): Promise<Blob> => {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(entries))
    zip.addBuffer(Buffer.from(text), name, {
      compress: options.compress ?? true,
      forceZip64Format: options.forceZip64Format ?? false,
    });
  zip.end({ forceZip64Format: options.forceZip64Format ?? false, comment: '' });
  const parts: BlobPart[] = [];
  for await (const part of zip.outputStream) parts.push(part as unknown as BlobPart);
  return new Blob(parts);
};
const MANIFEST = JSON.stringify({ format: 'vitrine-export', ä: 'x'.repeat(5000) });

test('manifest is found in a compressed or uncompressed ZIP, with the number of media files', async () => {
  for (const compress of [true, false]) {
    const zip = await zipOf({ 'files/a.jpg': 'a', 'vitrine-export.json': MANIFEST, 'files/b.jpg': 'b' }, { compress });
    assert.deepEqual(await manifestIn(zip), { text: MANIFEST, files: 2 });
  }
});

test('manifest is found in a ZIP that has the 64-bit records of large ZIPs', async () => {
  const zip = await zipOf({ 'files/a.jpg': 'a', 'export.json': MANIFEST }, { forceZip64Format: true });
  assert.deepEqual(await manifestIn(zip), { text: MANIFEST, files: 1 });
});

test('file that is no ZIP, contains no export or is truncated has no manifest', async () => {
  assert.equal(await manifestIn(new Blob(['{"format":"screentinker-export-v1"}'])), undefined);
  assert.equal(await manifestIn(new Blob([])), undefined);
  assert.equal(await manifestIn(await zipOf({ 'a.txt': 'a' })), undefined);
  const zip = await zipOf({ 'vitrine-export.json': MANIFEST });
  assert.equal(await manifestIn(zip.slice(40)), undefined);
});
