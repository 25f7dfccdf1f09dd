/**
 * A backup and a restore that meet a full disk, a failing disk or a power cut at any step. Older backups stay whole.
 * The store is the old store, or the next start finishes the restore. The next attempt succeeds and leaves no stray
 * files.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { checkArchive } from '../../server/upkeep/backup/archive.ts';
import { rotate, summariesOf } from '../../server/upkeep/backup/backup-files.ts';
import { makeBackup } from '../../server/upkeep/backup/make-backup.ts';
import { notWhole } from '../../server/upkeep/backup/pool.ts';
import { finishRestore, restoreBackup } from '../../server/upkeep/backup/restore.ts';
import { tidy } from '../../server/upkeep/backup/unfinished.ts';
import { lastRestoreOf, orderRestore, restoreAsOrdered } from '../../server/upkeep/restore/restore-order.ts';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { apart, ROOT, runScript, stoppedStore, vitrine } from './data-server.ts';
import { createFaults, type DiskFault, whyNoFaults } from './hooks/faults.ts';
import { smallDisk, whyNoMounts } from './hooks/small-disk.ts';

const FAULTS: readonly DiskFault[] = ['enospc', 'eio', 'kill'];
/**
 * Only every seventh step is tried, because each step costs a process. Seven is prime, so all kinds of steps are
 * reached.
 */
const EVERY = 7;

/** Creates the data folder of a stopped server with some media. */
const store = (t: TestContext) => stoppedStore(t, ['a', 'b', 'c'], tempFolder(t));

const namesIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);
const leftovers = (folder: string): string[] =>
  namesIn(folder).filter((name) => /\.part$|\.work-|\.restore-/.test(name));

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Returns the content of a database without the epochs of its plays: each restore begins a new epoch. */
const contentOf = (file: string): string => {
  const db = new BetterSqlite3(file, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      .pluck()
      .all() as string[];
    const rows = tables
      .filter((name) => name !== 'play_epochs')
      .map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]);
    return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  } finally {
    db.close();
  }
};
/** Returns the content of the database in a backup. */
const contentIn = (t: TestContext, file: string): string => {
  const data = tempFolder(t);
  restoreBackup({ file, data, now: 1 });
  return contentOf(join(data, 'vitrine.db'));
};

const assertWhole = (file: string, folder: string): void =>
  assert.deepEqual(notWhole(folder, checkArchive(file).media), { missing: [], damaged: [] });

