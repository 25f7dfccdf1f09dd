import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JournalRow } from '../../shared/protocol/journal-chain.ts';
import type { OpenPlay } from '../core/journal.ts';
import { AssetFiles } from './asset-files.ts';
import { FileDocuments } from './files.ts';
import { SqliteJournal } from './journal.store.ts';
import { FolderInUse, FolderLock } from './lock.store.ts';
import { nodeCrypto } from './node-ports.ts';
import { folderFor } from './testing/folder.ts';

const open = (id: string, started_at = 1_000): OpenPlay => ({
  turn: id,
  id,
  item_id: 1,
  playlist_id: null,
  content_id: 'c',
  widget_id: null,
  zone_id: null,
  content_name: 'photo.jpg',
  boot_id: 'boot',
  uncertainty_ms: 1,
  started_at,
  planned_end: started_at + 10_000,
  alive_at: started_at,
});
const row = (seq: number, more: Partial<JournalRow> = {}): JournalRow => {
  const { turn: _t, planned_end: _p, alive_at: _a, ...kept } = open(`play-${seq}`);
  return { ...kept, seq, prev: 'p', hash: `hash-${seq}`, ended_at: seq * 1_000, completed: true, ...more };
};

test('a document is readable by its owner only, replaced whole, and set aside when damaged', async (t) => {
  const folder = join(folderFor(t), 'state');
  const documents = new FileDocuments(folder);
  await documents.start();
  await Promise.all([documents.write('a', '1'), documents.write('a', '2'), documents.write('b', '3')]);
  assert.equal(await documents.read('a'), '2');
  assert.equal(await documents.read('missing'), undefined);
  assert.deepEqual((await documents.list()).sort(), ['a', 'b']);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'a.json')).mode & 0o777, 0o600);
  await documents.setAside('a');
  assert.equal(readFileSync(join(folder, 'a.json.damaged'), 'utf8'), '2');
  assert.deepEqual(await documents.list(), ['b']);
});

test('an asset is written under another name, continued after a restart, and named only when its hash is right', async (t) => {
  const folder = folderFor(t);
  const bytes = Buffer.from('0123456789'.repeat(1_000));
  const sha256 = nodeCrypto.sha256(bytes);
  const first = new AssetFiles(folder);
  await first.start();
  const writer = await first.open(sha256, { at: 0, etag: '"e"' });
  await writer.write(bytes.subarray(0, 4_000));
  await writer.suspend();
  assert.deepEqual(await first.list(), []);

  const second = new AssetFiles(folder);
  assert.deepEqual(await second.partial(sha256), { bytes: 4_000, etag: '"e"' });
  const rest = await second.open(sha256, { at: 4_000, etag: '"e"' });
  await rest.write(bytes.subarray(4_000));
  assert.equal(await rest.finish(), true);
  assert.deepEqual(
    (await second.list()).map((held) => [held.sha256, held.size]),
    [[sha256, bytes.length]],
  );
  assert.deepEqual(readdirSync(folder), [sha256]);
  assert.equal(await second.verify(sha256), true);
  writeFileSync(join(folder, sha256), Buffer.from('rot'));
  assert.equal(await second.verify(sha256), false);
});

test('an asset with wrong bytes leaves nothing behind', async (t) => {
  const folder = folderFor(t);
  const files = new AssetFiles(folder);
  const writer = await files.open('a'.repeat(64), { at: 0, etag: null });
  await writer.write(Buffer.from('other'));
  assert.equal(await writer.finish(), false);
  assert.deepEqual(readdirSync(folder), []);
});

test('nothing but a digest becomes a path', () => {
  const files = new AssetFiles('/data');
  for (const name of ['../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`, '']) assert.throws(() => files.path(name));
});

test('the journal keeps head, rows and open plays over a restart, and the head over a delivery', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  const first = new SqliteJournal(path);
  first.start();
  await first.saveOpen(open('play-1'));
  await first.saveOpen(open('play-2'));
  await first.beat(6_000);
  await first.append(row(1));
  await first.append(row(2, { id: 'other' }));
  await first.forget(2);
  first.stop();

  const second = new SqliteJournal(path);
  second.start();
  t.after(() => second.stop());
  assert.deepEqual(await second.head(), { seq: 2, hash: 'hash-2' });
  assert.deepEqual(await second.page(10), []);
  assert.deepEqual(
    (await second.openPlays()).map(({ id, alive_at }) => [id, alive_at]),
    [['play-2', 6_000]],
  );
});

test('the journal gives up its oldest rows by age and by size, and rewrites rows with the head', async (t) => {
  const journal = new SqliteJournal(join(folderFor(t), 'journal.db'));
  journal.start();
  t.after(() => journal.stop());
  for (let seq = 1; seq <= 20; seq++) await journal.append(row(seq));
  assert.equal(await journal.trim({ endedBefore: 5_000, maxBytes: 1e9 }), 4);
  assert.equal(await journal.trim({ endedBefore: Number.NEGATIVE_INFINITY, maxBytes: 100 }), 2);
  assert.equal((await journal.page(1))[0]?.seq, 7);
  await journal.rewrite([row(20, { hash: 'new', started_at: 5 })]);
  assert.deepEqual(await journal.head(), { seq: 20, hash: 'new' });
  assert.equal((await journal.ofBoot('boot')).at(-1)?.started_at, 5);
  assert.deepEqual(await journal.ofBoot('another'), []);
});

test('a second player with the same data folder is refused until the first one stops', (t) => {
  const path = join(folderFor(t), 'lock.db');
  const [first, second] = [new FolderLock(path), new FolderLock(path)];
  first.start();
  assert.throws(() => second.start(), FolderInUse);
  first.stop();
  second.start();
  second.stop();
});

test('signatures verify with the public key that the chain begins at', async () => {
  const key = nodeCrypto.newSigningKey() ?? '';
  const { createPublicKey, verify } = await import('node:crypto');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(nodeCrypto.publicKey(key), 'hex')]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  assert.equal(verify(null, Buffer.from('text'), publicKey, Buffer.from(nodeCrypto.sign(key, 'text'), 'hex')), true);
});
