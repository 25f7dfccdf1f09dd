/**
 * A player on a disk that is full to the last byte: the screen shows what is there, and plays are kept until there is
 * room.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { JournalRow } from '../../shared/protocol/journal-chain.ts';
import { DiskRoom } from '../core/disk-room.ts';
import { MemoryLog, programOf } from '../core/testing/fakes.ts';
import { AssetFiles } from './asset-files.ts';
import { FileDocuments } from './files.ts';
import { FolderInUse, FolderLock } from './lock.store.ts';
import { SteadyJournal } from './steady-journal.ts';
import { FakeSite } from './testing/fake-server.ts';
import { kiosk } from './testing/kiosk.ts';
import { playing, stateAt } from './testing/screen-side.ts';

/** A disk of its own, so small that it can be filled; undefined, and the test skipped, where none can be mounted. */
function smallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).status === 0;
  t.after(() => {
    if (mounted) spawnSync('umount', ['-l', folder]);
    rmdirSync(folder);
  });
  if (!mounted) t.skip('mounting a small disk needs root on Linux');
  return mounted ? folder : undefined;
}

const filler = (disk: string) => join(disk, 'somebody-elses-file');
function fill(disk: string): void {
  const file = openSync(filler(disk), 'a');
  try {
    for (const size of [65_536, 1]) writeUntilFull(file, size);
  } finally {
    closeSync(file);
  }
}
function writeUntilFull(file: number, size: number): void {
  try {
    for (;;) writeSync(file, Buffer.alloc(size));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

const row = (seq: number): JournalRow => ({
  id: `play-${seq}`,
  item_id: 1,
  playlist_id: null,
  content_id: 'c',
  widget_id: null,
  zone_id: null,
  content_name: 'photo.jpg'.padEnd(1_000, '.'),
  boot_id: 'boot',
  uncertainty_ms: 1,
  started_at: seq * 1_000,
  ended_at: seq * 1_000 + 500,
  completed: true,
  seq,
  prev: 'p',
  hash: `hash-${seq}`,
});

test('a player that lost its power starts on a full disk without its server, and plays its program', async (t) => {
  const disk = smallDisk(t);
  if (!disk) return;
  const data = join(disk, 'data');
  const site = new FakeSite();
  const origin = await site.start();
  t.after(() => site.stop());
  const id = site.publish(programOf([site.addAsset(Buffer.from('one'), 'image/png')]).program);
  const first = await kiosk(t, origin, data);
  await stateAt(first.url, playing(id));
  const shown = {
    type: 'shown',
    turn: 'x',
    zone_id: 'full',
    item_id: 1,
    playlist_id: 'p',
    content_id: 'c',
    widget_id: null,
    content_name: 'photo',
    late_ms: 0,
  };
  const body = JSON.stringify([{ ...shown, started_at: Date.now(), planned_end: Date.now() + 10_000 }]);
  assert.equal(
    (await fetch(`${first.url}report`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
      .status,
    204,
  );
  await killed(first.child);
  await site.stop();
  fill(disk);

  const again = await kiosk(t, origin, data);
  assert.ok(playing(id)(await stateAt(again.url, () => true)));
  await killed(again.child);

  // As after a restored or a new installation: neither the journal nor the lock was ever made.
  for (const name of readdirSync(data)) if (/^(journal|lock)\.db/.test(name)) rmSync(join(data, name));
  fill(disk);
  const bare = await kiosk(t, origin, data);
  assert.ok(playing(id)(await stateAt(bare.url, () => true)));
  await killed(bare.child);
});

test('a journal on a full disk tells what it holds, and takes each play once there is room', async (t) => {
  const disk = smallDisk(t);
  if (!disk) return;
  const path = join(disk, 'journal.db');
  const opened = () => {
    const journal = new SteadyJournal({ path, log: new MemoryLog(), mono: () => 0 });
    journal.start();
    t.after(() => journal.stop());
    return journal;
  };
  const before = opened();
  await before.append(row(1));
  await before.stop();
  fill(disk);
  const journal = opened();
  assert.deepEqual(await journal.head(), { seq: 1, hash: 'hash-1' });
  assert.deepEqual(await journal.openPlays(), []);
  await assert.rejects(journal.append(row(2)), { code: 'SQLITE_FULL' });
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [1],
    'what is on disk can be delivered',
  );
  rmSync(filler(disk));
  await journal.append(row(2));
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [1, 2],
  );
});

test('telemetry tells of the disk on which the player keeps its files, a small one beside a large one', async (t) => {
  const disk = smallDisk(t);
  if (!disk) return;
  const site = new FakeSite();
  const origin = await site.start();
  t.after(() => site.stop());
  const { child } = await kiosk(t, origin, join(disk, 'data'));
  const heard = await site.heard(
    'telemetry',
    (message) => message.type === 'heartbeat' && message.telemetry?.storage_total_mb !== undefined,
  );
  await killed(child);
  assert.ok(heard.type === 'heartbeat');
  assert.equal(heard.telemetry?.storage_total_mb, 8);
});

test('a disk that fills while the player runs is told to the operator, once, and so is the room that comes back', async (t) => {
  const disk = smallDisk(t);
  if (!disk) return;
  const documents = new FileDocuments(join(disk, 'state'));
  const assetStore = new AssetFiles(join(disk, 'assets'));
  const journalStore = new SteadyJournal({ path: join(disk, 'journal.db'), log: new MemoryLog(), mono: () => 0 });
  await documents.start();
  await assetStore.start();
  journalStore.start();
  t.after(() => journalStore.stop());
  const said: string[] = [];
  const room = new DiskRoom({
    space: () => assetStore.space(),
    say: (level, message) => said.push(`${level}: ${message}`),
  });
  const stores = room.watch({ documents, assetStore, journalStore });
  await stores.documents.write('one', '1');
  fill(disk);
  await assert.rejects(stores.documents.write('two', '2'.repeat(9_000)), { code: 'ENOSPC' });
  await assert.rejects(stores.journalStore.append(row(1)), { code: 'SQLITE_FULL' });
  const fetched = stores.assetStore
    .open('a'.repeat(64), { at: 0, etag: null })
    .then((writer) => writer.write(Buffer.alloc(90_000)));
  await assert.rejects(fetched, { code: 'ENOSPC' });
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /^error: The disk of this player is full: what it is told cannot be kept\./);
  rmSync(filler(disk));
  await stores.journalStore.append(row(1));
  await stores.documents.write('two', '2');
  assert.equal(said.length, 1, 'a file was lost, and none was fetched since');
  const bytes = Buffer.from('fetched');
  const writer = await stores.assetStore.open(createHash('sha256').update(bytes).digest('hex'), { at: 0, etag: null });
  await writer.write(bytes);
  assert.ok(await writer.finish());
  assert.deepEqual(said.slice(1), ['info: There is room on the disk of this player again.']);
  fill(disk);
  await assert.rejects(stores.documents.write('three', '3'.repeat(9_000)));
  assert.equal(said.length, 3);
});

test('a lock needs no room: it is taken on a full disk, and refuses the second player', (t) => {
  const disk = smallDisk(t);
  if (!disk) return;
  fill(disk);
  const log = new MemoryLog();
  const [first, second] = [new FolderLock(join(disk, 'lock.db'), log), new FolderLock(join(disk, 'lock.db'), log)];
  first.start();
  assert.throws(() => second.start(), FolderInUse);
  first.stop();
  assert.deepEqual(log.lines, []);
});