for (const fault of FAULTS) {
  test(`backup with a fault (${fault}) at any step harms no older backup, and the next backup succeeds and cleans up`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const data = await store(t);
    const usb = tempFolder(t);
    const faults = createFaults(t);
    const older = await makeBackup({
      data,
      target: join(usb, 'vitrine-2026-01-01-000000.vitrine'),
      media: 'beside',
      piecesFrom: 1,
      now: 1,
    });
    // Removes one media file from the backup, so that the file must be copied. A hard link would use no space on the
    // disk.
    const pool = join(usb, 'media');
    let tried = 0;
    for (let step = 1; ; step += EVERY) {
      const target = join(usb, `vitrine-2026-01-02-${String(step).padStart(6, '0')}.vitrine`);
      // The backup stores the database in pieces at odd steps, and inside the backup file at even steps.
      const order = { data, target, media: 'beside', ...(step % 2 === 1 && { piecesFrom: 1 }) } as const;
      const fresh = namesIn(pool).filter((name) => /[0-9a-f]{64}$/.test(name))[step % 3];
      rmSync(join(pool, fresh!));
      faults.disk(fault, usb, step);
      const code = await apart('server/upkeep/backup/make-backup.ts', 'makeBackup', { ...order, now: 2 }, faults.env);
      faults.mend();
      // A failed backup may already have its final name, if only the sync of its folder failed. Then the backup must be
      // whole.
      if (code === 0) assert.ok(existsSync(target), `step ${step}`);
      else if (existsSync(target)) assertWhole(target, usb);
      if (fault !== 'kill' && code !== 0) assert.equal(code, 1);
      checkArchive(older.file);
      // All media files of the backups are whole.
      assert.deepEqual(notWhole(usb, older.manifest.media).damaged, [], `step ${step}`);
      for (const { damage } of summariesOf(usb)) assert.equal(damage, null, `step ${step}`);
      if (code === 0) break;
      tried++;
      rmSync(target, { force: true });
      const next = await makeBackup({ ...order, now: 3 });
      assertWhole(next.file, usb);
      assert.deepEqual(leftovers(usb), [], `step ${step}`);
      assert.deepEqual(leftovers(join(data, 'backups')), [], `step ${step}`);
      rmSync(target);
    }
    assert.ok(tried >= 3, `${tried} steps`);
  });

  test(`import of a backup with a fault (${fault}) at any step leaves a whole listed backup, or nothing`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const data = await store(t);
    const file = join(tempFolder(t), 'a.vitrine');
    await makeBackup({ data, target: file, media: 'inside', now: 1 });
    const faults = createFaults(t);
    const folder = tempFolder(t);
    const name = 'brought-in-2026-01-01-000000.vitrine';
    const given = [{ folder, chosen: false, data }, name, readFileSync(file).length];
    const at = (path: string) => JSON.stringify(new URL(path, `file://${ROOT}/`).href);
    const script = `const { readFileSync } = await import('node:fs');
      const { FileTaken } = await import(${at('server/upkeep/backup/bring-in.ts')});
      const taken = new FileTaken(...${JSON.stringify(given)});
      try {
        const bytes = readFileSync(${JSON.stringify(file)});
        for (let from = 0; from < bytes.length; from += 300000) taken.write(bytes.subarray(from, from + 300000));
        taken.end();
      } catch (error) {
        taken.discard();
        throw error;
      }`;
    let refused = 0;
    for (let step = 1; ; step += 5) {
      for (const prefix of [folder, data]) faults.disk(fault, prefix, step);
      const { code } = await runScript(script, faults.env);
      faults.mend();
      // Runs the clean-up that the server runs before each list of backups.
      tidy(folder);
      const names = namesIn(folder);
      if (code === 0) {
        assert.deepEqual(names, [name]);
        assert.equal(hashOf(join(folder, name)), hashOf(file));
        break;
      }
      // A failed import may already have its final name, if only the sync of its folder failed. Then the file must be
      // whole.
      assert.deepEqual(leftovers(folder), [], `step ${step}`);
      if (names.length > 0) assert.equal(hashOf(join(folder, name)), hashOf(file), `step ${step}`);
      rmSync(join(folder, name), { force: true });
      refused++;
    }
    assert.ok(refused >= 3, `${refused} steps`);
  });

  test(`restore with a fault (${fault}) at any step leaves the old store, or a whole new store after the next start`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const before = await store(t);
    const usb = tempFolder(t);
    const faults = createFaults(t);
    const { file, manifest } = await makeBackup({
      data: before,
      target: join(usb, 'store.vitrine'),
      media: 'beside',
      piecesFrom: 1,
      now: 1,
    });
    const old = hashOf(join(before, 'vitrine.db'));
    const content = contentIn(t, file);
    let tried = 0;
    for (let step = 1; ; step += EVERY) {
      const data = join(tempFolder(t), 'data');
      cpSync(before, data, { recursive: true });
      for (const { sha256 } of manifest.media.slice(0, 2)) rmSync(join(data, 'media', sha256.slice(0, 2), sha256));
      faults.disk(fault, data, step);
      const code = await apart(
        'server/upkeep/backup/restore.ts',
        'restoreBackup',
        { file, data, now: step },
        faults.env,
      );
      faults.mend();
      if (code === 0) break;
      tried++;
      // Finishes the restore as each start of a server does before it opens any file.
      assert.ok(finishRestore(data), `step ${step}`);
      const there = hashOf(join(data, 'vitrine.db'));
      assert.ok(there === old || contentOf(join(data, 'vitrine.db')) === content, `step ${step}`);
      assert.ok(existsSync(join(data, 'keys', 'server.json')), `step ${step}`);
      assert.equal(existsSync(join(data, 'vitrine.db-wal')) && there !== old, false, `step ${step}`);
      const again = restoreBackup({ file, data, now: step + 1 });
      assert.deepEqual([again.media_files, again.media_missing, again.media_damaged], [manifest.media.length, [], []]);
      assert.deepEqual(leftovers(data), [], `step ${step}`);
      assert.equal(existsSync(join(data, 'restore-in-progress')), false);
      assert.ok(existsSync(join(data, 'keys', 'server.json')));
    }
    assert.ok(tried >= 3, `${tried} steps`);
    assertWhole(file, usb);
  });
}

test('next start finishes a restore that was started in the admin window and killed at any step', {
  skip: whyNoFaults,
  timeout: 300_000,
}, async (t) => {
  const before = await store(t);
  const faults = createFaults(t);
  const { file } = await makeBackup({
    data: before,
    target: join(tempFolder(t), 'store.vitrine'),
    media: 'beside',
    now: 1,
  });
  const content = contentIn(t, file);
  let killed = 0;
  for (let step = 2; ; step += 2 * EVERY) {
    const data = join(tempFolder(t), 'data');
    cpSync(before, data, { recursive: true });
    orderRestore(data, { file, at: 1_000 * step, by: 'owner@store.test', safety: 'safety.vitrine' });
    faults.disk('kill', data, step);
    const code = await apart('server/upkeep/restore/restore-order.ts', 'restoreAsOrdered', data, faults.env);
    faults.mend();
    if (code !== 0) killed++;
    restoreAsOrdered(data);
    assert.ok(finishRestore(data), `step ${step}`);
    assert.equal(contentOf(join(data, 'vitrine.db')), content, `step ${step}`);
    assert.ok(existsSync(join(data, 'keys', 'server.json')), `step ${step}`);
    const { backup, at, error, media_missing } = lastRestoreOf(data)!;
    assert.deepEqual([backup, at, error, media_missing], ['store.vitrine', step, null, 0]);
    assert.deepEqual(leftovers(data), [], `step ${step}`);
    assert.equal(existsSync(join(data, 'restore-wanted.json')), false, 'it is done once');
    if (code === 0) break;
  }
  assert.ok(killed >= 3, `${killed} steps`);
});

