/**
 * Checks that a data folder belongs to its store: a first start and an upgrade that are interrupted at any step, and a
 * database that does not belong to the server's key.
 */
// Suite: long
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { makeBackup } from '../../server/upkeep/backup/make-backup.ts';
import { restoreBackup } from '../../server/upkeep/backup/restore.ts';
import { openDataFolder } from '../../server/upkeep/disk/data-folder.ts';
import { picture } from '../api/media.ts';
import { type Site, startSite, tempFolder } from '../harness.ts';
import { login } from '../people.ts';
import { until, upload } from '../uploads.ts';
import { run, startServer, stoppedStore, vitrine } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';
import { oldDatabase } from './old-database.ts';

/** Shared compile cache, because compiling takes most of the time of a start. */
const CACHE = join(tmpdir(), 'vitrine-test-compiled');
/** Folder for the data: in memory if possible, so that hundreds of attempts do not wait for a disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const EVERY_STEP = process.env['VITRINE_EVERY_STEP'] === '1';

/**
 * Interrupts a start at its first step, another start at its second step, and so on. `look` checks the folder after
 * each start. Resolves with the number of the first step that a complete start does not reach.
 */
const atEveryStep = async (
  t: TestContext,
  fault: 'kill' | 'enospc' | 'eio',
  prepare: (data: string) => void,
  look: (data: string, step: number, said: string) => void,
): Promise<number> => {
  const faults = createFaults(t);
  // Leaves out more and more steps, unless VITRINE_EVERY_STEP=1, because SQLite writes each database page as a step.
  for (let step = 1; ; step += EVERY_STEP || step < 8 ? 1 : step) {
    const data = mkdtempSync(join(MEMORY, 'vitrine-birth-'));
    t.after(() => rmSync(data, { recursive: true, force: true }));
    prepare(data);
    faults.mend();
    faults.disk(fault, data, step);
    const env = { ...process.env, NODE_COMPILE_CACHE: CACHE, ...faults.env };
    const { code, stderr: said } = await run(['test/faults/open-folder.ts', data], { env });
    if (code === 0) return step;
    assert.equal(code === null, fault === 'kill', `step ${step}: ${said}`);
    look(data, step, said);
    rmSync(data, { recursive: true });
  }
};

/** Checks that the server starts and reports no loss. */
const starts = (data: string): void => {
  const folder = openDataFolder(data);
  try {
    assert.deepEqual(folder.notes, []);
    assert.equal(folder.db.raw.pragma('integrity_check', { simple: true }), 'ok');
    assert.equal(typeof JSON.parse(readFileSync(join(data, 'keys', 'store.json'), 'utf8')).store, 'string');
  } finally {
    folder.close();
  }
};
const refused = (data: string, ...patterns: RegExp[]): void => {
  let said = '';
  try {
    openDataFolder(data).close();
  } catch (error) {
    said = (error as Error).message;
  }
  for (const pattern of patterns) assert.match(said, pattern);
};

for (const fault of ['kill', 'enospc'] as const)
  test(`start works after a first start that was interrupted (${fault}) at any step`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const steps = await atEveryStep(t, fault, () => {}, starts);
    t.diagnostic(`${steps} steps`);
    assert.ok(steps > 100, `${steps} steps`);
  });

test('upgrade that is interrupted at any step leaves the whole old or new database, and no partial copy', {
  skip: whyNoFaults,
  timeout: 300_000,
}, async (t) => {
  const template = join(tempFolder(t), 'old.db');
  oldDatabase(template, 300);
  const prepare = (data: string) => {
    cpSync(template, join(data, 'vitrine.db'));
    // Adds the key of a server, as if it had run before.
    mkdirSync(join(data, 'keys'));
    cpSync(join(key, 'keys', 'server.json'), join(data, 'keys', 'server.json'));
  };
  const key = tempFolder(t);
  openDataFolder(key).close();
  const isWhole = (data: string, step: number) => {
    starts(data);
    const db = new Database(join(data, 'vitrine.db'), { readonly: true });
    assert.equal(db.prepare('SELECT count(*) FROM plays').pluck().get(), 300, `step ${step}`);
    db.close();
    assert.deepEqual(
      readdirSync(data).filter((name) => name.includes('.new')),
      [],
      `step ${step}`,
    );
    const copy = join(data, 'vitrine.db.before-upgrade');
    const old = new Database(copy, { readonly: true });
    assert.deepEqual(
      [old.pragma('integrity_check', { simple: true }), old.prepare('SELECT count(*) FROM plays').pluck().get()],
      ['ok', 300],
      `step ${step}`,
    );
    old.close();
  };
  for (const fault of ['kill', 'enospc'] as const) {
    const steps = await atEveryStep(t, fault, prepare, (data, step, said) => {
      if (fault === 'enospc') assert.match(said, /^[^\n]+\n$/);
      isWhole(data, step);
    });
    assert.ok(steps > 100, `${steps} steps`);
  }
});

