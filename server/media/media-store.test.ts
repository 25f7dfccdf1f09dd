import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TestClock } from '../../test/harness.ts';
import { openDatabase } from '../db/open.ts';
import { RunningAges } from '../db/running-ages.ts';
import { put } from '../db/testing/put.ts';
import { addWorkspace } from '../features/reports/testing/plays.ts';
import { Bus } from '../kernel/bus.ts';
import { Aside, mediaAsideFolder } from './aside.ts';
import { BlobsStore } from './blobs.store.ts';
import { MediaStore } from './media-store.ts';
import { MediaSweeper } from './media-sweeper.ts';

const newStore = (t: TestContext) => {
  const dir = join(mkdtempSync(join(tmpdir(), 'vitrine-media-')), 'media');
  t.after(() => rmSync(join(dir, '..'), { recursive: true }));
  const media = new MediaStore(dir);
  media.start();
  return { dir, media };
};
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => e.name);
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a file written in chunks of any size is stored unchanged under its hash', async (t) => {
  const { dir, media } = newStore(t);
  const bytes = randomBytes(5 * 1024 * 1024 + 17);
  const writer = await media.open(bytes.length);
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 100_003)
    await writer.write(bytes.subarray(at, at + size));
  const incoming = await writer.finish();
  assert.deepEqual([incoming.sha256, incoming.size], [sha(bytes), bytes.length]);
  (await media.store(incoming))();
  assert.deepEqual(filesIn(dir), [sha(bytes)]);
  assert.deepEqual(readFileSync(media.pathOf(sha(bytes))), bytes);
});

test('two uploads with the same bytes are stored as one file', async (t) => {
  const { dir, media } = newStore(t);
  const one = await media.put(Buffer.from('same'));
  const two = await media.put(Buffer.from('same'));
  assert.equal(one.sha256, two.sha256);
  assert.equal(filesIn(dir).length, 1);
});

test('file adopted from the same disk is moved by a rename, and stays in its old place on failure', async (t) => {
  const { dir, media } = newStore(t);
  const path = join(dir, '..', 'part');
  const sha256 = sha(Buffer.from('film'));
  writeFileSync(path, 'film');
  rmSync(join(dir, sha256.slice(0, 2)), { recursive: true });
  writeFileSync(join(dir, sha256.slice(0, 2)), 'no folder');
  await assert.rejects(media.adopt({ path, sha256 }));
  assert.equal(readFileSync(path, 'utf8'), 'film');
  rmSync(join(dir, sha256.slice(0, 2)));
  const release = await media.adopt({ path, sha256 });
  assert.equal(existsSync(path), false);
  assert.equal(readFileSync(media.pathOf(sha256), 'utf8'), 'film');
  assert.equal(media.remove(sha256), false, 'the sweep spares it until somebody refers to it');
  release();
  assert.equal(media.remove(sha256), true);
  await assert.rejects(media.adopt({ path, sha256 }), /was removed/);
});

/** Returns a folder on a different disk than the media store. */
const otherDisk = ['/dev/shm', '/var/tmp'].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

