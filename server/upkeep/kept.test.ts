/** Tests the queries and deletions of upkeep, and the comparison of a backup with the present database. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { put } from '../db/testing/put.ts';
import { addDevice, addWorkspace } from '../features/reports/testing/plays.ts';
import { compareStores } from './backup/compare.store.ts';
import { factsOf, findDamage, takeSnapshot } from './backup/snapshot.store.ts';
import { checkDatabase } from './checks/database-check.store.ts';
import { readBlobs } from './checks/media-check.store.ts';
import { FolderInUse, isFolderInUse, lockFolder } from './disk/folder-lock.store.ts';
import { UpkeepStore } from './upkeep.store.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-upkeep-'));
const file = join(folder, 'vitrine.db');
let db: Database;
let store: UpkeepStore;
before(() => {
  db = openDatabase(file);
  store = new UpkeepStore(db);
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});
const count = (table: string): number => db.raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
const ids = (table: string): unknown[] => db.raw.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all();

test('alert e-mails go to administrators of the server or workspace who want e-mail', () => {
  for (const workspace of ['w', 'x']) addWorkspace(db, workspace);
  for (const [id, role, email_alerts] of [
    ['root', 'platform_admin', 1],
    ['quiet', 'platform_admin', 0],
    ['admin', 'user', 1],
    ['editor', 'user', 1],
    ['silent', 'user', 0],
    ['abroad', 'user', 1],
  ] as const)
    put(db, 'users', { id, email: `${id}@s.test`, role, email_alerts });
  for (const [workspace_id, user_id, role] of [
    ['w', 'admin', 'workspace_admin'],
    ['w', 'editor', 'workspace_editor'],
    ['w', 'silent', 'workspace_admin'],
    ['x', 'abroad', 'workspace_admin'],
    ['w', 'root', 'workspace_admin'],
  ] as const)
    put(db, 'workspace_members', { workspace_id, user_id, role });
  const readers = (workspace: string | null) =>
    store.alertReaders(workspace).map(({ email, isPlatformAdmin }) => [email, isPlatformAdmin]);
  const root = ['root@s.test', true];
  assert.deepEqual(
    [readers('w'), readers('x'), readers(null)],
    [[['admin@s.test', false], root], [['abroad@s.test', false], root], [root]],
  );
  for (const [workspace_id, kind, enabled, tell] of [
    ['w', 'screen_dark', 1, '["mail"]'],
    ['x', 'screen_dark', 0, '["mail"]'],
    ['x', 'screen_offline', 1, '["mail"]'],
  ] as const)
    put(db, 'alert_rules', { workspace_id, kind, enabled, tell });
  assert.deepEqual([...store.darkToldByAlert()], ['w']);
  db.raw.exec("UPDATE alert_rules SET tell = '[]'");
  assert.equal(store.darkToldByAlert().size, 0);
  assert.equal(store.sealedSecrets(), 0);
  db.raw.exec("UPDATE users SET totp_secret = 's' WHERE id = 'root'");
  assert.equal(store.sealedSecrets(), 1);
});

/** Waits for the commit, because some checks read the file through another connection. */
const saved = async (work: () => void = () => {}): Promise<void> => {
  db.write(work);
  await db.durable();
};

test('store class returns screens, names of files, and counts', async () => {
  addDevice(db, 'w', 'till', { name: 'Till' });
  addDevice(db, 'x', 'door', { name: 'Door' });
  assert.deepEqual(
    [store.screens().length, store.screenCount(), store.screen('door')?.name, store.screen('gone')],
    [2, 2, 'Door', undefined],
  );
  assert.equal(store.mediaBytes(), 0);
  for (const [sha256, size] of [
    ['a', 3],
    ['t', 4],
    ['binned', 5],
    ['nobody', 6],
    ['original', 7],
  ] as const)
    put(db, 'blobs', { sha256, size });
  put(db, 'content', {
    id: 'c1',
    workspace_id: 'w',
    filename: 'One',
    sha256: 'a',
    thumbnail: 't',
    original_sha256: 'original',
  });
  put(db, 'content', { id: 'c2', workspace_id: 'x', filename: 'Two', sha256: 'a' });
  put(db, 'bin', { id: 'old', workspace_id: 'w', created_at: 5 });
  put(db, 'bin_files', { bin_id: 'old', sha256: 'binned' });
  await saved();
  assert.equal(store.mediaBytes(), 25);
  assert.deepEqual(
    [store.namesOf('a').sort(), store.namesOf('t'), store.namesOf('original'), store.namesOf('nobody')],
    [['One', 'Two'], ['One'], ['One'], []],
  );
  assert.equal(
    store.databaseBytes(),
    db.raw.prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck().get(),
  );
  assert.deepEqual(
    readBlobs(file)
      .map(({ sha256, size, names }) => [sha256, size, [...names].sort()])
      .sort(),
    [
      ['a', 3, ['One', 'Two']],
      ['original', 7, ['One']],
      ['t', 4, ['One']],
    ],
  );
  assert.equal(checkDatabase(file), undefined);
  const broken = join(folder, 'broken.db');
  writeFileSync(broken, 'this is no database, and long enough to be read as one'.repeat(100));
  assert.match(checkDatabase(broken)!, /not a database/);
  assert.match(findDamage(broken)!, /not a database/);
  assert.throws(() => checkDatabase(join(folder, 'none.db')));
});

