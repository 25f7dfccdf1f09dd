import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset } from '../../../shared/program/program.ts';
import { DownloadFailed, NoRoom } from '../errors.ts';
import type { Get } from '../ports.ts';
import { FakeServer, FakeTime, MemoryAssets, MemoryLog, settle, sha256 } from '../testing/fakes.ts';
import { AssetCache, type Needed } from './asset-cache.ts';

const assetOf = (bytes: string): Asset => ({ sha256: sha256(bytes), size: bytes.length, mime: 'image/png' });
/** Returns a different time of last use for each file. The files were last used in another order than they arrived. */
const usedAt = (place: number): number => (place * 5) % 8;
const start = async ({
  held = [] as string[],
  quotaBytes = 1e12,
  needed = { playing: [], kept: [] } as Needed,
} = {}) => {
  const [time, store] = [new FakeTime(), new MemoryAssets()];
  const server = new FakeServer(time);
  for (const bytes of held) store.whole.set(sha256(bytes), Buffer.from(bytes));
  const list = store.list.bind(store);
  store.list = async () => (await list()).map((file) => ({ ...file, used_at: usedAt(file.used_at) }));
  const lost: string[] = [];
  const cache = new AssetCache({
    store,
    time,
    log: new MemoryLog(),
    quotaBytes,
    needed: () => needed,
    lost: (name) => lost.push(name),
  });
  await cache.start();
  const get: Get = (path, ...rest) => server.get(new URL(path, 'http://x').href, ...rest);
  const fetching = { get, time, authorization: () => 'Bearer x', signal: new AbortController().signal };
  return { time, store, server, cache, lost, ensure: (assets: Asset[]) => cache.ensure(assets, fetching) };
};

test('AssetCache evicts the fewest files, oldest first, files of the previous program last, and never files in use', async () => {
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
        const all = given.map((file, i) => ({ ...file, at: usedAt(i), bytes: String(i).repeat(file.size) }));
        const used = (use: string) => all.filter((file) => file.use === use).sort((a, b) => a.at - b.at);
        const needed = {
          playing: used('playing').map(({ bytes }) => assetOf(bytes)),
          kept: used('kept').map(({ bytes }) => assetOf(bytes)),
        };
        const { store, server, cache, ensure } = await start({
          held: all.map(({ bytes }) => bytes),
          quotaBytes,
          needed,
        });
        const before = all.reduce((sum, file) => sum + file.size, 0);
        assert.equal(cache.bytes, before);
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

test('AssetCache keeps partial files that another download still needs', async () => {
  const [program, other] = [assetOf('of the program'), assetOf('of nobody')];
  const { store, server, ensure } = await start({ needed: { playing: [program], kept: [] } });
  for (const { sha256: name } of [program, other]) store.parts.set(name, { bytes: Buffer.from('of'), etag: null });
  await ensure([server.addAsset('of an overlay')]);
  assert.deepEqual([...store.parts.keys()], [program.sha256]);
});

test('AssetCache leaves 64 MB (of a small disk: a tenth) free, and does not count received bytes again', async () => {
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
      // The stored part has more bytes than the whole file.
      store.parts.set(sha256('b'), { bytes: Buffer.alloc(9), etag: null });
      const assets = [
        { sha256: sha256('a'), size, mime: 'image/png' },
        { sha256: sha256('b'), size: 1, mime: 'image/png' },
      ];
      // The server has none of these files. So if there is enough room, the error is about the download.
      await assert.rejects(ensure(assets), fits ? DownloadFailed : NoRoom);
    }
});

test('file of a wrong size is downloaded again, and a full disk removes partial and unneeded files', async () => {
  const { store, server, cache, ensure } = await start({ held: ['old'] });
  const asset = server.addAsset('0123456789');
  store.whole.set(asset.sha256, Buffer.from('0123'));
  await ensure([asset]);
  assert.deepEqual([cache.has(asset), store.whole.get(asset.sha256)?.length], [true, 10]);
  store.room = 3;
  await assert.rejects(ensure([server.addAsset('more than there is room for')]), NoRoom);
  assert.deepEqual([store.parts.size, store.whole.size, cache.bytes], [0, 0, 0]);
});

test('AssetCache downloads two files in parallel and throws the first failure after the other download has ended', async () => {
  const { store, server, ensure } = await start();
  const assets = ['a', 'b', 'c', 'd'].map((bytes) => server.addAsset(bytes));
  const touched: string[] = [];
  store.touch = async (name?: string) => void touched.push(name ?? '');
  let [open, most] = [0, 0];
  const answer = server.get;
  server.get = async (...asked) => {
    most = Math.max(most, ++open);
    await settle();
    open--;
    return answer(...asked);
  };
  await Promise.all([ensure(assets), ensure(assets)]);
  assert.deepEqual([most, server.requests.length], [2, 4]);
  assert.deepEqual(touched.sort(), assets.flatMap(({ sha256: name }) => [name, name]).sort());
  const [gone, beside, later] = ['x', 'y', 'z'].map(assetOf) as [Asset, Asset, Asset];
  server.addAsset('y');
  await assert.rejects(ensure([gone, beside, later]), { asset: gone.sha256 });
  assert.deepEqual([open, store.whole.has(beside.sha256), server.requests.length], [0, true, 6]);
});

test('AssetCache resumes a partial file and removes unneeded partial files only when it downloads something', async () => {
  const { store, server, ensure } = await start({ held: ['there'] });
  const asset = server.addAsset('0123456789');
  for (const name of [asset.sha256, sha256('other')])
    store.parts.set(name, { bytes: Buffer.from('01234'), etag: null });
  await ensure([assetOf('there')]);
  assert.equal(store.parts.size, 2);
  await ensure([asset, assetOf('there')]);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['Range']),
    ['bytes=5-'],
  );
  assert.equal(store.parts.size, 0);
});

