/** A player on a completely full disk: the screen shows the stored content, and plays are kept until there is room. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fill, smallDisk, whyNoMounts } from '../../../test/faults/hooks/small-disk.ts';
import { DiskRoom } from '../../core/files/disk-room.ts';
import { MemoryLog, programOf } from '../../core/testing/fakes.ts';
import { FakeSite } from '../testing/fake-server.ts';
import { kiosk } from '../testing/kiosk.ts';
import { journalRow, report, shown } from '../testing/plays.ts';
import { playing, stateAt } from '../testing/screen-side.ts';
import { AssetFiles } from './asset-files.ts';
import { FileDocuments } from './files.ts';
import { FolderInUse, FolderLock } from './lock.store.ts';
import { SteadyJournal } from './steady-journal.ts';

const options = { skip: whyNoMounts };

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** A row of a thousand bytes. */
const row = (seq: number) => journalRow(seq, { content_name: 'photo.jpg'.padEnd(1_000, '.') });

test('player that lost power starts on a full disk without a server and plays its program', options, async (t) => {
  const disk = smallDisk(t, 8);
  const data = join(disk, 'data');
  const site = await FakeSite.open(t);
  const id = site.publish(programOf([site.addAsset(Buffer.from('one'), 'image/png')]).program);
  const first = await kiosk(t, site.origin, data);
  await stateAt(first.url, playing(id));
  assert.equal((await report(first.url, [shown('x', Date.now())])).status, 204);
  await killed(first.child);
  await site.stop();
  fill(disk);

  const again = await kiosk(t, site.origin, data);
  assert.ok(playing(id)(await stateAt(again.url, () => true)));
  await killed(again.child);

  // The state after a restored or new installation: neither journal nor lock exists.
  for (const name of readdirSync(data)) if (/^(journal|lock)\.db/.test(name)) rmSync(join(data, name));
  fill(disk);
  const bare = await kiosk(t, site.origin, data);
  assert.ok(playing(id)(await stateAt(bare.url, () => true)));
  await killed(bare.child);
});

test('journal on a full disk returns its rows, and accepts plays again once there is room', options, async (t) => {
  const disk = smallDisk(t, 8);
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
  const makeRoom = fill(disk);
  const journal = opened();
  assert.deepEqual(await journal.head(), { seq: 1, hash: 'hash-1' });
  assert.deepEqual(await journal.openPlays(), []);
  await assert.rejects(journal.append(row(2)), { code: 'SQLITE_FULL' });
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [1],
    'what is on disk can be delivered',
  );
  makeRoom();
  await journal.append(row(2));
  assert.deepEqual(
    (await journal.page(10)).map(({ seq }) => seq),
    [1, 2],
  );
});

test("telemetry reports the disk with the player's files, not another and larger disk", options, async (t) => {
  const disk = smallDisk(t, 8);
  const site = await FakeSite.open(t);
  const { child } = await kiosk(t, site.origin, join(disk, 'data'));
  const heard = await site.heard(
    'telemetry',
    (message) => message.type === 'heartbeat' && message.telemetry?.storage_total_mb !== undefined,
  );
  await killed(child);
  assert.ok(heard.type === 'heartbeat');
  assert.equal(heard.telemetry?.storage_total_mb, 8);
});

test('disk that fills up during operation is reported once, and its recovery is reported once', options, async (t) => {
  const disk = smallDisk(t, 8);
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
  const makeRoom = fill(disk);
  await assert.rejects(stores.documents.write('two', '2'.repeat(9_000)), { code: 'ENOSPC' });
  await assert.rejects(stores.journalStore.append(row(1)), { code: 'SQLITE_FULL' });
  const fetched = stores.assetStore
    .open('a'.repeat(64), { at: 0, etag: null })
    .then((writer) => writer.write(Buffer.alloc(90_000)));
  await assert.rejects(fetched, { code: 'ENOSPC' });
  assert.equal(said.length, 1);
  assert.match(
    said[0] ?? '',
    /^error: The disk of this player is full: instructions from the server cannot be stored\./,
  );
  makeRoom();
  await stores.journalStore.append(row(1));
  await stores.documents.write('two', '2');
  assert.equal(said.length, 1, 'a file was lost, and none was fetched since');
  const bytes = Buffer.from('fetched');
  const writer = await stores.assetStore.open(createHash('sha256').update(bytes).digest('hex'), {
    at: 0,
    etag: null,
  });
  await writer.write(bytes);
  assert.ok(await writer.finish());
  assert.deepEqual(said.slice(1), ['info: The disk of this player has free space again.']);
  fill(disk);
  await assert.rejects(stores.documents.write('three', '3'.repeat(9_000)));
  assert.equal(said.length, 3);
});

test('lock works on a full disk and refuses the second player', options, (t) => {
  const disk = smallDisk(t, 8);
  fill(disk);
  const log = new MemoryLog();
  const [first, second] = [new FolderLock(join(disk, 'lock.db'), log), new FolderLock(join(disk, 'lock.db'), log)];
  first.start();
  assert.throws(() => second.start(), FolderInUse);
  first.stop();
  assert.deepEqual(log.lines, []);
});
