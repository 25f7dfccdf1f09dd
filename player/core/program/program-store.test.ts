import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramPush } from '../../../shared/protocol/messages.ts';
import { AssetCache } from '../files/asset-cache.ts';
import {
  FakeCrypto,
  FakeServer,
  FakeTime,
  item,
  MemoryAssets,
  MemoryDocuments,
  MemoryLog,
  placement,
  programOf,
  settle,
} from '../testing/fakes.ts';
import { ProgramStore } from './program-store.ts';
import { ProgramFiles } from './stored-program.ts';

class Documents extends MemoryDocuments {
  /** Number of calls of `list` that still fail. */
  failures = 0;
  /** A write of this document waits until the promise resolves. */
  hold: { name: string; until: Promise<void> } | undefined;
  override async list() {
    if (this.failures-- > 0) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    return super.list();
  }
  override async write(name: string, text: string) {
    if (name === this.hold?.name) await this.hold.until;
    await super.write(name, text);
  }
}

function rig() {
  const time = new FakeTime();
  const crypto = new FakeCrypto();
  const log = new MemoryLog();
  const documents = new Documents();
  const store = new MemoryAssets();
  const server = new FakeServer(time);
  type Failure = { id: string; reason: string; asset?: string };
  const said = { failed: [] as Failure[], damaged: [] as string[], changes: 0, throwing: false };
  const assets = new AssetCache({ store, time, log, quotaBytes: 1e9, needed: () => programs.needed(), lost: () => {} });
  const make = () =>
    new ProgramStore({
      files: new ProgramFiles({ documents, crypto, log }),
      assets,
      get: (path, headers, signal) => server.get(`http://server${path}`, headers, signal),
      authorization: () => 'Bearer',
      time,
      crypto,
      log,
      changed: () => {
        said.changes++;
        if (said.throwing) throw new Error('a listener failed');
      },
      failed: (failure) => said.failed.push(failure),
      damaged: ({ id }) => said.damaged.push(id),
    });
  let programs = make();
  /** Starts the store as after a restart of the player. */
  const boot = async () => {
    await programs.stop();
    programs = make();
    await programs.start();
    return programs;
  };
  const announce = (name: string) => {
    const asset = server.addAsset(name);
    const program = programOf(
      [asset],
      [1, 2].map((item_id) => item(asset, { item_id })),
    );
    server.files.set(`/p/${program.id}`, program.bytes);
    const push = (more: Partial<ProgramPush> = {}) =>
      programs.push({ type: 'program', id: program.id, url: `/p/${program.id}`, placement, ...more });
    const offer = (body = new TextDecoder().decode(program.bytes)) => programs.offer({ id: program.id, body });
    const file = { path: `/api/player/assets/${asset.sha256}`, bytes: Buffer.from(name) };
    return { id: program.id, document: `program-${program.id}`, push, offer, asset, file };
  };
  /** Returns the stored current document. */
  const kept = () => JSON.parse(documents.all.get('current') ?? 'null');
  const onDisk = async () => (await documents.list()).filter((name) => /^program-[0-9a-f]+$/.test(name)).sort();
  return { time, log, documents, server, store, cache: assets, said, boot, announce, kept, onDisk };
}

test('if the removal of old programs fails, they are removed when the next program begins to play', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b, c, d, e] = [
    kit.announce('a'),
    kit.announce('b'),
    kit.announce('c'),
    kit.announce('d'),
    kit.announce('e'),
  ];
  for (const each of [a, b]) {
    await each.push();
    await kit.time.advance(10);
  }
  kit.documents.failures = 1;
  await c.push();
  await kit.time.advance(10);
  assert.equal(store.id, c.id);
  assert.deepEqual(kit.said.failed, [], 'it is complete, and nothing else was said of it');
  assert.match(kit.log.lines.at(-1) ?? '', /old programs could not be removed/);
  await d.push();
  await kit.time.advance(10);
  assert.equal(store.id, d.id);
  await kit.time.advance(120_000);
  assert.equal(store.id, d.id);
  await e.push();
  await kit.time.advance(10);
  assert.deepEqual(await kit.onDisk(), [d.document, e.document].sort());
});