test('file adopted from another disk is copied, and stays in place when space is missing or its bytes differ', {
  skip: otherDisk === undefined && 'this machine has one disk alone',
}, async (t) => {
  const { dir } = newStore(t);
  const folder = mkdtempSync(join(otherDisk!, 'vitrine-part-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'part');
  const bytes = randomBytes(3 * 1024 * 1024 + 17);
  writeFileSync(path, bytes);
  const room = { isScarce: true };
  const media = new MediaStore(dir, room);
  await assert.rejects(media.adopt({ path, sha256: sha(bytes) }), { status: 507 });
  room.isScarce = false;
  await assert.rejects(media.adopt({ path, sha256: sha(Buffer.from('another')) }), { status: 503 });
  assert.deepEqual([readFileSync(path), filesIn(dir)], [bytes, []]);
  const release = await media.adopt({ path, sha256: sha(bytes) });
  assert.deepEqual([existsSync(path), filesIn(dir)], [false, [sha(bytes)]]);
  assert.deepEqual(readFileSync(media.pathOf(sha(bytes))), bytes);
  assert.equal(media.remove(sha(bytes)), false, 'the sweep spares it until somebody refers to it');
  release();
  assert.equal(media.remove(sha(bytes)), true);
});

test('aborted or discarded upload leaves no file behind', async (t) => {
  const { dir, media } = newStore(t);
  const aborted = await media.open();
  await aborted.write(randomBytes(3_000_000));
  await aborted.abort();
  const finished = await media.open();
  await finished.write(Buffer.from('abc'));
  await media.discard(await finished.finish());
  assert.deepEqual(filesIn(dir), []);
});

test('file that cannot fit on the disk is refused with 507 before its upload begins', async (t) => {
  const { media } = newStore(t);
  await assert.rejects(media.open(Number.MAX_SAFE_INTEGER), { status: 507, message: /disk is full/ });
});

test('half-written files of a crashed process are removed at the next start of the server', (t) => {
  const { dir, media } = newStore(t);
  writeFileSync(join(dir, 'tmp', 'left-over'), 'half');
  media.start();
  assert.deepEqual(filesIn(dir), []);
});

test('path of a file is built only from a valid hash', (t) => {
  const { media } = newStore(t);
  for (const name of [
    '',
    '../../etc/passwd',
    'a'.repeat(63),
    'A'.repeat(64),
    `${'a'.repeat(63)}/`,
    `${'a'.repeat(64)}/../x`,
  ])
    assert.throws(() => media.pathOf(name));
});

const HOUR_MS = 3_600_000;

const withSweeper = (t: TestContext) => {
  const { dir, media } = newStore(t);
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  const errors: unknown[] = [];
  const notes: string[] = [];
  const [clock, mono] = [new TestClock(), new TestClock(0)];
  const asideDir = mediaAsideFolder(join(dir, '..'));
  let isFull = false;
  const make = () => {
    const ages = new RunningAges({ db, key: 'media_aside', mono: () => mono.now() });
    const aside = new Aside({ dir: asideDir, store: media, ages, clock, isFull: async () => isFull });
    const made = new MediaSweeper({
      db,
      room: { isScarce: false },
      bin: { makeRoom: () => 0 },
      bus: new Bus(() => {}),
      store: new BlobsStore(db),
      media,
      aside,
      onError: (error) => errors.push(error),
      note: (sentence) => notes.push(sentence),
    });
    t.after(() => made.stop());
    return made;
  };
  const addRow = (sha256: string) =>
    db.write(() => db.raw.prepare('INSERT INTO blobs (sha256, size, created_at) VALUES (?, 1, 0)').run(sha256));
  const rows = () => db.raw.prepare('SELECT count(*) FROM blobs').pluck().get();
  const put = async (text: string) => {
    const { sha256, release } = await media.put(Buffer.from(text));
    release();
    return sha256;
  };
  const asides = () => (existsSync(asideDir) ? filesIn(asideDir) : []);
  return {
    dir,
    asideDir,
    asides,
    media,
    sweeper: make(),
    again: make,
    put,
    addRow,
    rows,
    errors,
    notes,
    clock,
    mono,
    fill: () => (isFull = true),
  };
};

test('sweep moves files that have no database row out of the store', async (t) => {
  const { dir, sweeper, put, asides, errors, notes } = withSweeper(t);
  const sha256 = await put('orphan');
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), asides(), errors], [[], [sha256], []]);
  assert.match(notes[0]!, /^1 media files that nothing refers to were put aside/);
});

test('file that was moved aside is restored when a row refers to it again, in the next sweep or at the next start', async (t) => {
  const { dir, sweeper, put, asides, asideDir, again, addRow, media } = withSweeper(t);
  const [one, two, three] = [await put('one'), await put('two'), await put('three')];
  await sweeper.sweep();
  assert.equal(asides().length, 3);
  addRow(one);
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), asides().sort()], [[one], [two, three].sort()]);
  await sweeper.stop();
  // The file “three” is uploaded again, so its copy that was moved aside is deleted.
  addRow(two);
  addRow(three);
  await put('three');
  again().start();
  // The assertions follow without a wait, because `start` restores files synchronously.
  assert.deepEqual(
    [existsSync(media.pathOf(two)), existsSync(media.pathOf(three)), readdirSync(asideDir)],
    [true, true, []],
  );
});

test('file that was moved aside is deleted after a week of server run time, regardless of the clock', async (t) => {
  const { sweeper, put, asides, again, clock, mono } = withSweeper(t);
  const first = await put('first');
  await sweeper.sweep();
  clock.advance(2 * 365 * 24 * HOUR_MS);
  for (let hours = 0; hours < 100; hours += 25) {
    mono.advance(25 * HOUR_MS);
    await sweeper.sweep();
  }
  const second = await put('second');
  await sweeper.sweep();
  await sweeper.stop();
  // Simulates that the machine was off for a year and that its clock was reset.
  mono.advance(365 * 24 * HOUR_MS);
  clock.set(0);
  const next = again();
  for (let hours = 0; hours < 68; hours += 17) {
    await next.sweep();
    assert.deepEqual(asides().sort(), [first, second].sort(), `${hours} hours later`);
    mono.advance(17 * HOUR_MS);
  }
  await next.sweep();
  assert.deepEqual(asides(), [second]);
});

