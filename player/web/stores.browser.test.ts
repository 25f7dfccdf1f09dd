/** Tests the stores of the web player in a real browser's IndexedDB. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { launchBrowser } from '../screen/testing/browser.ts';
import type { browserCrypto } from './browser-ports.ts';
import type { Stores } from './testing/stores.ts';

declare const stores: () => Promise<Stores>;
declare const crypto1: typeof browserCrypto;

let browser: Browser;
let script = '';
const server = createServer((_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>stores</title>'),
);

before(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome120',
      lib: { entry: join(import.meta.dirname, 'testing/stores.ts'), formats: ['iife'], name: 'test' },
    },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  script = output[0]?.code ?? '';
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  server.close();
});

/** Opens the page in a browser profile of its own. A reload keeps the stored data. */
async function open(page?: Page): Promise<Page> {
  const opened = page ?? (await (await browser.newContext()).newPage());
  await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await opened.addScriptTag({ content: script });
  return opened;
}

test('file is stored in pieces, resumed, and complete after a restart', async (t) => {
  const page = await open();
  const first = await page.evaluate(async () => {
    const { assets } = await stores();
    const bytes = new Uint8Array(11_000_000).map((_, i) => (i * 7 + (i >> 9)) % 256);
    const name = crypto1.sha256(bytes);
    const writer = await assets.open(name, { at: 0, etag: '"v1"' });
    for (let at = 0; at < 6_000_000; at += 60_000) await writer.write(bytes.slice(at, at + 60_000));
    await writer.suspend();
    return {
      name,
      partial: await assets.partial(name),
      listed: await assets.list(),
      blob: await assets.blob(name, 'video/mp4'),
    };
  });
  assert.deepEqual([first.partial, first.listed, first.blob], [{ bytes: 6_000_000, etag: '"v1"' }, [], undefined]);
  await open(page);
  const second = await page.evaluate(async (name) => {
    const { assets } = await stores();
    const bytes = new Uint8Array(11_000_000).map((_, i) => (i * 7 + (i >> 9)) % 256);
    const began = performance.now();
    const writer = await assets.open(name, { at: 6_000_000, etag: '"v1"' });
    const rehashed = performance.now() - began;
    for (let at = 6_000_000; at < bytes.length; at += 60_000) await writer.write(bytes.slice(at, at + 60_000));
    return { right: await writer.finish(), rehashed };
  }, first.name);
  assert.equal(second.right, true);
  t.diagnostic(`6 MB read and hashed again in ${Math.round(second.rehashed)} ms`);
  await open(page);
  const third = await page.evaluate(async (name) => {
    const { assets } = await stores();
    const blob = await assets.blob(name, 'video/mp4');
    const url = URL.createObjectURL(blob!);
    const middle = new Uint8Array(
      await (await fetch(url, { headers: { Range: 'bytes=4194300-4194309' } })).arrayBuffer(),
    );
    return {
      listed: await assets.list(),
      verified: await assets.verify(name),
      size: blob?.size,
      type: blob?.type,
      middle: [...middle],
      partial: await assets.partial(name),
    };
  }, first.name);
  assert.deepEqual([third.verified, third.size, third.type, third.partial], [true, 11_000_000, 'video/mp4', undefined]);
  assert.deepEqual(
    third.middle,
    Array.from({ length: 10 }, (_, i) => ((4_194_300 + i) * 7 + ((4_194_300 + i) >> 9)) % 256),
    'across two pieces',
  );
  assert.deepEqual(
    third.listed.map(({ sha256, size }) => ({ sha256, size })),
    [{ sha256: first.name, size: 11_000_000 }],
  );
});

test('file with a wrong hash is removed, a damaged file is detected, and a removed file is gone', async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { assets, db, removed } = await stores();
    const put = async (name: string, text: string) => {
      const writer = await assets.open(name, { at: 0, etag: null });
      await writer.write(new TextEncoder().encode(text));
      return writer.finish();
    };
    const name = crypto1.sha256('right');
    const wrong = await put(name, 'wrong');
    const left = [await assets.partial(name), await assets.list()];
    const right = await put(name, 'right');
    const sound = await assets.verify(name);
    await db.write(['chunks'], (tx) => void tx.objectStore('chunks').put(new Blob(['rotten']), [name, 0]));
    const rotten = [await assets.verify(name), (await assets.blob(name, 'text/plain')) === undefined];
    await assets.remove(name);
    const half = await assets.open(crypto1.sha256('half'), { at: 0, etag: null });
    await half.write(new Uint8Array(10));
    await half.suspend();
    await assets.dropPartials(new Set());
    const counts = await Promise.all(
      (['assets', 'chunks'] as const).map((store) =>
        db.read(
          [store],
          (tx) =>
            new Promise<number>(
              (done) =>
                (tx.objectStore(store).count().onsuccess = (event) =>
                  done((event.target as IDBRequest<number>).result)),
            ),
        ),
      ),
    );
    return { wrong, left, right, sound, rotten, counts, told: removed.includes(name) };
  });
  assert.deepEqual(seen, {
    wrong: false,
    left: [undefined, []],
    right: true,
    sound: true,
    rotten: [false, true],
    counts: [0, 0],
    told: true,
  });
});