test('change to another program completes although a listener throws', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  kit.said.throwing = true;
  await a.push();
  await kit.time.advance(10);
  kit.said.throwing = false;
  assert.equal(store.id, a.id);
  assert.match(kit.log.lines.at(-1) ?? '', /a listener failed/);
  await b.push();
  await kit.time.advance(120_000);
  assert.equal(store.id, b.id);
});

test('program that the server announces while old programs are being removed stays on disk', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b, c] = [kit.announce('a'), kit.announce('b'), kit.announce('c')];
  for (const each of [a, b]) {
    await each.push();
    await kit.time.advance(10);
  }
  const list = Promise.withResolvers<void>();
  const listing = kit.documents.list.bind(kit.documents);
  kit.documents.list = async () => {
    const names = await listing();
    await list.promise;
    return names;
  };
  await c.push();
  await kit.time.advance(10);
  assert.equal(store.id, c.id);
  await a.push();
  await settle();
  kit.documents.list = listing;
  list.resolve();
  await kit.time.advance(10);
  assert.equal(store.id, a.id);
  const again = await kit.boot();
  assert.equal(again.id, a.id);
  assert.ok(again.program);
});

test('program announced again while the player changes to another program plays in the end', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  await a.push();
  await kit.time.advance(10);
  const disk = Promise.withResolvers<void>();
  kit.documents.hold = { name: 'current', until: disk.promise };
  await b.push();
  await kit.time.advance(10);
  const pushed = a.push();
  await settle();
  disk.resolve();
  await pushed;
  await kit.time.advance(10);
  assert.equal(store.id, a.id);
});

test('previous program plays when the current one is damaged, until the server announces the current one again', async () => {
  for (const damage of [(text: string) => text.slice(0, text.length / 2), () => undefined]) {
    const kit = rig();
    await kit.boot();
    const [a, b] = [kit.announce('a'), kit.announce('b')];
    for (const each of [a, b]) {
      await each.push();
      await kit.time.advance(10);
    }
    const text = damage(kit.documents.all.get(b.document) ?? '');
    if (text === undefined) kit.documents.all.delete(b.document);
    else kit.documents.all.set(b.document, text);

    const store = await kit.boot();
    assert.deepEqual([store.id, store.settled], [a.id, true]);
    assert.ok(store.program);
    assert.deepEqual(store.placement, placement);
    assert.deepEqual(kit.said.damaged, [b.id]);
    assert.equal(kit.kept().program_id, b.id, 'what was to play is not forgotten');
    assert.equal((await kit.boot()).id, a.id, 'after another restart too');

    const again = await kit.boot();
    await b.push();
    await kit.time.advance(10);
    assert.equal(again.id, b.id);
    assert.deepEqual(await kit.onDisk(), [a.document, b.document].sort());
    assert.equal((await kit.boot()).id, b.id);
  }
});

test('muted items stay muted when their program is damaged and another one plays', async () => {
  const kit = rig();
  const first = await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  for (const each of [a, b]) {
    await each.push();
    await kit.time.advance(10);
  }
  await first.mute({ item_id: 1, muted: true });
  kit.documents.all.set(b.document, 'cut');
  const store = await kit.boot();
  assert.equal(store.program?.playlists[0]?.items[0]?.muted, true);
});

test('player without an undamaged program shows none and reports the damage', async () => {
  const kit = rig();
  await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  for (const each of [a, b]) {
    await each.push();
    await kit.time.advance(10);
    kit.documents.all.set(each.document, 'cut');
  }
  const store = await kit.boot();
  assert.equal(store.id, null);
  assert.equal(store.program, null);
  assert.deepEqual(kit.said.damaged, [b.id]);
  await b.push();
  await kit.time.advance(10);
  assert.equal(store.id, b.id);
});