test('snapshot is complete and lists its files, and the comparison counts additions, changes and deletions', async () => {
  db.raw.exec(
    `UPDATE content SET revision = 1; INSERT INTO settings (key, value) VALUES ('server', '{"name":"Mill"}')`,
  );
  await saved();
  const copy = join(folder, 'copy.db');
  await takeSnapshot(file, copy);
  assert.equal(findDamage(copy), undefined);
  const { blobs, serverName, schema } = factsOf(copy);
  assert.deepEqual(
    [blobs, serverName],
    [
      [
        { sha256: 'a', size: 3 },
        { sha256: 'binned', size: 5 },
        { sha256: 'original', size: 7 },
        { sha256: 't', size: 4 },
      ],
      'Mill',
    ],
  );
  assert.equal(schema, db.raw.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get());
  assert.deepEqual(compareStores(copy, file), { differences: [], plays: 0 });
  put(db, 'content', { id: 'c3', workspace_id: 'w' });
  put(db, 'playlists', { id: 'p', workspace_id: 'w' });
  db.raw.exec(
    "DELETE FROM content WHERE id = 'c2'; UPDATE content SET revision = 2 WHERE id = 'c1'; DELETE FROM devices WHERE id = 'door'",
  );
  for (const id of [1, 2]) put(db, 'play_log', { id, play_id: `p${id}` });
  await saved();
  assert.deepEqual(compareStores(copy, file), {
    differences: [
      { kind: 'contents', added: 1, changed: 1, removed: 1 },
      { kind: 'playlists', added: 1, changed: 0, removed: 0 },
      { kind: 'screens', added: 0, changed: 0, removed: 1 },
    ],
    plays: 2,
  });
  const older = openDatabase(copy);
  older.raw.pragma('foreign_keys = OFF');
  older.raw.exec('DROP TABLE content; DROP VIEW plays; DROP TABLE play_log');
  older.close();
  const { differences, plays } = compareStores(copy, file);
  assert.deepEqual([differences[0], plays], [{ kind: 'contents', added: 2, changed: 0, removed: 0 }, 0]);
  db.raw.exec('DELETE FROM play_log');
});

test('data folder that one server uses is refused to a second server', () => {
  const lock = join(folder, 'server.lock');
  assert.deepEqual([isFolderInUse(folder), existsSync(lock)], [false, false], 'who only asks leaves nothing');
  const release = lockFolder(folder);
  if (process.platform !== 'win32') assert.equal(statSync(lock).mode & 0o777, 0o600);
  assert.equal(isFolderInUse(folder), true);
  assert.throws(() => lockFolder(folder), FolderInUse);
  release();
  assert.equal(isFolderInUse(folder), false);
});