test('full disk deletes the oldest files that were moved aside first, but no file on its first day', async (t) => {
  const { sweeper, put, asides, mono, fill } = withSweeper(t);
  await put('old');
  await sweeper.sweep();
  mono.advance(25 * HOUR_MS);
  const fresh = await put('fresh');
  await sweeper.sweep();
  assert.equal(asides().length, 2);
  fill();
  await sweeper.sweep();
  assert.deepEqual(asides(), [fresh]);
});

test('partial copies of a killed restore of files are removed at the start', (t) => {
  const { dir, sweeper } = withSweeper(t);
  writeFileSync(join(dir, 'ab', `ab${'0'.repeat(62)}.part`), 'half');
  sweeper.start();
  assert.deepEqual(filesIn(dir), []);
});

test('sweep does not delete a file that is being stored', async (t) => {
  const { dir, media, sweeper } = withSweeper(t);
  const { release } = await media.put(Buffer.from('new'));
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 1);
  release();
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 0);
});

test('file that loses its last reference is deleted only by the second sweep after that', async (t) => {
  const { dir, media, sweeper, addRow, rows, asides } = withSweeper(t);
  sweeper.start();
  await sweeper.sweep();
  const { sha256, release } = await media.put(Buffer.from('deleted content'));
  addRow(sha256);
  release();
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 1);
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), rows(), asides()], [[], 0, []]);
});

test('start of the server moves unreferenced files aside at once', async (t) => {
  const { dir, media, sweeper, addRow, rows, asides } = withSweeper(t);
  const { sha256, release } = await media.put(Buffer.from('left by a crash'));
  addRow(sha256);
  release();
  sweeper.start();
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), rows(), asides()], [[], 0, [sha256]]);
});

test('file is referenced by content, thumbnails, the bin and campaigns, and removed with its last reference', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'vitrine-media-'));
  const db = openDatabase(join(dir, 'vitrine.db'));
  t.after(() => {
    db.close();
    rmSync(dir, { recursive: true });
  });
  addWorkspace(db, 'w');
  const of = { workspace_id: 'w' };
  const holders = {
    shown: () => put(db, 'content', { ...of, id: 'a', sha256: 'shown' }),
    thumbnail: () => put(db, 'content', { ...of, id: 'b', thumbnail: 'thumbnail' }),
    binned: () => put(db, 'bin_files', { bin_id: 'c', sha256: 'binned' }),
    wanted: () => put(db, 'chain_files', { ...of, campaign: 'd', sha256: 'wanted' }),
    started: () => put(db, 'hq_blobs', { campaign: 'e', edition: 1, sha256: 'started' }),
  };
  const all = Object.keys(holders).sort();
  const blobs = new BlobsStore(db);
  db.write(() => {
    for (const sha256 of [...all, 'nobody']) put(db, 'blobs', { sha256 });
    put(db, 'bin', { ...of, id: 'c', kind: 'contents' });
    put(db, 'chain_links', of);
    put(db, 'hq_campaigns', { ...of, id: 'e' });
  });
  assert.deepEqual(blobs.unreferenced().sort(), [...all, 'nobody'].sort());
  db.write(() => {
    for (const hold of Object.values(holders)) hold();
  });
  assert.deepEqual(blobs.unreferenced(), ['nobody']);
  db.write(() => assert.deepEqual(blobs.deleteUnreferenced(['shown', 'nobody']), ['nobody']));
  assert.deepEqual([blobs.exists('shown'), blobs.exists('nobody')], [true, false]);
  db.write(() => db.raw.exec("DELETE FROM content WHERE id = 'a'"));
  assert.deepEqual(blobs.unreferenced(), ['shown']);
  db.write(() => assert.deepEqual(blobs.deleteUnreferenced([]), []));
  assert.equal(blobs.exists('shown'), true, 'only what was asked for goes');
});

test('unknown file in the media folder is neither moved nor deleted', async (t) => {
  const { dir, sweeper } = withSweeper(t);
  mkdirSync(join(dir, 'ab'), { recursive: true });
  writeFileSync(join(dir, 'ab', 'README'), 'mine');
  await sweeper.sweep();
  assert.ok(existsSync(join(dir, 'ab', 'README')));
});