/** Creates the data of a stopped store with a user, a picture and a backup. */
const furnished = async (t: TestContext): Promise<string> => {
  const data = await stoppedStore(t, ['a'], tempFolder(t));
  await makeBackup({
    data,
    target: join(data, 'backups', 'vitrine-2026-03-10-090000.vitrine'),
    media: 'beside',
    now: Date.UTC(2026, 2, 10),
  });
  return data;
};
const copyOf = (t: TestContext, data: string): string => {
  const copy = tempFolder(t);
  cpSync(data, copy, { recursive: true });
  return copy;
};
const emptied = (file: string, name: string): void => {
  if (name === 'gone') rmSync(file);
  if (name === '0 bytes') truncateSync(file);
  if (name === 'without tables') {
    rmSync(file);
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('user_version = 1');
    db.close();
  }
};

test('start refuses a missing, empty, new or foreign database while other data of the old store exist', {
  timeout: 60_000,
}, async (t) => {
  const store = await furnished(t);
  const other = await furnished(t);
  const fresh = tempFolder(t);
  openDataFolder(fresh).close();
  const media = (data: string) =>
    readdirSync(join(data, 'media'), { recursive: true }).filter((name) => String(name).length > 60).length;
  assert.equal(media(store), 2);

  for (const how of ['gone', '0 bytes', 'without tables'])
    for (const left of [
      'backups',
      'media',
      'keys/store.json',
      'keys/ca.json',
      'revoked.db',
      'vitrine.db-wal',
      'vitrine.db.before-upgrade',
    ]) {
      if (how === 'without tables' && left === 'vitrine.db-wal') continue;
      const data = copyOf(t, store);
      emptied(join(data, 'vitrine.db'), how);
      for (const name of [
        'backups',
        'media',
        'keys/store.json',
        'keys/ca.json',
        'keys/https.json',
        'keys/secrets.key',
        'revoked.db',
        'revoked.db-wal',
        'revoked.db-shm',
      ])
        if (name !== left) rmSync(join(data, name), { recursive: true, force: true });
      if (left.startsWith('vitrine.db') || !existsSync(join(data, left))) writeFileSync(join(data, left), '{"x": 1}');
      // Leaves out the files that the check itself creates.
      const there = () =>
        readdirSync(data, { recursive: true }).filter(
          (name) => !/^server\.lock|-shm$|^vitrine.db-wal$/.test(String(name)),
        );
      const before = there();
      refused(
        data,
        how === 'gone' ? /vitrine\.db is missing, but/ : /vitrine\.db is empty, but/,
        /vitrine restore/,
        /choose another folder with --data/,
      );
      assert.deepEqual(there(), before, `${how}, ${left}`);
    }

  for (const [name, database, words] of [
    [
      'of another store',
      join(other, 'vitrine.db'),
      /not the database that belongs to the server's key .* that of another store/,
    ],
    ['new', join(fresh, 'vitrine.db'), /not the database that belongs to the server's key .* a new one/],
  ] as const) {
    const data = copyOf(t, store);
    cpSync(database, join(data, 'vitrine.db'));
    const bytes = readFileSync(join(data, 'vitrine.db'));
    refused(data, words, /vitrine restore .*2026-03-10/);
    assert.deepEqual(readFileSync(join(data, 'vitrine.db')), bytes, name);
    assert.equal(media(data), 2);
    // Does what the error message advises.
    if (name === 'new') continue;
    renameSync(join(data, 'keys', 'store.json'), join(data, 'keys', 'store.json.away'));
    starts(data);
  }
  // Puts a new database beside old media in a folder without the file that names the store. Older versions wrote no
  // such file.
  const data = copyOf(t, store);
  rmSync(join(data, 'keys', 'store.json'));
  cpSync(join(fresh, 'vitrine.db'), join(data, 'vitrine.db'));
  refused(data, /is a new database, but .* has backups, media/);
});

test('start accepts a restored backup of any age, restored keys, a new key, and data without a store id', {
  timeout: 60_000,
}, async (t) => {
  const store = await furnished(t);
  const backup = join('backups', 'vitrine-2026-03-10-090000.vitrine');
  const without = (data: string) => {
    const db = new Database(join(data, 'vitrine.db'));
    db.exec("DELETE FROM settings WHERE key = 'store_id'");
    db.close();
  };
  const cases: Record<string, (data: string) => Promise<unknown> | unknown> = {
    'as it was': () => {},
    'from before there were ids': (data) => {
      without(data);
      rmSync(join(data, 'keys', 'store.json'));
    },
    'an older database of its own put back by hand': without,
    'its record lost or broken': (data) => writeFileSync(join(data, 'keys', 'store.json'), '{"sto'),
    restored: (data) => {
      truncateSync(join(data, 'vitrine.db'));
      restoreBackup({ file: join(data, backup), data, now: 1 });
    },
    'restored from a backup of before there were ids': async (data) => {
      without(data);
      rmSync(join(data, 'keys', 'store.json'));
      const old = join(data, 'backups', 'old.vitrine');
      await makeBackup({ data, target: old, media: 'beside', now: 1 });
      starts(data);
      restoreBackup({ file: old, data, now: 1 });
    },
    'its keys restored': (data) => {
      rmSync(join(data, 'keys'), { recursive: true });
      restoreBackup({ file: join(data, backup), data, now: 1, only: 'keys' });
    },
    'a new key': async (data) => {
      rmSync(join(data, 'keys'), { recursive: true });
      const { code, stderr } = await vitrine(['new-key', '--data', data]);
      assert.equal(code, 0, stderr);
    },
  };
  for (const [name, change] of Object.entries(cases)) {
    const data = copyOf(t, store);
    await change(data);
    t.diagnostic(name);
    starts(data);
    starts(data);
    assert.equal((openedUsers(data) as number[])[0], 1, name);
  }
});
const openedUsers = (data: string): unknown => {
  const db = new Database(join(data, 'vitrine.db'), { readonly: true });
  const users = db.prepare('SELECT count(*) FROM users').pluck().all();
  db.close();
  return users;
};

test('media of a store that is restored to an older and then to a newer backup are available at once', {
  timeout: 60_000,
}, async (t) => {
  const data = await furnished(t);
  const newer = tempFolder(t);
  const filesIn = (folder: string) =>
    existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => String(name).length > 60) : [];
  const [media, aside] = [join(data, 'media'), join(data, 'media-aside')];
  const token = async (site: Site) => (await login(site, 'owner@store.test')).body.token as string;

  const first = await startSite(t, { data });
  await upload(first, await token(first), picture('b'), 'b.gif');
  await first.app.stop();
  const all = filesIn(media);
  // The two pictures share one thumbnail.
  assert.equal(all.length, 3);
  cpSync(join(data, 'vitrine.db'), join(newer, 'vitrine.db'));

  restoreBackup({ file: join(data, 'backups', 'vitrine-2026-03-10-090000.vitrine'), data, now: 1 });
  const older = await startSite(t, { data });
  await older.app.sweeper.sweep();
  assert.deepEqual([filesIn(media).length, filesIn(aside).length], [2, 1]);
  // The status of the server includes the size of the files that were set aside.
  const session = await token(older);
  void older.app.upkeep.disk.check();
  await until(
    async () => (await older.call('GET', '/api/server/status', { token: session })).body.storage.aside_bytes as number,
    (bytes) => bytes > 0,
  );
  await older.app.stop();

  cpSync(join(newer, 'vitrine.db'), join(data, 'vitrine.db'));
  const again = await startSite(t, { data });
  assert.deepEqual([filesIn(media).sort(), filesIn(aside)], [all.sort(), []]);
  await again.app.stop();
});

