import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { MemoryLog } from '../../core/testing/fakes.ts';
import { nodeCrypto } from '../node-ports.ts';
import { folderFor } from '../testing/folder.ts';
import { journalRow, openPlay } from '../testing/plays.ts';
import { AssetFiles } from './asset-files.ts';
import { FileDocuments } from './files.ts';
import { SqliteJournal } from './journal.store.ts';
import { FolderInUse, FolderLock } from './lock.store.ts';
import { SteadyJournal } from './steady-journal.ts';

test('document can be read by its owner only, is replaced in one step, and is set aside when damaged', async (t) => {
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

test('asset is written under a temporary name, resumed after a restart, and renamed when its hash is right', async (t) => {
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

test('asset whose bytes are wrong is removed completely', async (t) => {
  const folder = folderFor(t);
  const files = new AssetFiles(folder);
  const writer = await files.open('a'.repeat(64), { at: 0, etag: null });
  await writer.write(Buffer.from('other'));
  assert.equal(await writer.finish(), false);
  assert.deepEqual(readdirSync(folder), []);
});

test('path of an asset is made only from a digest', () => {
  const files = new AssetFiles('/data');
  for (const name of ['../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`, ''])
    assert.throws(() => files.path(name));
});

test('journal on disk has its open plays after a restart, and its last row even if it was delivered', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  const first = new SqliteJournal(path);
  first.start();
  await first.saveOpen(openPlay('play-1'));
  await first.saveOpen(openPlay('play-2'));
  await first.beat(6_000);
  await first.append(journalRow(1));
  await first.append(journalRow(2, { id: 'other' }));
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

test('journal drops the oldest rows by age and size, and corrects rows with the stored last row', async (t) => {
  const journal = new SqliteJournal(join(folderFor(t), 'journal.db'));
  journal.start();
  t.after(() => journal.stop());
  for (let seq = 1; seq <= 20; seq++) await journal.append(journalRow(seq));
  assert.equal(await journal.trim({ endedBefore: 5_000, maxBytes: 1e9 }), 4);
  assert.equal(await journal.trim({ endedBefore: Number.NEGATIVE_INFINITY, maxBytes: 100 }), 2);
  assert.equal((await journal.page(1))[0]?.seq, 7);
  await journal.rewrite([journalRow(20, { hash: 'new', started_at: 5 })]);
  assert.deepEqual(await journal.head(), { seq: 20, hash: 'new' });
  assert.equal((await journal.ofBoot('boot')).at(-1)?.started_at, 5);
  assert.deepEqual(await journal.ofBoot('another'), []);
});

/** Opens a journal that tolerates damage of its file, with a clock that the test sets. */
function steady(t: TestContext, path: string) {
  const log = new MemoryLog();
  const clock = { now: 0 };
  const journal = new SteadyJournal({ path, log, mono: () => clock.now });
  journal.start();
  t.after(() => journal.stop());
  return { journal, log, clock };
}
async function filled(path: string, rows: number): Promise<void> {
  const journal = new SqliteJournal(path);
  journal.start();
  await journal.rewrite(Array.from({ length: rows }, (_, i) => journalRow(i + 1)));
  await journal.saveOpen(openPlay('open'));
  journal.stop();
}
/** Changes the database file through another connection, as a memory card does that loses writes. */
function spoil(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

for (const [what, damage] of [
  ['is garbage', (path: string) => writeFileSync(path, Buffer.alloc(20_000, 'x'))],
  ['is cut in the middle', (path: string) => truncateSync(path, 4_096 * Math.floor(statSync(path).size / 8_192))],
] as const)
  test(`journal that ${what} is set aside, and a new journal begins`, async (t) => {
    const folder = folderFor(t);
    const path = join(folder, 'journal.db');
    await filled(path, 100);
    damage(path);
    const damaged = readFileSync(path);
    const { journal, log } = steady(t, path);
    assert.equal(await journal.head(), undefined);
    assert.deepEqual(await journal.openPlays(), []);
    await journal.append(journalRow(1));
    assert.deepEqual(
      (await journal.page(10)).map(({ seq }) => seq),
      [1],
    );
    assert.deepEqual(readFileSync(`${path}.damaged-1`), damaged);
    assert.equal(log.lines.length, 1);
    assert.match(
      log.lines[0] ?? '',
      /plays not yet reported to the server may be lost. The file is kept as journal.db.damaged-1/,
    );
  });

test('journal whose damage is found at a write is replaced, and the new journal continues with the next number', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  await filled(path, 2_000);
  const bytes = readFileSync(path);
  // Damages all pages except the schema, the two small tables and their index, which are the first pages.
  writeFileSync(path, bytes.fill('x', 4_096 * 8));
  const { journal } = steady(t, path);
  assert.deepEqual(await journal.head(), { seq: 2_000, hash: 'hash-2000' });
  assert.equal((await journal.openPlays()).length, 1);
  await journal.append(journalRow(2_001));
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [2_001],
  );
});

test('only the two newest damaged journals stay on disk', async (t) => {
  const folder = folderFor(t);
  const path = join(folder, 'journal.db');
  for (let round = 1; round <= 4; round++) {
    writeFileSync(path, `no database, round ${round} `.repeat(100));
    await steady(t, path).journal.stop();
  }
  assert.deepEqual(readdirSync(folder).sort(), ['journal.db', 'journal.db.damaged-3', 'journal.db.damaged-4']);
  assert.match(readFileSync(`${path}.damaged-4`, 'utf8'), /round 4/);
});

test('damaged rows of the journal are skipped and logged and block no delivery', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  await filled(path, 4);
  const half = `'{"id":"play'`;
  spoil(
    path,
    `UPDATE plays SET row = ${half} WHERE seq IN (1, 4); UPDATE marks SET value = ${half}; INSERT INTO marks VALUES ('alive', 'x'); INSERT INTO open_plays VALUES ('half', ${half})`,
  );
  const { journal, log } = steady(t, path);
  assert.equal((await journal.head())?.hash, 'hash-3', 'the newest that can be read');
  assert.deepEqual(
    (await journal.openPlays()).map(({ id }) => id),
    ['open'],
  );
  assert.deepEqual(
    (await journal.page(1)).map(({ seq }) => seq),
    [2],
    'not nothing, which would mean that all is delivered',
  );
  assert.deepEqual(
    (await journal.ofBoot('boot')).map(({ seq }) => seq),
    [2, 3],
  );
  assert.deepEqual(
    log.lines.map((line) => line.trim()),
    [
      'the journal has lost its place: it goes on after the newest play that it still has',
      'play 4 is damaged in the journal: it will not be reported',
      'play 1 is damaged in the journal: it will not be reported',
      'a play that was on screen when the player last ended is damaged in the journal: it will not be reported',
    ],
  );
});

test('journal that cannot be opened rejects plays, retries after a minute, and stores each play once', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  mkdirSync(path);
  const { journal, log, clock } = steady(t, path);
  assert.equal(await journal.head(), undefined);
  assert.deepEqual(await journal.openPlays(), []);
  await assert.rejects(journal.append(journalRow(1)));
  rmSync(path, { recursive: true });
  clock.now = 59_999;
  await assert.rejects(journal.append(journalRow(1)));
  clock.now = 60_000;
  await journal.append(journalRow(1));
  await journal.append(journalRow(1));
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [1],
  );
  assert.match(
    log.lines.join('\n'),
    /^the journal of plays cannot be opened.*\nthe journal of plays can be opened again$/,
  );
});

test('journal that becomes readable after numbering restarted is set aside, so that no number repeats', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  await filled(path, 3);
  copyFileSync(path, `${path}.before`);
  rmSync(path);
  mkdirSync(path);
  const { journal, clock } = steady(t, path);
  assert.equal(await journal.head(), undefined);
  rmSync(path, { recursive: true });
  copyFileSync(`${path}.before`, path);
  clock.now = 60_000;
  await journal.append(journalRow(1, { hash: 'of this run' }));
  assert.deepEqual(await journal.head(), { seq: 1, hash: 'of this run' });
  assert.deepEqual(readFileSync(`${path}.damaged-1`), readFileSync(`${path}.before`));
});

test('journal that is open in another tool is still used', async (t) => {
  const path = join(folderFor(t), 'journal.db');
  await filled(path, 2);
  const other = new Database(path);
  t.after(() => other.close());
  other.exec('BEGIN; SELECT * FROM plays');
  const { journal, log } = steady(t, path);
  assert.equal((await journal.head())?.seq, 2);
  await journal.append(journalRow(3));
  assert.deepEqual(log.lines, []);
});

test('damaged lock file is emptied, and still refuses a second player', (t) => {
  const path = join(folderFor(t), 'lock.db');
  writeFileSync(path, Buffer.alloc(20_000, 'x'));
  const log = new MemoryLog();
  const [first, second] = [new FolderLock(path, log), new FolderLock(path, log)];
  first.start();
  assert.throws(() => second.start(), FolderInUse);
  first.stop();
  assert.deepEqual(log.lines, []);
});

test('player without a working lock file logs a warning and runs', (t) => {
  const path = join(folderFor(t), 'lock.db');
  mkdirSync(path);
  const log = new MemoryLog();
  const lock = new FolderLock(path, log);
  lock.start();
  lock.stop();
  assert.match(log.lines.join(), /lock.db could not be locked: take care/);
});

test('second player with the same data folder is refused until the first one stops', (t) => {
  const path = join(folderFor(t), 'lock.db');
  const [first, second] = [new FolderLock(path, new MemoryLog()), new FolderLock(path, new MemoryLog())];
  first.start();
  assert.throws(() => second.start(), FolderInUse);
  first.stop();
  second.start();
  second.stop();
});

test('signature of a journal verifies with the public key with which its hash chain starts', async () => {
  const key = nodeCrypto.newSigningKey() ?? '';
  const { createPublicKey, verify } = await import('node:crypto');
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(nodeCrypto.publicKey(key), 'hex'),
  ]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  assert.equal(verify(null, Buffer.from('text'), publicKey, Buffer.from(nodeCrypto.sign(key, 'text'), 'hex')), true);
});