test('AssetCache downloads a file again that was removed from the disk or has a wrong size', async () => {
  const { store, server, cache, ensure } = await start();
  const asset = server.addAsset('0123456789');
  await ensure([asset]);
  store.whole.clear();
  await ensure([asset]);
  store.whole.set(asset.sha256, Buffer.from('0123'));
  server.cut = (_, bytes) => {
    assert.equal(store.whole.size, 0);
    return bytes;
  };
  await ensure([asset]);
  assert.deepEqual([server.requests.length, cache.bytes], [3, 10]);
  store.parts.set(sha256('part'), { bytes: Buffer.from('p'), etag: null });
  await cache.clear();
  assert.deepEqual([store.whole.size, store.parts.size, cache.bytes], [0, 0, 0]);
});

test('NoRoom error names the missing megabytes, rounded up', async () => {
  const held = 'x'.repeat(4e6);
  const { ensure } = await start({
    held: [held, 'y'.repeat(1e6)],
    quotaBytes: 5e6,
    needed: { playing: [assetOf(held)], kept: [] },
  });
  await assert.rejects(ensure([{ sha256: sha256('a'), size: 3.5e6, mime: 'image/png' }]), /needs 3 MB more than/);
});

test('first check of the files begins one minute after the start, and new files are checked in the next round', async () => {
  for (const [held, read] of [
    [['a'], 1],
    [[], 0],
  ] as const) {
    const { time, store, server, ensure } = await start({ held: [...held] });
    let reads = 0;
    store.verify = async () => Boolean(++reads);
    await time.advance(61_000);
    await ensure([server.addAsset('b')]);
    await time.advance(3_600_000);
    assert.equal(reads, read);
  }
});

test('each file is checked once a day, with two seconds between files, and damaged files are removed and reported', async () => {
  const { time, store, cache, lost } = await start({ held: ['a', 'b', 'c'] });
  const [began, verify] = [time.mono(), store.verify.bind(store)];
  const read: [string, number][] = [];
  store.verify = async (name) => {
    read.push([name, time.mono() - began]);
    if (name === sha256('c')) throw new Error('cannot be read');
    return verify(name);
  };
  store.whole.set(sha256('a'), Buffer.from('rot'));
  const day = 24 * 3_600_000;
  await time.advance(day + 70_000);
  const order = ['c', 'b', 'a'].map(sha256);
  assert.deepEqual(read, [
    ...order.map((name, i) => [name, 62_000 + i * 2_000]),
    ...order.slice(0, 2).map((name, i) => [name, day + 68_000 + i * 2_000]),
  ]);
  assert.deepEqual([lost, cache.has(assetOf('a')), cache.has(assetOf('b'))], [[sha256('a')], false, true]);
  assert.deepEqual([await cache.check(sha256('b')), await cache.check(sha256('a'))], [true, true]);
  store.whole.set(sha256('b'), Buffer.from('rot'));
  assert.equal(await cache.check(sha256('b')), false);
  const before = read.length;
  cache.stop();
  await time.advance(2 * day);
  assert.equal(read.length, before);
});