test('no command makes a new store from an empty database, and the doctor reports the problem', {
  timeout: 60_000,
}, async (t) => {
  const data = await furnished(t);
  truncateSync(join(data, 'vitrine.db'));
  for (const args of [['reset-password', 'owner@store.test'], ['export', join(data, 'a.zip')], ['backup']]) {
    const { code, stderr } = await vitrine([...args, '--data', data]);
    assert.equal(code, 1, args[0]);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
  rmSync(join(data, 'keys', 'server.json'));
  assert.equal((await vitrine(['new-key', '--data', data])).code, 1);
  assert.equal(readFileSync(join(data, 'vitrine.db')).length, 0);
  const { code, stdout } = await vitrine(['doctor', '--quick', '--data', data, '--json']);
  assert.equal(code, 3);
  assert.match(
    JSON.stringify(JSON.parse(stdout).checks),
    /vitrine\.db is empty, but [^"]* has backups, media[^"]*vitrine restore/,
  );
});

test('files that a killed restore had unpacked are removed by the next start or restore', {
  timeout: 60_000,
}, async (t) => {
  const data = await furnished(t);
  const leave = () => {
    mkdirSync(join(data, '.restore-1', 'media'), { recursive: true });
    writeFileSync(join(data, '.restore-1', 'media', 'x'), 'x');
  };
  leave();
  starts(data);
  assert.equal(existsSync(join(data, '.restore-1')), false);
  leave();
  restoreBackup({ file: join(data, 'backups', 'vitrine-2026-03-10-090000.vitrine'), data, now: 2 });
  assert.equal(existsSync(join(data, '.restore-1')), false);
  const server = await startServer(t, data);
  assert.equal(await server.stop(), 0);
});
