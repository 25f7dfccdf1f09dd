/** Tests that a restored store numbers its plays in a new epoch. The restore sets the first number of this epoch. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { ownedSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { addDevice, playAt, takeIn } from '../../features/reports/testing/plays.ts';
import { restoreBackup } from './restore.ts';

interface Row {
  readonly epoch: string;
  readonly first: number;
  readonly through: number;
}

const epochsIn = (data: string): Row[] => {
  const raw = new BetterSqlite3(join(data, 'vitrine.db'), { readonly: true });
  try {
    return raw.prepare('SELECT epoch, first, through FROM play_epochs ORDER BY id').all() as Row[];
  } finally {
    raw.close();
  }
};

test('play numbers that were assigned after the backup belong to another epoch than numbers after its restore', async (t) => {
  const data = tempFolder(t);
  const clock = new TestClock();
  const { site, owner, call } = await ownedSite(t, { data, clock });
  const { db } = site.app;
  addDevice(db, owner.workspaceId!, 'till');
  const show = (count: number) =>
    takeIn(
      db,
      clock,
      'till',
      Array.from({ length: count }, (_, i) => playAt(clock.now() - 1_000_000 + i)),
    );
  await show(4);
  const { name } = must(await call('POST', '/api/server/backups', { complete: true }), 201);
  await show(3);
  await site.app.stop();
  const [before] = epochsIn(data);
  assert.deepEqual([before!.first, before!.through], [1, 7]);

  const backup = join(data, 'backups', name);
  restoreBackup({ file: backup, data, now: Date.now() });
  const [first, second] = epochsIn(data);
  assert.deepEqual(first, { ...before, through: 4 });
  assert.deepEqual([second!.first, second!.through], [5, 4]);
  assert.notEqual(second!.epoch, before!.epoch);

  // Each restore begins a new epoch, even of the same backup. A restore of the keys alone begins none.
  restoreBackup({ file: backup, data, now: Date.now() + 2_000 });
  const [, again] = epochsIn(data);
  assert.deepEqual(epochsIn(data).length, 2);
  assert.notEqual(again!.epoch, second!.epoch);
  restoreBackup({ file: backup, data, now: Date.now() + 4_000, only: 'keys' });
  assert.deepEqual(epochsIn(data)[1], again);
});
