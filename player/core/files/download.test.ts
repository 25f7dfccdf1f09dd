import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../../shared/program/program.ts';
import { AssetCorrupt, DownloadFailed } from '../errors.ts';
import type { Get } from '../ports.ts';
import { FakeTime, MemoryAssets, settle, sha256 } from '../testing/fakes.ts';
import { fetchAsset, fetchWhole } from './download.ts';

const BYTES = Buffer.from('0123456789abcdef');
const ASSET: Asset = { sha256: sha256(BYTES), size: BYTES.length, mime: 'image/png' };

type Answer = { status?: number; from?: string; bytes?: Uint8Array };
/** Prepares a download of `ASSET` of which `held` bytes are already stored. `asked` collects the requests. */
const start = ({ status = 200, from, bytes = BYTES }: Answer = {}, held = 0) => {
  const [store, time, stop] = [new MemoryAssets(), new FakeTime(), new AbortController()];
  if (held > 0) store.parts.set(ASSET.sha256, { bytes: Buffer.concat([BYTES, BYTES]).subarray(0, held), etag: '"e"' });
  const asked: Record<string, string>[] = [];
  const signals: AbortSignal[] = [];
  const get: Get = async (_path, headers, signal) => {
    signals.push(signal);
    asked.push({ ...headers });
    const body = (async function* () {
      yield bytes.subarray(0, 5);
      yield bytes.subarray(5);
    })();
    return { status, header: (name) => ({ etag: '"e"', 'content-range': from })[name] ?? null, body };
  };
  return {
    store,
    time,
    stop,
    asked,
    signals,
    with: { get, time, authorization: () => 'Bearer x' as string | undefined, signal: stop.signal },
  };
};

test('fetchAsset resumes at any offset, and starts over when the server sends the whole file', async () => {
  for (let held = 0; held < BYTES.length; held++)
    for (const whole of [true, false]) {
      const answer = whole ? {} : { status: 206, from: `bytes ${held}-15/16`, bytes: BYTES.subarray(held) };
      const { store, asked, with: fetching } = start(answer, held);
      await fetchAsset(ASSET, { ...fetching, store });
      assert.deepEqual(store.whole.get(ASSET.sha256), BYTES);
      assert.deepEqual(asked, [
        { ...(held > 0 && { Range: `bytes=${held}-`, 'If-Range': '"e"' }), Authorization: 'Bearer x' },
      ]);
    }
});

test('partial file is dropped when the server answers with a range that was not requested', async () => {
  for (const from of ['bytes 3-15/16', 'bytes 5-15/16', 'bytes x', undefined]) {
    const { store, with: fetching } = start({ status: 206, ...(from && { from }) }, 4);
    await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), DownloadFailed);
    assert.deepEqual([store.parts.size, store.whole.size], [0, 0], from);
  }
});

test('fetchAsset keeps the partial file after an error response and drops it after status 416', async () => {
  for (const [status, parts] of [
    [404, 1],
    [500, 1],
    [416, 0],
  ] as const) {
    const { store, with: fetching } = start({ status }, 4);
    await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), DownloadFailed);
    assert.equal(store.parts.size, parts, String(status));
  }
});

test('complete partial file is checked without a request, and a partial file that is too long starts again', async () => {
  const there = start({}, BYTES.length);
  await fetchAsset(ASSET, { ...there.with, store: there.store });
  assert.deepEqual([there.asked, there.store.whole.get(ASSET.sha256)], [[], BYTES]);
  const more = start({}, BYTES.length + 1);
  await fetchAsset(ASSET, { ...more.with, store: more.store });
  assert.deepEqual([Object.keys(more.asked[0]!), more.store.whole.get(ASSET.sha256)], [['Authorization'], BYTES]);
});

test('body that is too short is kept for a resume, and a body that is too long or wrong is dropped', async () => {
  const few = start({ bytes: BYTES.subarray(0, 9) });
  await assert.rejects(fetchAsset(ASSET, { ...few.with, store: few.store }), DownloadFailed);
  assert.equal(few.store.parts.get(ASSET.sha256)?.bytes.length, 9);
  for (const bytes of [Buffer.concat([BYTES, BYTES]), Buffer.alloc(16)]) {
    const { store, with: fetching } = start({ bytes });
    await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), AssetCorrupt);
    assert.deepEqual([store.parts.size, store.whole.size], [0, 0]);
  }
});