test('full backup disk is reported with the missing space, keeps its backups, and works again once there is room', {
  skip: whyNoMounts,
  timeout: 120_000,
}, async (t) => {
  const data = await store(t);
  const usb = smallDisk(t, 72);
  const older = await makeBackup({
    data,
    target: join(usb, 'vitrine-2026-01-01-000000.vitrine'),
    media: 'beside',
    now: 1,
  });
  // Files as a killed attempt leaves them.
  const killed = spawn(process.execPath, ['-e', '']);
  await once(killed, 'exit');
  writeFileSync(join(usb, `vitrine-2026-01-02-000000.vitrine.${killed.pid}.part`), Buffer.alloc(8 * 1024 * 1024));
  writeFileSync(join(usb, 'media', 'ab-left-behind'), '');
  mkdirSync(join(usb, 'media', 'ab'), { recursive: true });
  writeFileSync(join(usb, 'media', 'ab', 'ab'.repeat(32)), Buffer.alloc(8 * 1024 * 1024));
  writeFileSync(join(usb, 'media', 'ab', `${'cd'.repeat(32)}.${killed.pid}.part`), Buffer.alloc(8 * 1024 * 1024));
  const theirs = join(usb, 'somebody-elses-file');
  writeFileSync(theirs, Buffer.alloc(44 * 1024 * 1024));
  const order = { data, target: join(usb, 'vitrine-2026-01-03-000000.vitrine'), media: 'beside', now: 3 } as const;
  const room = (named: readonly string[]) => void rotate(usb, { keep: 2, mayPrune: true }, 3, named);
  await assert.rejects(makeBackup(order, room), {
    message: /the backup needs \d+ MB, \d+ MB are free\. Free another \d+ MB/,
  });
  assert.deepEqual(leftovers(usb), []);
  assert.equal(existsSync(join(usb, 'media', 'ab', 'ab'.repeat(32))), false, 'what nothing names makes room');
  assertWhole(older.file, usb);
  rmSync(theirs);
  assertWhole((await makeBackup(order, room)).file, usb);
});

test('commands report media that are damaged in a backup or could not be restored', {
  timeout: 120_000,
}, async (t) => {
  const data = await store(t);
  const usb = tempFolder(t);
  const { file, manifest } = await makeBackup({ data, target: join(usb, 'a.vitrine'), media: 'beside', now: 1 });
  const pooled = manifest.media.map(({ sha256 }) => join(usb, 'media', sha256.slice(0, 2), sha256));
  // Two of the three pictures lose a file each.
  const [gone, rotten] = ['a', 'b'].map((name) => pooled.find((path) => readFileSync(path).equals(picture(name)))!) as [
    string,
    string,
  ];
  rmSync(gone);
  const bytes = readFileSync(rotten);
  bytes[bytes.length - 2]! ^= 1;
  rmSync(rotten);
  writeFileSync(rotten, bytes);
  const verified = await vitrine(['verify', file, '--json']);
  assert.deepEqual(
    [verified.code, JSON.parse(verified.stdout).ok, JSON.parse(verified.stdout).media_missing],
    [3, false, 2],
  );
  const restored = await vitrine(['restore', file, '--data', join(tempFolder(t), 'new')]);
  assert.equal(restored.code, 3, restored.stderr);
  assert.match(restored.stdout, /1 media file is missing: no backup here has a\.gif\./);
  assert.match(restored.stdout, /1 media file is damaged, also in the backup: b\.gif\./);
  const [listed] = summariesOf(usb);
  assert.deepEqual([listed!.mediaMissing, listed!.mediaFiles], [1, manifest.media.length - 1]);
});

test('command that waits for a disk reports the name of the disk', {
  skip: whyNoFaults,
  timeout: 60_000,
}, async (t) => {
  const usb = tempFolder(t);
  const faults = createFaults(t);
  faults.disk('hang', usb);
  const child = spawn(
    process.execPath,
    ['server/cli/main.ts', 'restore', join(usb, 'a.vitrine'), '--data', tempFolder(t)],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '', ...faults.env },
    },
  );
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stderr.setEncoding('utf8'), 'data');
  assert.match(said, new RegExp(`^Waiting for the disk of ${join(usb, 'a.vitrine')}`));
  child.kill();
  assert.equal((await once(child, 'exit'))[1], 'SIGTERM');
});
