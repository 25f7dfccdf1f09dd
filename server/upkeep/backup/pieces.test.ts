/** Tests that backups of a large store share pieces of the database, and that each restores the complete database. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { firstUser, type Site, startSite, tempFolder } from '../../../test/harness.ts';
import { checkArchive, readArchive, readManifest, readPieces, walkArchive, writeEntry } from './archive.ts';
import { prunePieces, rotate, summariesOf } from './backup-files.ts';
import { makeBackup } from './make-backup.ts';
import { PIECES_FROM, type PlacedPieces, piecesOf, planPieces, writePieces } from './pieces.ts';
import { checkPool, filesIn } from './pool.ts';
import { restoreBackup } from './restore.ts';
import { savedFile } from './saved-file.ts';
import { tryBackup } from './try-backup.ts';

const MB = 1024 * 1024;

/**
 * Data folder of a stopped server. The function `edit` changes its database; the function `backup` makes the next daily
 * backup.
 */
const store = async (t: TestContext) => {
  const data = tempFolder(t);
  let stop = async () => {};
  const site: Site = await startSite({ after: (end) => void (stop = end as typeof stop) }, { data });
  await firstUser(site);
  await stop();
  const folder = join(data, 'backups');
  let day = 0;
  const edit = (work: (db: BetterSqlite3.Database) => void) => {
    const db = new BetterSqlite3(join(data, 'vitrine.db'));
    db.transaction(work)(db);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  };
  // Stores the filler data in the settings, because a backup with an additional table would be refused.
  const grow = (bytes: number) =>
    edit((db) =>
      db
        .prepare("INSERT INTO settings (key, value) VALUES ('filling' || hex(randomblob(8)), hex(randomblob(?)))")
        .run(bytes / 2),
    );
  const backup = (more: { media?: 'inside'; piecesFrom?: number } = {}) => {
    day++;
    const target = join(folder, `vitrine-2026-01-${String(day).padStart(2, '0')}-000000.vitrine`);
    return makeBackup({ data, target, media: 'beside', piecesFrom: 1, now: day, ...more });
  };
  const packs = () => filesIn(piecesOf(folder));
  return { data, folder, edit, grow, backup, packs };
};

const bytesOf = (files: readonly { readonly path: string }[]): number =>
  files.reduce((sum, { path }) => sum + statSync(path).size, 0);
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
/** Returns the hash of all pages without the file header, which contains the journal mode. */
const pagesOf = (file: string): string => createHash('sha256').update(readFileSync(file).subarray(100)).digest('hex');
/** Extracts the database of a backup. */
const databaseOf = (t: TestContext, file: string): string => {
  const path = join(tempFolder(t), 'vitrine.db');
  walkArchive(file, (part) => part.kind === 'database' && writeEntry(part.entry, path));
  return path;
};
const spoil = (path: string): void => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
};
/** Reads the backup as a download does, starting at a given byte. */
const downloaded = (file: string, from = 0): Buffer => {
  const saved = savedFile(file)!;
  const pieces: Buffer[] = [];
  for (let at = from; at < saved.size; at += pieces.at(-1)!.length) pieces.push(Buffer.from(saved.at(at)));
  return Buffer.concat(pieces);
};

/** Returns the files in a folder that this process has open; empty if the operating system cannot list them. */
const openIn = (folder: string): string[] => {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(folder));
};