test('program whose text arrived by socket is not downloaded, unless its hash is wrong', async () => {
  const { announce, boot, server, said } = rig();
  const store = await boot();
  const [a, b, c] = [announce('a'), announce('b'), announce('c')];
  const fetched = () => server.requests.splice(0).filter(({ path }) => path.startsWith('/p/')).length;
  a.offer();
  a.push();
  await settle();
  assert.deepEqual([store.id, fetched()], [a.id, 0]);
  b.offer('{}');
  b.push();
  await settle();
  assert.deepEqual([store.id, fetched()], [b.id, 1]);
  c.offer();
  a.push();
  c.push();
  await settle();
  assert.deepEqual([store.id, fetched(), said.failed], [c.id, 1, []], 'another one was asked for in between');
});

test('program plays when all files are stored, each reason of a failure is reported once, and delays of retries grow', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  kit.server.files.delete(a.file.path);
  a.push();
  const attempts: number[] = [];
  const began = kit.time.mono();
  while (attempts.length < 7) {
    await kit.time.advance(500);
    for (const { path } of kit.server.requests.splice(0))
      if (path === a.file.path) attempts.push(kit.time.mono() - began);
  }
  assert.deepEqual(attempts.slice(1), [1_500, 4_500, 10_500, 22_500, 46_500, 91_500]);
  const reason = `asset ${a.asset.sha256}: the server answered 404`;
  assert.deepEqual(kit.said.failed, [{ id: a.id, reason, asset: a.asset.sha256 }]);
  assert.deepEqual([store.id, store.program, kit.said.changes], [null, null, 0]);
  kit.server.files.set(a.file.path, Buffer.from('b'));
  store.retryNow();
  await kit.time.advance(10);
  assert.deepEqual(kit.said.failed[1], {
    id: a.id,
    reason: 'the file does not match its checksum',
    asset: a.asset.sha256,
  });
  kit.server.files.set(a.file.path, a.file.bytes);
  store.retryNow();
  await kit.time.advance(10);
  assert.deepEqual([store.id, kit.said.failed.length, kit.time.waits], [a.id, 2, 0]);
  assert.ok(kit.log.lines.includes(`program ${a.id.slice(0, 12)} is complete`));
});

test('program that cannot be used is not requested again until the server announces it again', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  const bytes = kit.server.files.get(`/p/${a.id}`) ?? assert.fail();
  kit.server.files.set(`/p/${a.id}`, Buffer.from('{}'));
  a.push();
  await kit.time.advance(200_000);
  assert.deepEqual(kit.said.failed, [{ id: a.id, reason: 'the program does not match its checksum' }]);
  assert.equal(kit.server.requests.length, 1);
  kit.server.files.set(`/p/${a.id}`, bytes);
  a.push();
  await kit.time.advance(10);
  assert.equal(store.id, a.id);
});

test('files of the incoming and the current program are never evicted, and files of the previous one last', async () => {
  const kit = rig();
  const store = await kit.boot();
  assert.deepEqual([store.settled, store.placementId, store.needed()], [true, null, { playing: [], kept: [] }]);
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  a.push({ placement_id: 'first' });
  assert.equal(store.settled, false);
  await kit.time.advance(10);
  assert.deepEqual(
    [store.settled, store.placementId, store.needed()],
    [true, 'first', { playing: [a.asset], kept: [] }],
  );
  const changes = kit.said.changes;
  a.push({ placement_id: 'first' });
  assert.equal(kit.said.changes, changes, 'nothing is new in that');
  kit.server.files.delete(b.file.path);
  b.push();
  assert.deepEqual([store.placementId, kit.said.changes], [null, changes + 1], 'the place waits for no file');
  let during: unknown;
  kit.server.cut = (_, sent) => {
    during = store.needed();
    return sent;
  };
  kit.server.files.set(b.file.path, b.file.bytes);
  await kit.time.advance(2_000);
  assert.deepEqual(during, { playing: [a.asset, b.asset], kept: [] });
  assert.deepEqual(store.needed(), { playing: [b.asset], kept: [a.asset] });
  kit.server.files.delete(a.file.path);
  b.push();
  a.push();
  b.push();
  await kit.time.advance(10);
  assert.deepEqual(
    [store.id, store.settled, kit.time.waits],
    [b.id, true, 0],
    'nobody goes on with what is not wanted',
  );
  assert.deepEqual(store.needed(), { playing: [b.asset], kept: [a.asset] }, 'what plays does not come once more');
});

