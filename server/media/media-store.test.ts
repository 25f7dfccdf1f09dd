import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../db/open.ts';
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

test('a file goes in by chunks of any size and comes out as it was, under its hash', async (t) => {
  const { dir, media } = newStore(t);
  const bytes = randomBytes(5 * 1024 * 1024 + 17);
  const writer = await media.open(bytes.length);
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 100_003) await writer.write(bytes.subarray(at, at + size));
  const incoming = await writer.finish();
  assert.deepEqual([incoming.sha256, incoming.size], [sha(bytes), bytes.length]);
  (await media.keep(incoming))();
  assert.deepEqual(filesIn(dir), [sha(bytes)]);
  assert.deepEqual(readFileSync(media.pathOf(sha(bytes))), bytes);
});

test('the same bytes are stored once', async (t) => {
  const { dir, media } = newStore(t);
  const one = await media.put(Buffer.from('same'));
  const two = await media.put(Buffer.from('same'));
  assert.equal(one.sha256, two.sha256);
  assert.equal(filesIn(dir).length, 1);
});

test('an aborted or discarded file leaves nothing', async (t) => {
  const { dir, media } = newStore(t);
  const aborted = await media.open();
  await aborted.write(randomBytes(3_000_000));
  await aborted.abort();
  const finished = await media.open();
  await finished.write(Buffer.from('abc'));
  await media.discard(await finished.finish());
  assert.deepEqual(filesIn(dir), []);
});

test('what cannot fit on the disk is refused before it is uploaded: 507', async (t) => {
  const { media } = newStore(t);
  await assert.rejects(media.open(Number.MAX_SAFE_INTEGER), { status: 507, message: /disk is full/ });
});

test('half-written files of a crashed process go when the next one starts', (t) => {
  const { dir, media } = newStore(t);
  writeFileSync(join(dir, 'tmp', 'left-over'), 'half');
  media.start();
  assert.deepEqual(filesIn(dir), []);
});

test('a path is made of a hash only', (t) => {
  const { media } = newStore(t);
  for (const name of ['', '../../etc/passwd', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(63)}/`, `${'a'.repeat(64)}/../x`]) assert.throws(() => media.pathOf(name));
});

const withSweeper = (t: TestContext) => {
  const { dir, media } = newStore(t);
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  const errors: unknown[] = [];
  const sweeper = new MediaSweeper({ db, store: new BlobsStore(db), media, onError: (error) => errors.push(error) });
  t.after(() => sweeper.stop());
  const addRow = (sha256: string) => db.write(() => db.raw.prepare('INSERT INTO blobs (sha256, size, created_at) VALUES (?, 1, 0)').run(sha256));
  const rows = () => db.raw.prepare('SELECT count(*) FROM blobs').pluck().get();
  return { dir, media, sweeper, addRow, rows, errors };
};

test('the sweep removes files without a row', async (t) => {
  const { dir, media, sweeper, errors } = withSweeper(t);
  const { release } = await media.put(Buffer.from('orphan'));
  release();
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), errors], [[], []]);
});

test('the sweep spares a file that is just being stored', async (t) => {
  const { dir, media, sweeper } = withSweeper(t);
  const { release } = await media.put(Buffer.from('new'));
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 1);
  release();
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 0);
});

test('a file that nobody refers to any more survives one sweep and goes with the next', async (t) => {
  const { dir, media, sweeper, addRow, rows } = withSweeper(t);
  const { sha256, release } = await media.put(Buffer.from('deleted content'));
  addRow(sha256);
  release();
  await sweeper.sweep();
  assert.equal(filesIn(dir).length, 1);
  await sweeper.sweep();
  assert.deepEqual([filesIn(dir), rows()], [[], 0]);
});

test('at the start what nobody refers to goes at once', async (t) => {
  const { dir, media, sweeper, addRow } = withSweeper(t);
  const { sha256, release } = await media.put(Buffer.from('left by a crash'));
  addRow(sha256);
  release();
  sweeper.start();
  await sweeper.sweep();
  assert.deepEqual(filesIn(dir), []);
});

test('a foreign file in the folder is left alone', async (t) => {
  const { dir, sweeper } = withSweeper(t);
  mkdirSync(join(dir, 'ab'), { recursive: true });
  writeFileSync(join(dir, 'ab', 'README'), 'mine');
  await sweeper.sweep();
  assert.ok(existsSync(join(dir, 'ab', 'README')));
});