test('backup writes only the changes of the database since the previous backup, and each backup is complete', async (t) => {
  const { data, grow, backup, packs, folder } = await store(t);
  grow(6 * MB);
  const first = await backup();
  const before = bytesOf(packs());
  assert.ok(statSync(first.file).size < MB, 'the file itself is small');
  assert.ok(first.bytes > 6 * MB, 'it counts with its database');
  grow(MB);
  const second = await backup();
  assert.ok(bytesOf(packs()) - before < 2 * MB, `${bytesOf(packs()) - before} more bytes`);
  const same = await backup();
  assert.equal(packs().length, 2, 'where nothing changed nothing is written');
  assert.deepEqual(
    [first, second, same].map(({ file }) => checkArchive(file).database.size > 6 * MB),
    [true, true, true],
  );
  assert.equal(hashOf(databaseOf(t, second.file)), second.manifest.database.sha256);
  assert.equal(pagesOf(databaseOf(t, same.file)), pagesOf(join(data, 'vitrine.db')));
  assert.equal(tryBackup(first.file, data).mediaMissing, 0);
  assert.deepEqual(
    summariesOf(folder).map(({ damage, bytes }) => [damage, bytes > 6 * MB]),
    [null, null, null].map((none) => [none, true]),
  );

  assert.deepEqual(openIn(folder), []);
  assert.equal(PIECES_FROM, 64 * MB);

  const target = join(tempFolder(t), 'data');
  restoreBackup({ file: first.file, data: target, now: 1 });
  const db = new BetterSqlite3(join(target, 'vitrine.db'), { readonly: true });
  assert.equal(db.prepare("SELECT sum(length(value)) FROM settings WHERE key LIKE 'filling%'").pluck().get(), 6 * MB);
  db.close();
});

test('small database, or the database of a complete backup, is stored inside the backup file', async (t) => {
  const { backup, packs, grow } = await store(t);
  grow(MB);
  const [complete, small] = [await backup({ media: 'inside' }), await backup({ piecesFrom: 64 * MB })];
  for (const { file, manifest } of [complete, small]) {
    assert.deepEqual([manifest.vitrine_backup, manifest.database.pieces], [1, undefined]);
    assert.equal(hashOf(databaseOf(t, file)), manifest.database.sha256);
  }
  assert.deepEqual(packs(), []);
});

test('property: after any edits and deletions of backups, remaining backups are intact and every pack file is used', async (t) => {
  const { edit, grow, backup, packs, folder, data } = await store(t);
  const hashes = new Map<string, string>();
  const days = fc.record({
    grown: fc.option(fc.nat(2 * MB)),
    deleted: fc.option(fc.nat(2)),
    isRewritten: fc.boolean(),
    gone: fc.option(fc.nat(1)),
  });
  for (const [day, { grown, deleted, isRewritten, gone }] of fc.sample(days, { seed: 7, numRuns: 10 }).entries()) {
    if (grown !== null) grow(grown);
    if (deleted !== null)
      edit((db) => db.prepare("DELETE FROM settings WHERE key LIKE 'filling%' AND rowid % 3 = ?").run(deleted));
    if (isRewritten)
      edit((db) =>
        db
          .prepare(
            "UPDATE settings SET value = hex(randomblob(length(value) / 2)) WHERE key LIKE 'filling%' AND rowid % 4 = 1",
          )
          .run(),
      );
    const { file, manifest } = await backup();
    hashes.set(file, manifest.database.sha256);
    assert.equal(pagesOf(databaseOf(t, file)), pagesOf(join(data, 'vitrine.db')));
    const lost = gone === null ? undefined : summariesOf(folder)[gone]?.name;
    if (lost) rmSync(join(folder, lost));
    rotate(folder, { keep: 4, mayPrune: true }, day + 1, []);
    const left = summariesOf(folder).map(({ name }) => join(folder, name));
    const named = new Set(
      left.flatMap((path) => readManifest(path).database.pieces!.packs.map(({ sha256 }) => sha256)),
    );
    assert.deepEqual(new Set(packs().map(({ name }) => name)), named);
    for (const path of left) assert.equal(checkArchive(path).database.sha256, hashes.get(path));
    // Checks the total size, because more than half of each pack file was in use when a backup referred to it.
    const databases = left.map((path) => readManifest(path).database.size);
    assert.ok(bytesOf(packs()) <= 2 * databases.reduce((sum, size) => sum + size, 0) + MB);
  }
});

