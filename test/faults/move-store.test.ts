/**
 * A store that moves to another folder meets power cuts and full and failing disks at any step. There is always exactly
 * one whole store, and never a new empty store.
 */
// Suite: faults
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DatabaseRefused } from '../../server/db/open.ts';
import { openDataFolder } from '../../server/upkeep/disk/data-folder.ts';
import { FolderInUse, lockFolder } from '../../server/upkeep/disk/folder-lock.store.ts';
import { MoveFailed, moveStore } from '../../server/upkeep/disk/move-store.ts';
import { isStore, movedTo } from '../../server/upkeep/disk/moved-mark.ts';
import { tempFolder } from '../harness.ts';
import { apart, ask, startServer, stoppedStore, vitrine } from './data-server.ts';
import { createFaults, type DiskFault, whyNoFaults } from './hooks/faults.ts';
import { fill, smallDisk, whyNoMounts } from './hooks/small-disk.ts';

/**
 * Distance between the copy steps that are tried, and the number of last steps, which switch the folder and are all
 * tried. Trying every step would take too long, because each step costs a process.
 */
const SPREAD = { kill: 6, enospc: 3, eio: 3 } as const;
const LAST_STEPS = { kill: 14, enospc: 4, eio: 4 } as const;
/** Upper bound for the number of steps of a move. */
const MANY = 128;

/** Returns the data folder of a stopped server. */
const store = async (t: TestContext): Promise<string> => {
  const data = await stoppedStore(t, [], join(tempFolder(t), 'old'));
  // Deletes files that this test does not need, because each file adds steps to the move.
  for (const name of readdirSync(data))
    if (!['vitrine.db', 'keys', 'revoked.db'].includes(name)) rmSync(join(data, name), { recursive: true });
  mkdirSync(join(data, 'media', 'aa'), { recursive: true });
  writeFileSync(join(data, 'media', 'aa', 'a'.repeat(64)), Buffer.alloc(300_000, 7));
  mkdirSync(join(data, 'backups'), { recursive: true });
  linkSync(join(data, 'media', 'aa', 'a'.repeat(64)), join(data, 'backups', 'shared'));
  symlinkSync('media', join(data, 'link'));
  return data;
};

/**
 * Returns the identity of the store: its users and its key; undefined if a server refuses to start.
 */
const contentOf = (folder: string): string | undefined => {
  if (!isStore(folder)) return undefined;
  try {
    const { db, identity, close } = openDataFolder(folder);
    const users = db.raw.prepare('SELECT group_concat(email) FROM users').pluck().get();
    close();
    return `${identity.id} ${users} ${statSync(join(folder, 'media', 'aa', 'a'.repeat(64))).size}`;
  } catch (error) {
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
};

const namesIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort();

for (const fault of ['kill', 'enospc', 'eio'] as const satisfies readonly DiskFault[]) {
  test(`move with a fault (${fault}) at any step leaves one complete store, and the next attempt finishes the move`, {
    skip: whyNoFaults,
    timeout: 300_000,
  }, async (t) => {
    const origin = await store(t);
    const content = contentOf(origin);
    assert.ok(content);
    const faults = createFaults(t);
    const attempt = async (step: number): Promise<boolean> => {
      faults.mend();
      const folder = tempFolder(t);
      const [from, to] = [join(folder, 'old'), join(folder, 'disk', 'new')];
      cpSync(origin, from, { recursive: true, verbatimSymlinks: true });
      faults.disk(fault, folder, step);
      const code = await apart('server/upkeep/disk/move-store.ts', 'moveStore', { from, to }, faults.env, 'MoveFailed');
      faults.mend();
      assert.notEqual(code, 2, `step ${step}: no sentence`);
      const [old, fresh] = [contentOf(from), contentOf(to)];
      assert.ok(
        (old === content) !== (fresh === content),
        `step ${step}, ended with ${code}: old ${old}, new ${fresh}`,
      );
      assert.ok(old === undefined || fresh === undefined, `step ${step}: two stores`);
      // A start with the old folder finds the store, or the note that names the new folder. The start never creates a
      // new store.
      if (old === undefined) assert.throws(() => openDataFolder(from), DatabaseRefused, `step ${step}`);
      moveStore({ from, to });
      assert.equal(contentOf(to), content, `step ${step}: the next attempt`);
      assert.equal(movedTo(from), to);
      assert.deepEqual(
        namesIn(from).filter((name) => !/^moved-|^server\.lock$/.test(name)),
        [],
        `step ${step}`,
      );
      assert.deepEqual(readdirSync(join(folder, 'disk')), ['new']);
      return code === 0;
    };
    // Finds the number of steps of a complete move by bisection.
    let [low, high] = [1, MANY];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (await attempt(middle)) high = middle;
      else low = middle + 1;
    }
    assert.ok(high < MANY);
    const spread = Array.from({ length: SPREAD[fault] }, (_, i) => 1 + Math.floor((i * high) / SPREAD[fault]));
    const last = Array.from({ length: LAST_STEPS[fault] }, (_, i) => high - 1 - i).filter((step) => step > 0);
    const wanted = new Set([...spread, ...last]);
    for (const step of wanted) await attempt(step);
    t.diagnostic(`${wanted.size} of ${high - 1} steps`);
  });
}