test('mute of an item is in effect in the current and the incoming program, and later programs include it', async () => {
  const kit = rig();
  const store = await kit.boot();
  const muted = () => store.program?.playlists[0]?.items.map((each) => each.muted);
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  store.mute({ item_id: 1, muted: true });
  a.push();
  await kit.time.advance(10);
  assert.deepEqual(muted(), [false, false]);
  store.mute({ item_id: 1, muted: true });
  store.mute({ item_id: 2, muted: true });
  store.mute({ item_id: 1, muted: false });
  assert.deepEqual(muted(), [false, true]);
  kit.server.files.delete(b.file.path);
  b.push();
  await kit.time.advance(10);
  assert.deepEqual(muted(), [false, true], 'of the one that still plays');
  store.mute({ item_id: 1, muted: true });
  assert.deepEqual(muted(), [true, true]);
  await settle();
  assert.equal(kit.kept().mutes.length, 2, 'the last word of each is kept');
  kit.server.files.set(b.file.path, b.file.bytes);
  await kit.time.advance(2_000);
  assert.deepEqual([store.id, muted()], [b.id, [true, false]], 'only what was said since it was wanted');
  b.push();
  assert.deepEqual(muted(), [false, false]);
});

test('store downloads missing files of the current program again, also at the start', async () => {
  const kit = rig();
  let store = await kit.boot();
  const a = kit.announce('a');
  a.push();
  await kit.time.advance(10);
  const lose = async () => {
    kit.store.whole.clear();
    await kit.cache.check(a.asset.sha256);
  };
  await lose();
  store = await kit.boot();
  await kit.time.advance(10);
  assert.deepEqual([kit.store.whole.size, store.repairs], [1, 1]);
  await lose();
  kit.server.files.delete(a.file.path);
  store.repair();
  store.repair();
  await kit.time.advance(1_000);
  assert.equal(kit.said.failed.length, 1);
  kit.server.files.set(a.file.path, a.file.bytes);
  const { changes } = kit.said;
  store.retryNow();
  await kit.time.advance(10);
  assert.deepEqual([kit.store.whole.size, store.repairs, kit.said.changes], [1, 2, changes + 1]);
  await lose();
  kit.server.files.delete(a.file.path);
  store.repair();
  await kit.time.advance(10);
  const b = kit.announce('b');
  b.push();
  await kit.time.advance(10);
  assert.deepEqual([store.id, store.repairs], [b.id, 2]);
  assert.equal(kit.time.waits, 0, 'what does not play any more is not repaired');
});

test('program that the disk refuses is shown and logged, and the newest program is saved later', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  a.push();
  await kit.time.advance(10);
  const { write } = kit.documents;
  let tries = 0;
  kit.documents.write = async () => {
    tries++;
    throw new Error('disk full');
  };
  a.push({ placement: { ...placement, orientation: '90' } });
  assert.equal(store.settled, false);
  await kit.time.advance(10);
  assert.deepEqual([store.placement?.orientation, store.settled], ['90', true]);
  await kit.time.advance(1_500 + 3_000 + 6_000);
  assert.equal(tries, 4);
  a.push({ placement: { ...placement, orientation: '180' } });
  await kit.time.advance(10);
  const refused = () => kit.log.lines.filter((line) => line.startsWith('what is shown cannot be saved')).length;
  assert.deepEqual([tries, refused(), kit.time.waits], [5, 1, 1]);
  kit.documents.write = write;
  await kit.time.advance(60_000);
  assert.deepEqual([store.settled, kit.time.waits], [true, 0]);
  assert.match(kit.documents.all.get('current') ?? '', /"orientation":"180"/);
  kit.documents.write = () => Promise.reject(new Error('disk full'));
  a.push();
  store.mute({ item_id: 1, muted: true });
  await kit.time.advance(10);
  assert.deepEqual([refused(), kit.time.waits], [2, 1], 'it had been taken meanwhile');
  await store.stop();
  assert.equal(kit.time.waits, 0);
  await store.forget();
  kit.documents.write = (name, text) =>
    name === 'current' ? Promise.reject(new Error('disk full')) : write.call(kit.documents, name, text);
  a.push();
  await kit.time.advance(10);
  assert.deepEqual([store.id, refused()], [a.id, 3], 'another owner is told of it');
  await kit.boot();
  await settle();
  assert.equal(refused(), 4, 'and so is the next run');
});