test('exhausted quota is reported with the error code of a full disk', async () => {
  const page = await open();
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Storage.overrideQuotaForOrigin', { origin: new URL(page.url()).origin, quotaSize: 3_000_000 });
  const code = await page.evaluate(async () => {
    const { assets } = await stores();
    const writer = await assets.open('0'.repeat(64), { at: 0, etag: null });
    try {
      for (let i = 0; i < 20; i++) await writer.write(new Uint8Array(1_000_000).fill(i));
      return 'written';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  assert.equal(code, 'ENOSPC');
});

test('documents survive a restart, and a damaged document is set aside', async () => {
  const page = await open();
  await page.evaluate(async () => {
    const { documents } = await stores();
    await documents.write('identity', 'one');
    await documents.write('identity', 'two');
    await documents.write('clock', '{');
    await documents.setAside('clock');
    await documents.setAside('nothing');
    await documents.write('gone', 'x');
    await documents.remove('gone');
  });
  await open(page);
  const seen = await page.evaluate(async () => {
    const { documents } = await stores();
    return [await documents.read('identity'), await documents.read('clock'), await documents.list()];
  });
  assert.deepEqual(seen, ['two', undefined, ['identity']]);
});

test('journal keeps its last row after delivery, corrects rows, and drops the oldest rows when it is full', async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { journal } = await stores();
    const play = {
      id: 'p',
      turn: 't',
      item_id: 1,
      playlist_id: null,
      content_id: 'c',
      widget_id: null,
      zone_id: null,
      content_name: 'Photo',
      started_at: 1_000,
      planned_end: 9_000,
      alive_at: 1_000,
      boot_id: 'boot',
      uncertainty_ms: 2,
    };
    await journal.saveOpen(play);
    await journal.beat(5_000);
    const open = (await journal.openPlays()).map(({ alive_at }) => alive_at);
    const row = (seq: number) => ({
      seq,
      id: seq === 1 ? 'p' : `id${seq}`,
      boot_id: seq > 10 ? 'later' : 'boot',
      item_id: 1,
      playlist_id: null,
      content_id: 'c',
      widget_id: null,
      zone_id: null,
      content_name: 'Photo',
      started_at: seq * 100,
      ended_at: seq * 100 + 100,
      completed: true,
      uncertainty_ms: null,
      prev: `h${seq - 1}`,
      hash: `h${seq}`,
    });
    for (let seq = 1; seq <= 20; seq++) await journal.append(row(seq));
    const closed = (await journal.openPlays()).length;
    const page = (await journal.page(3)).map(({ seq }) => seq);
    const ofBoot = (await journal.ofBoot('later')).map(({ seq }) => seq);
    await journal.rewrite([
      { ...row(19), hash: 'm19' },
      { ...row(20), prev: 'm19', hash: 'm20' },
    ]);
    const head = await journal.head();
    const young = await journal.trim({ endedBefore: 500, maxBytes: 1e9 });
    const full = await journal.trim({ endedBefore: Number.NEGATIVE_INFINITY, maxBytes: 10 });
    const rest = (await journal.page(1))[0]?.seq;
    await journal.forget(20);
    const after = [await journal.head(), await journal.page(5)];
    await journal.clear();
    return {
      open,
      closed,
      page,
      ofBoot: [ofBoot[0], ofBoot.at(-1)],
      head,
      young,
      full,
      rest,
      after,
      cleared: await journal.head(),
    };
  });
  assert.deepEqual(seen, {
    open: [5_000],
    closed: 0,
    page: [1, 2, 3],
    ofBoot: [11, 20],
    head: { seq: 20, hash: 'm20' },
    young: 3,
    full: 2,
    rest: 6,
    after: [{ seq: 20, hash: 'm20' }, []],
    cleared: undefined,
  });
});

test('page with a newer version can upgrade the database while an older page is open', async () => {
  const page = await open();
  const lost = await page.evaluate(async () => {
    const { lost } = await stores();
    await new Promise((opened) => (indexedDB.open('vitrine-player', 99).onsuccess = opened));
    return lost;
  });
  assert.deepEqual(lost, ['lost']);
});

test('time for hashing and signing in this browser is measured and printed', async (t) => {
  const page = await open();
  const { megabytes, seal } = await page.evaluate(() => {
    const bytes = new Uint8Array(16_000_000);
    crypto1.sha256(bytes);
    const began = performance.now();
    crypto1.sha256(bytes);
    const hashed = performance.now();
    const key = crypto1.newSigningKey()!;
    for (let i = 0; i < 20; i++) crypto1.sign(key, `vitrine.seal.1:${i}`);
    return { megabytes: 16_000 / (hashed - began), seal: (performance.now() - hashed) / 20 };
  });
  t.diagnostic(`SHA-256 ${Math.round(megabytes)} MB/s, a seal ${seal.toFixed(1)} ms`);
});