test('store moves to another disk with all files and links, and stays in place when that disk is full', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const from = await store(t);
  const content = contentOf(from);
  const before = namesIn(from);
  const disk = smallDisk(t, 80);
  const to = join(disk, 'new');
  const makeRoom = fill(disk);
  assert.throws(
    () => moveStore({ from, to }),
    (error) => error instanceof MoveFailed && /stays where it is.*MB are free\. Free some space/.test(error.message),
  );
  assert.equal(contentOf(from), content);
  assert.deepEqual(readdirSync(disk), ['somebody-elses-file']);
  makeRoom();
  assert.equal(moveStore({ from, to }), true);
  assert.equal(contentOf(to), content);
  const [media, shared] = [statSync(join(to, 'media', 'aa', 'a'.repeat(64))), statSync(join(to, 'backups', 'shared'))];
  assert.equal(media.ino, shared.ino, 'what a backup shares with the store is shared again');
  const lost = before.filter((name) => !existsSync(join(to, name)) && !/^server\.|-shm$|-wal$/.test(name));
  assert.deepEqual(lost, []);
  assert.equal(moveStore({ from, to }), false, 'asked again');
  assert.equal(contentOf(to), content);
  // The store moves back: the note of the first move no longer counts.
  assert.equal(moveStore({ from: to, to: from }), true);
  assert.equal(contentOf(from), content);
});

test('store cannot be moved while its server runs, onto another store, or into itself', async (t) => {
  const from = await store(t);
  const content = contentOf(from);
  const other = join(tempFolder(t), 'other');
  const release = lockFolder(from);
  assert.throws(() => moveStore({ from, to: other }), FolderInUse);
  release();
  assert.equal(existsSync(other), false);
  cpSync(from, other, { recursive: true });
  assert.throws(() => moveStore({ from, to: other }), /There is a store in .*other already/);
  assert.throws(() => moveStore({ from, to: join(from, 'inner') }), /lie within each other/);
  const strange = tempFolder(t);
  writeFileSync(join(strange, 'letter.txt'), 'Dear…');
  assert.throws(() => moveStore({ from, to: strange }), /is not empty/);
  assert.equal(readFileSync(join(strange, 'letter.txt'), 'utf8'), 'Dear…');
  assert.equal(contentOf(from), content);
  assert.equal(moveStore({ from: join(strange, 'nothing'), to: other }), false);
});

test('moved store is served from its new folder, and the old folder contains a note with the new path', {
  timeout: 60_000,
}, async (t) => {
  const from = await store(t);
  const to = join(tempFolder(t), 'new place');
  const moved = await vitrine(['move-data', '--from', from, '--data', to, '--json']);
  assert.deepEqual([moved.code, JSON.parse(moved.stdout).moved], [0, true], moved.stdout);
  await assert.rejects(
    startServer(t, from),
    /was moved to .*new place\. Start the server with that folder: --data ".*new place"/,
  );
  const server = await startServer(t, to);
  assert.equal(
    (
      await ask(server.origin, 'POST', '/api/auth/login', {
        body: { email: 'owner@store.test', password: 'correct horse' },
      })
    ).status,
    200,
  );
  const running = await vitrine(['move-data', '--from', to, '--data', join(from, '..', 'third')]);
  assert.equal(running.code, 1);
  assert.match(running.stderr, /A Vitrine server is running/);
});