test('of several messages that arrive together, only the result of the last is written to disk', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  a.push();
  await kit.time.advance(10);
  let writes = 0;
  const write = kit.documents.write.bind(kit.documents);
  kit.documents.write = (...given) => {
    writes++;
    return write(...given);
  };
  for (const muted of [true, false, true]) store.mute({ item_id: 1, muted });
  await settle();
  assert.deepEqual([writes, kit.kept().mutes], [1, [{ item_id: 1, muted: true }]]);
});

test('store rejects a program of more than 32 MB', async () => {
  const kit = rig();
  await kit.boot();
  const part = new Uint8Array(1024 * 1024);
  kit.server.get = async () => ({
    status: 200,
    header: () => null,
    body: (async function* () {
      for (let i = 0; i < 32; i++) yield part;
      yield part.subarray(0, 1);
    })(),
  });
  kit.announce('a').push();
  await settle();
  assert.match(kit.said.failed[0]?.reason ?? '', /is larger than 33554432 bytes/);
});

test('download that made progress is retried after 1–2 s, and any other download after growing delays', async () => {
  for (const [bytes, waits] of [
    [256 * 1024, [1_500, 1_500, 1_500]],
    [1, [1_500, 3_000, 6_000]],
  ] as const) {
    const kit = rig();
    await kit.boot();
    const a = kit.announce('a'.repeat(1024 * 1024));
    const { get } = kit.server;
    const asked: number[] = [];
    kit.server.get = async (url, ...rest) => {
      if (!url.includes('/assets/')) return get(url, ...rest);
      asked.push(kit.time.mono());
      return {
        status: 200,
        header: () => null,
        body: (async function* () {
          yield Buffer.alloc(bytes);
        })(),
      };
    };
    a.push();
    await kit.time.advance(11_000);
    assert.deepEqual(
      asked.slice(1, 4).map((at, i) => at - asked[i]!),
      waits,
    );
  }
});

test('program that the server announces again is retried at once, and the same reason is not reported again', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  kit.server.files.delete(a.file.path);
  a.push();
  await kit.time.advance(60_000);
  kit.server.requests.length = 0;
  a.push();
  await kit.time.advance(10);
  assert.deepEqual([kit.server.requests.length, kit.said.failed.length], [1, 1]);
  kit.server.files.set(a.file.path, a.file.bytes);
  a.push();
  await kit.time.advance(10);
  assert.equal(store.id, a.id);
});

/** Makes writes of a file wait until the test releases them. */
const slow = (kit: ReturnType<typeof rig>) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = kit.store.open.bind(kit.store);
  kit.store.open = async (...given) => {
    const writer = await open(...given);
    await promise;
    return writer;
  };
  return resolve;
};

test('new download waits for the end of the previous one, and keeps no partial files for it', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b, c] = [kit.announce('a'), kit.announce('b'), kit.announce('c')];
  a.push();
  await kit.time.advance(10);
  const letGo = slow(kit);
  b.push();
  await settle();
  kit.server.requests.length = 0;
  c.push();
  await settle();
  assert.deepEqual(kit.server.requests, []);
  a.push();
  b.push();
  letGo();
  await kit.time.advance(10);
  assert.deepEqual([store.id, kit.said.failed], [b.id, []], 'wanted again it comes');

  const read = Promise.withResolvers<void>();
  const reading = kit.documents.read.bind(kit.documents);
  kit.documents.read = async (...given) => {
    await read.promise;
    return reading(...given);
  };
  a.push();
  await settle();
  c.push();
  kit.store.parts.set(c.asset.sha256, { bytes: Buffer.alloc(0), etag: null });
  kit.store.whole.delete(a.asset.sha256);
  let drops = 0;
  const drop = kit.store.dropPartials.bind(kit.store);
  kit.store.dropPartials = (keep) => {
    drops += keep.has(a.asset.sha256) ? 1 : 0;
    return drop(keep);
  };
  read.resolve();
  await kit.time.advance(10);
  assert.deepEqual([store.id, drops], [c.id, 0]);
});

