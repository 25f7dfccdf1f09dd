import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset } from '../../shared/program/program.ts';
import { AssetCache, type Needed } from './asset-cache.ts';
import { DownloadFailed, NoRoom } from './errors.ts';
import { FakeServer, FakeTime, MemoryAssets, MemoryLog, sha256 } from './testing/fakes.ts';

const assetOf = (bytes: string): Asset => ({ sha256: sha256(bytes), size: bytes.length, mime: 'image/png' });
const start = async ({
  held = [] as string[],
  quotaBytes = 1e12,
  needed = { playing: [], kept: [] } as Needed,
} = {}) => {
  const [time, store] = [new FakeTime(), new MemoryAssets()];
  const server = new FakeServer(time);
  for (const bytes of held) store.whole.set(sha256(bytes), Buffer.from(bytes));
  const cache = new AssetCache({ store, time, log: new MemoryLog(), quotaBytes, needed: () => needed, lost: () => {} });
  await cache.start();
  const get: FakeServer['get'] = (path, ...rest) => server.get(new URL(path, 'http://x').href, ...rest);
  const fetching = { get, time, authorization: () => 'Bearer x', signal: new AbortController().signal };
  return { store, server, cache, ensure: (assets: Asset[]) => cache.ensure(assets, fetching) };
};

test('room is made by as few files as it takes, oldest first, the program before last, and never by what plays', async () => {
  const files = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 9 }), use: fc.constantFrom('none', 'kept', 'playing') }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 60 }),
      async (given, size, quotaBytes) => {
        const all = given.map((file, i) => ({ ...file, bytes: String(i).repeat(file.size) }));
        const used = (use: string) => all.filter((file) => file.use === use);
        const needed = {
          playing: used('playing').map(({ bytes }) => assetOf(bytes)),
          kept: used('kept').map(({ bytes }) => assetOf(bytes)),
        };
        const { store, server, cache, ensure } = await start({
          held: all.map(({ bytes }) => bytes),
          quotaBytes,
          needed,
        });
        const before = cache.bytes;
        const outcome = await ensure([server.addAsset('x'.repeat(size))]).catch((error) => error);
        const order = [...used('none'), ...used('kept')];
        let excess = before + size - quotaBytes;
        const going = order.filter((file) => excess > 0 && (excess -= file.size) > Number.NEGATIVE_INFINITY);
        assert.deepEqual(
          all
            .filter(({ bytes }) => !store.whole.has(sha256(bytes)))
            .map(({ bytes }) => bytes)
            .sort(),
          going.map(({ bytes }) => bytes).sort(),
        );
        assert.equal(outcome instanceof NoRoom, excess > 0);
        assert.equal(store.whole.has(sha256('x'.repeat(size))), excess <= 0);
      },
    ),
  );
});

test('64 MB of the disk stay free, a tenth of a small one, and what has come already needs no room again', async () => {
  const MB = 1024 * 1024;
  for (const [total, free, most] of [
    [10_000 * MB, 1_000 * MB, 936 * MB],
    [200 * MB, 100 * MB, 80 * MB],
  ] as const)
    for (const [size, part, fits] of [
      [most, 0, true],
      [most + 1, 0, false],
      [most + 3, 3, true],
      [most + 4, 3, false],
    ] as const) {
      const { store, ensure } = await start();
      store.space = async () => ({ total, free }) as never;
      if (part > 0) store.parts.set(sha256('a'), { bytes: Buffer.alloc(part), etag: null });
      // There is no such file at the server: where there is room, that is what is said.
      await assert.rejects(ensure([{ sha256: sha256('a'), size, mime: 'image/png' }]), fits ? DownloadFailed : NoRoom);
    }
});

test('a file of another size is fetched anew; a disk that fills up meanwhile loses what has come of it, and what no program needs', async () => {
  const { store, server, cache, ensure } = await start({ held: ['old'] });
  const asset = server.addAsset('0123456789');
  store.whole.set(asset.sha256, Buffer.from('0123'));
  await ensure([asset]);
  assert.deepEqual([cache.has(asset), store.whole.get(asset.sha256)?.length], [true, 10]);
  store.room = 3;
  await assert.rejects(ensure([server.addAsset('more than there is room for')]), NoRoom);
  assert.deepEqual([store.parts.size, store.whole.size, cache.bytes], [0, 0, 0]);
});