test('pack file is reused if at least half of it is in use, and a backup has at most 256 pack files', async (t) => {
  const folder = tempFolder(t);
  const piece = (n: number) => Buffer.alloc(64 * 1024, `piece ${n} `);
  const database = join(folder, 'vitrine.db');
  const write = (pieces: readonly number[]) => writeFileSync(database, Buffer.concat(pieces.map(piece)));
  const backup = (before?: PlacedPieces) =>
    writePieces(folder, database, planPieces(folder, database, before), () => {});
  const [few, many] = [[0, 1, 2, 3], Array.from({ length: 300 }, (_, i) => 10 + i)];
  write(few);
  const first = backup();
  const toWrite = (pieces: readonly number[]) => {
    write(pieces);
    return planPieces(folder, database, first).toWrite / (64 * 1024);
  };
  assert.deepEqual([toWrite(few), toWrite([0, 1, 8, 9]), toWrite([0, 7, 8, 9])], [0, 2, 4]);
  assert.equal(toWrite([0, 1, 9, 9, 9]), 1, 'what is there twice is written once');

  // Puts each piece into its own pack file, as if each had been backed up on another day.
  const alone = many.map((n) => {
    write([n]);
    return backup();
  });
  write([...few, ...many]);
  const places = [first, ...alone].map((one, pack) => {
    const own = Buffer.from(one.places);
    for (let at = 32; at < own.length; at += 38) own.writeUInt16BE(pack, at);
    return own;
  });
  const before = { ...first, packs: [first, ...alone].flatMap(({ packs }) => packs), places: Buffer.concat(places) };
  const { packs } = backup(before);
  assert.equal(packs.length, 256);
  assert.ok(
    packs.some(({ sha256 }) => sha256 === first.packs[0]!.sha256),
    'the largest is gone on with',
  );
});

test('backup fails and leaves no file when the database changes while its pieces are written', async (t) => {
  const folder = tempFolder(t);
  const database = join(folder, 'vitrine.db');
  writeFileSync(database, Buffer.alloc(200_000, 'a'));
  const plan = planPieces(folder, database, undefined);
  writeFileSync(database, Buffer.alloc(200_000, 'ab'));
  assert.throws(
    () => writePieces(folder, database, plan, () => assert.fail('nothing is added')),
    /different content each time/,
  );
  assert.deepEqual(filesIn(piecesOf(folder)), []);
  assert.deepEqual(openIn(folder), []);
});

test('pack file of which less than half is in use is not reused', async (t) => {
  const { grow, edit, backup, packs, folder } = await store(t);
  grow(4 * MB);
  const first = await backup();
  const [big] = packs();
  edit((db) =>
    db.prepare("UPDATE settings SET value = hex(randomblob(length(value) / 2)) WHERE key LIKE 'filling%'").run(),
  );
  const second = await backup();
  assert.deepEqual(
    readManifest(second.file).database.pieces!.packs.map(({ sha256 }) => sha256 === big!.name),
    [false],
  );
  rmSync(first.file);
  prunePieces(folder);
  assert.equal(existsSync(big!.path), false);
  checkArchive(second.file);
});

test('a download is one self-contained file, identical from any start offset', async (t) => {
  const { data, grow, backup } = await store(t);
  grow(3 * MB + 12_345);
  const { file } = await backup();
  const whole = downloaded(file);
  assert.equal(whole.length, savedFile(file)!.size);
  for (const from of [1, 511, 512, 513, 65_536, MB + 511, MB + 512, whole.length - 2000, whole.length - 1])
    assert.ok(downloaded(file, from).equals(whole.subarray(from)), `from ${from}`);
  assert.equal(savedFile(file)!.at(whole.length).length, 0);

  const taken = join(tempFolder(t), 'taken.vitrine');
  writeFileSync(taken, whole);
  const { manifest } = readArchive(taken);
  assert.deepEqual([manifest.vitrine_backup, manifest.database.pieces], [1, undefined]);
  assert.equal(hashOf(databaseOf(t, taken)), readManifest(file).database.sha256);
  restoreBackup({ file: taken, data: join(tempFolder(t), 'elsewhere'), now: 1 });
  assert.equal(tryBackup(taken, data).version, manifest.version);
});