test('old records are deleted in steps of a limited number of rows, the oldest first', () => {
  for (const at of [1, 2, 3, 4]) put(db, 'telemetry', { device_id: 'till', reported_at: at });
  assert.deepEqual([store.deleteTelemetry(3, 1), store.deleteTelemetry(3, 9), store.deleteTelemetry(3, 9)], [1, 1, 0]);
  assert.equal(count('telemetry'), 2);
  for (const id of ['a', 'b', 'c', 'd']) put(db, 'activity', { id, workspace_id: 'w', action: 'x' });
  assert.equal(store.deleteActivity('c', 1), 1);
  assert.deepEqual(ids('activity'), ['b', 'c', 'd']);
  assert.deepEqual([store.deleteActivity('c', 9), store.deleteActivity('c', 9)], [1, 0]);
  assert.deepEqual(ids('activity'), ['c', 'd']);
  for (const [id, created_at] of [
    ['older', 4],
    ['same', 6],
    ['young', 7],
  ] as const)
    put(db, 'bin', { id, workspace_id: 'w', created_at });
  assert.equal(store.deleteBinned(6, 1), 1);
  assert.deepEqual([store.deleteBinned(6, 9), ids('bin')], [1, ['same', 'young']]);
  for (const [since, until] of [
    [1, 2],
    [2, 5],
    [5, 6],
    [6, null],
  ] as const)
    put(db, 'status_intervals', { device_id: 'till', status: 'online', since, until });
  assert.deepEqual([store.deleteIntervals(6, 1), store.deleteIntervals(6, 9), store.deleteIntervals(99, 9)], [1, 1, 1]);
  assert.equal(count('status_intervals'), 1, 'one that lasts is never old');
});

test('plays are deleted by age per workspace with their signatures, and plays that headquarters lacks are counted', () => {
  const numbers = new Map(
    ['w', 'x'].flatMap((workspace_id) =>
      (['workspace', 'device'] as const).map((kind) => {
        const ref = kind === 'device' ? `${workspace_id}-till` : '';
        put(db, 'play_subjects', { workspace_id, kind, ref });
        return [
          `${workspace_id} ${kind}`,
          db.raw.prepare('SELECT max(id) FROM play_subjects').pluck().get() as number,
        ] as const;
      }),
    ),
  );
  const add = (id: number, workspace_id: string, started_ms: number, isOld = false) => {
    const row = { id, started_ms, seq: id, play_id: `p${id}` };
    const device_id = `${workspace_id}-till`;
    if (isOld) put(db, 'old_plays', { ...row, workspace_id, device_id });
    else
      put(db, 'play_log', {
        ...row,
        workspace: numbers.get(`${workspace_id} workspace`)!,
        device: numbers.get(`${workspace_id} device`)!,
      });
  };
  for (const [id, workspace, at, isOld] of [
    [1, 'w', 10, true],
    [2, 'w', 20, true],
    [3, 'w', 30, false],
    [4, 'x', 10, false],
    [5, 'w', 40, false],
    [6, 'w', 50, false],
  ] as const)
    add(id, workspace, at, isOld);
  for (const [device_id, first_play, last_play] of [
    ['w-till', 1, 2],
    ['w-till', 3, 3],
    ['w-till', 5, 6],
    ['x-till', 4, 4],
  ] as const)
    put(db, 'play_seals', { workspace_id: device_id[0]!, device_id, first_play, last_play });
  assert.deepEqual(store.workspaceIds().sort(), ['w', 'x']);
  assert.deepEqual(
    store.playsAfter(1, 3).map(({ id, workspace_id, device_id }) => [id, workspace_id, device_id]),
    [
      [2, 'w', 'w-till'],
      [3, 'w', 'w-till'],
      [4, 'x', 'x-till'],
    ],
  );
  const left = () => [...ids('old_plays'), ...ids('play_log')];
  const seals = () => db.raw.prepare('SELECT first_play FROM play_seals ORDER BY first_play').pluck().all();
  assert.deepEqual(store.deletePlays('w', 30, 1), { gone: 1, undelivered: 0 }, 'it is in no chain');
  assert.deepEqual(
    [left(), seals()],
    [
      [2, 3, 4, 5, 6],
      [3, 4, 5],
    ],
  );
  put(db, 'chain_links', { workspace_id: 'w' });
  db.raw.exec(
    "DELETE FROM play_epochs; INSERT INTO play_epochs (id, epoch, first, through, since) VALUES (1, 'a', 1, 4, 0), (2, 'b', 5, 6, 0)",
  );
  put(db, 'chain_cursors', { workspace_id: 'w', epoch: 'a', through: 2, head: '' });
  assert.deepEqual(store.deletePlays('w', 50, 9), { gone: 3, undelivered: 2 });
  assert.deepEqual([left(), seals()], [[4, 6], [4]]);
  assert.deepEqual(store.deletePlays('w', 50, 9), { gone: 0, undelivered: 0 });
});