test('fetchAsset sets `progressed` on an error after at least 256 KB', async () => {
  const most = 256 * 1_024;
  for (const size of [most - 1, most]) {
    const { store, with: fetching } = start({ bytes: Buffer.alloc(size) });
    await assert.rejects(
      fetchAsset({ ...ASSET, size: most + 1 }, { ...fetching, store }),
      (error: object) => 'progressed' in error === (size === most),
    );
  }
});

test('fetchWhole reads a body of limited size, with status 200 only, and only for a paired player', async () => {
  const { with: fetching, asked } = start();
  assert.deepEqual(Buffer.from(await fetchWhole('/x', { ...fetching, most: 16 })), BYTES);
  await assert.rejects(fetchWhole('/x', { ...fetching, most: 15 }), /larger than 15/);
  await assert.rejects(fetchWhole('/x', { ...start({ status: 206 }).with, most: 16 }), DownloadFailed);
  const before = asked.length;
  await assert.rejects(fetchWhole('/x', { ...fetching, authorization: () => undefined, most: 16 }), /not paired/);
  assert.equal(asked.length, before);
});

test('download fails after 30 s without a byte or when it is aborted', async () => {
  for (const [waits, ends] of [
    [[29_999, 29_999], false],
    [[29_999, 30_000], true],
    [[30_000], true],
  ] as const) {
    const { time, with: fetching } = start();
    let ended = false;
    const get: Get = async (_path, _headers, signal) => {
      signal.addEventListener('abort', () => (ended = true));
      const body = (async function* () {
        for (const ms of waits) {
          await time.advance(ms);
          signal.throwIfAborted();
          yield BYTES;
        }
      })();
      return { status: 200, header: () => null, body };
    };
    const done = fetchWhole('/x', { ...fetching, get, most: 100 });
    await (ends ? assert.rejects(done, /nothing came for 30 s/) : done);
    await time.advance(60_000);
    assert.equal(ended, ends, 'nothing runs on');
  }
  const { stop, with: fetching } = start();
  const waiting: Get = (_path, _headers, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const done = assert.rejects(fetchWhole('/x', { ...fetching, get: waiting, most: 16 }), /stopped/);
  await settle();
  stop.abort(new Error('stopped'));
  await done;
  await assert.rejects(fetchWhole('/x', { ...fetching, get: waiting, most: 16 }), /stopped/);
});

test('fetchAsset rejects a response other than 200 or 206 and does not write excess bytes', async () => {
  const { store, with: fetching } = start({ status: 203, from: 'bytes 4-15/16', bytes: BYTES.subarray(4) }, 4);
  await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), DownloadFailed);
  const long = start({ bytes: Buffer.concat([BYTES, BYTES]) });
  let written = 0;
  const open = long.store.open.bind(long.store);
  long.store.open = async (...asked) => {
    const writer = await open(...asked);
    return {
      ...writer,
      write: async (chunk) => {
        written += chunk.length;
        await writer.write(chunk);
      },
    };
  };
  await assert.rejects(fetchAsset(ASSET, { ...long.with, store: long.store }), AssetCorrupt);
  assert.ok(written <= ASSET.size);
});

test('fetchAsset stores the ETag with the partial file and resumes without an ETag too', async () => {
  const { store, asked, with: fetching } = start({ bytes: BYTES.subarray(0, 9) });
  let suspended = 0;
  const open = store.open.bind(store);
  store.open = async (...given) => ({ ...(await open(...given)), suspend: async () => void suspended++ });
  await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), DownloadFailed);
  assert.deepEqual([suspended, store.parts.get(ASSET.sha256)?.etag], [1, '"e"']);
  store.parts.get(ASSET.sha256)!.etag = null;
  await assert.rejects(fetchAsset(ASSET, { ...fetching, store }), DownloadFailed);
  assert.deepEqual(asked[1], { Range: 'bytes=9-', Authorization: 'Bearer x' });
});

test('download continues as long as each byte arrives within 30 s, and an abort after its end has no effect', async () => {
  const { store, stop, signals, with: fetching } = start();
  await fetchAsset(ASSET, { ...fetching, store });
  stop.abort();
  assert.equal(signals[0]?.aborted, false);
  const slow = start();
  const get: Get = async (_path, _headers, signal) => ({
    status: 200,
    header: () => null,
    body: (async function* () {
      for (const byte of BYTES) {
        await slow.time.advance(20_000);
        signal.throwIfAborted();
        yield Uint8Array.of(byte);
      }
    })(),
  });
  await fetchAsset(ASSET, { ...slow.with, get, store: slow.store });
  assert.deepEqual(slow.store.whole.get(ASSET.sha256), BYTES);
});
