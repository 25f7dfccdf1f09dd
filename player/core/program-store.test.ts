import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssetCache } from './asset-cache.ts';
import { ProgramFiles } from './held-program.ts';
import { ProgramStore } from './program-store.ts';
import {
  FakeCrypto,
  FakeServer,
  FakeTime,
  MemoryAssets,
  MemoryDocuments,
  MemoryLog,
  placement,
  programOf,
  settle,
} from './testing/fakes.ts';

class Documents extends MemoryDocuments {
  /** Each asking for the list fails so many times. */
  failures = 0;
  /** Holds up writes of this document. */
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
  const said = { failed: [] as string[], damaged: [] as string[], throwing: false };
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
        if (said.throwing) throw new Error('a listener failed');
      },
      failed: ({ id }) => said.failed.push(id),
      damaged: ({ id }) => said.damaged.push(id),
    });
  let programs = make();
  /** As after a restart. */
  const boot = async () => {
    await programs.stop();
    programs = make();
    await programs.start();
    return programs;
  };
  const announce = (name: string) => {
    const program = programOf([server.addAsset(name)]);
    server.files.set(`/p/${program.id}`, program.bytes);
    const push = () => programs.push({ type: 'program', id: program.id, url: `/p/${program.id}`, placement });
    const offer = (body = new TextDecoder().decode(program.bytes)) => programs.offer({ id: program.id, body });
    return { id: program.id, document: `program-${program.id}`, push, offer };
  };
  const onDisk = async () => (await documents.list()).filter((name) => /^program-[0-9a-f]+$/.test(name)).sort();
  return { time, log, documents, server, said, boot, announce, onDisk };
}

test('old programs that cannot be removed after a switch bring none of them back, and go with the next switch', async () => {
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

test('a switch whose news nobody could take is still one: the job is over', async () => {
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

test('a program that is announced again while what is old is being removed stays on disk', async () => {
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

test('the program that plays, announced again in the middle of the switch away from it, plays in the end', async () => {
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

test('in the place of a program that is damaged on disk the one before plays, and the newest again once it is announced', async () => {
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
    assert.equal(store.id, a.id);
    assert.ok(store.program);
    assert.deepEqual(store.placement, placement);
    assert.deepEqual(kit.said.damaged, [b.id]);
    assert.equal((await kit.boot()).id, a.id, 'after another restart too');

    const again = await kit.boot();
    await b.push();
    await kit.time.advance(10);
    assert.equal(again.id, b.id);
    assert.deepEqual(await kit.onDisk(), [a.document, b.document].sort());
    assert.equal((await kit.boot()).id, b.id);
  }
});

test('mutes said since outlive the damage of the program they were said of', async () => {
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

test('with both damaged there is nothing to play, and it is said', async () => {
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

test('a program that came by the socket is not fetched, one that is not what it is said to be is', async () => {
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