test('backup file without its pieces reports which file is missing, and restores nothing', async (t) => {
  const { data, grow, backup, packs, folder } = await store(t);
  grow(MB);
  const { file } = await backup();
  grow(MB);
  await backup();
  const alone = join(tempFolder(t), 'alone.vitrine');
  copyFileSync(file, alone);
  const says = /"database" next to it, where 1 file is missing\. Copy the whole folder/;
  const before = hashOf(join(data, 'vitrine.db'));
  assert.throws(() => restoreBackup({ file: alone, data, now: 1 }), says);
  assert.throws(() => tryBackup(alone, data), says);
  assert.equal(hashOf(join(data, 'vitrine.db')), before);
  assert.match(summariesOf(dirname(alone))[0]!.damage!, says);

  // The incomplete backup does not count towards the number to keep, so no older backup is deleted.
  const [oldest] = readManifest(file).database.pieces!.packs;
  for (const { name, path } of packs()) if (name !== oldest!.sha256) rmSync(path);
  const [newest, older] = summariesOf(folder);
  assert.deepEqual([newest!.damage === null, older!.damage], [false, null]);
  assert.deepEqual(rotate(folder, { keep: 1, mayPrune: true }, 99, []), [newest!.name]);
  checkArchive(file);
});

test('damaged pack file is detected, affects only the backups that need it, and is not reused', async (t) => {
  const { data, grow, backup, packs, folder } = await store(t);
  grow(4 * MB);
  const first = await backup();
  spoil(packs()[0]!.path);
  assert.throws(() => checkArchive(first.file), /The database in .* is damaged: .* has other content/);
  assert.throws(() => restoreBackup({ file: first.file, data, now: 1 }), /is damaged/);
  assert.deepEqual(checkPool(folder, 0).damaged, [packs()[0]!.name]);
  assert.deepEqual(openIn(folder), []);
  assert.throws(() => downloaded(first.file), /is damaged/);
  const second = await backup();
  checkArchive(second.file);
  assert.equal(pagesOf(databaseOf(t, second.file)), pagesOf(join(data, 'vitrine.db')));
});

test('backup with invalid locations of pieces is refused as damaged, and nothing is changed', async (t) => {
  const { grow, backup } = await store(t);
  grow(MB);
  const { file } = await backup();
  const bytes = readFileSync(file);
  const places = readPieces(file)!.places;
  const at = bytes.indexOf(places.subarray(0, 64));
  for (const [offset, what] of [
    [32, 'a pack that there is not'],
    [34, 'a place behind the end of a pack'],
    [0, 'another hash'],
  ] as const) {
    const copy = Buffer.from(bytes);
    copy[at + offset]! ^= 0x40;
    writeFileSync(file, copy);
    assert.throws(() => checkArchive(file), /is damaged/, what);
  }
});

test('pack files stay while another process makes a backup, and leftovers of a killed process are removed', async (t) => {
  const { grow, backup, packs, folder } = await store(t);
  grow(MB);
  const { file } = await backup();
  const name = packs()[0]!.name;
  rmSync(file);
  const part = join(folder, `vitrine-2026-02-01-000000.vitrine.${process.ppid}.part`);
  writeFileSync(part, '');
  prunePieces(folder);
  assert.equal(packs()[0]!.name, name);
  rmSync(part);

  const left = join(piecesOf(folder), '00', '00.999999999.part');
  mkdirSync(dirname(left), { recursive: true });
  writeFileSync(left, 'half');
  prunePieces(folder);
  await backup();
  assert.equal(existsSync(left), false);
  assert.deepEqual(
    readdirSync(folder).filter((each) => /part|work/.test(each)),
    [],
  );
});