test('stop resolves after all downloads, writes and repairs of files have ended', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  a.push();
  await kit.time.advance(10);
  const ends = async (stopping: Promise<void>, letGo: () => void) => {
    let ended = false;
    const done = stopping.then(() => (ended = true));
    await settle();
    assert.equal(ended, false);
    letGo();
    await done;
    await kit.time.advance(60_000);
    assert.equal(kit.time.waits, 0);
  };
  const fails = Promise.withResolvers<void>();
  kit.documents.hold = { name: 'current', until: fails.promise };
  store.mute({ item_id: 1, muted: true });
  await settle();
  await ends(store.stop(), () => fails.reject(new Error('disk full')));
  kit.documents.hold = undefined;
  const next = await kit.boot();
  kit.store.whole.delete(a.asset.sha256);
  kit.server.files.delete(a.file.path);
  await kit.cache.ensure([], {} as never);
  next.repair();
  const letGo = slow(kit);
  b.push();
  await settle();
  kit.server.requests.length = 0;
  await ends(next.stop(), letGo);
  assert.deepEqual([next.id, kit.server.requests], [a.id, []]);
});

test('file that is lost while another file is being repaired is repaired too', async () => {
  const kit = rig();
  const store = await kit.boot();
  const a = kit.announce('a');
  a.push();
  await kit.time.advance(10);
  kit.store.whole.clear();
  let losses = 0;
  kit.store.touch = async () => {
    if (losses++ > 0) return;
    kit.store.whole.clear();
    await kit.cache.check(a.asset.sha256);
    store.repair();
  };
  await kit.cache.check(a.asset.sha256);
  await kit.cache.ensure([], {} as never);
  store.repair();
  await kit.time.advance(10);
  assert.deepEqual([kit.store.whole.size, store.repairs], [1, 2]);
});

test('unpairing removes everything from memory and disk, and the same program can be loaded again later', async () => {
  const kit = rig();
  const store = await kit.boot();
  const [a, b] = [kit.announce('a'), kit.announce('b')];
  a.push();
  await kit.time.advance(10);
  store.mute({ item_id: 1, muted: true });
  kit.server.files.delete(b.file.path);
  b.push();
  await kit.time.advance(10);
  await store.forget();
  assert.deepEqual(
    [store.id, store.program, store.placement, store.needed()],
    [null, null, null, { playing: [], kept: [] }],
  );
  assert.deepEqual([kit.documents.all.size, kit.time.waits, store.settled], [0, 0, true]);
  a.push();
  await kit.time.advance(10);
  assert.deepEqual([store.id, store.program?.playlists[0]?.items[0]?.muted], [a.id, false]);
});

test('store without a current document plays the newest program with its placement and saves that', async () => {
  const kit = rig();
  await kit.boot();
  const a = kit.announce('a');
  a.push({ placement: { ...placement, orientation: '90' }, placement_id: 'p' });
  await kit.time.advance(10);
  for (const name of ['current', 'placement']) {
    kit.documents.all.delete(name);
    const store = await kit.boot();
    await kit.time.advance(10);
    assert.deepEqual([store.id, store.placementId], [a.id, null]);
    assert.equal(store.placement?.orientation, '90');
    assert.ok(kit.documents.all.has('current'));
  }
  assert.deepEqual(kit.said.damaged, []);
  kit.documents.all.delete(a.document);
  const store = await kit.boot();
  assert.deepEqual([store.id, kit.said.damaged], [null, [a.id]]);
  assert.match(kit.log.lines.at(-1) ?? '', /cannot be played; there is no other/);
});
