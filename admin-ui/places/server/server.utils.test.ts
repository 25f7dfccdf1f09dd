import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Storage, UpkeepChange } from '../../../shared/contract/upkeep.ts';
import { changesOf, diskParts, limits, wholeIn } from './server.utils.ts';

test('the parts of a disk add up to it', () => {
  const storage = { total_bytes: 1000, free_bytes: 400, media_bytes: 300, backups_bytes: 50, database_bytes: 20, logs_bytes: 5 } as Storage;
  const parts = diskParts(storage);
  assert.equal(
    parts.reduce((sum, part) => sum + part.bytes, 0),
    1000,
  );
  assert.equal(parts.find((p) => p.key === 'others')?.bytes, 225);
});

test('only what was changed is sent', () => {
  assert.deepEqual(changesOf({ a: 1, b: 3 }, { a: 1, b: 2, c: 5 }), { b: 3 });
});

test('the limits of the form are those of the contract', () => {
  for (const [name, [min, max]] of Object.entries(limits)) {
    assert.equal(UpkeepChange.safeParse({ [name]: min }).success, true, name);
    assert.equal(UpkeepChange.safeParse({ [name]: max }).success, true, name);
    assert.equal(UpkeepChange.safeParse({ [name]: min - 1 }).success, false, name);
    assert.equal(UpkeepChange.safeParse({ [name]: max + 1 }).success, false, name);
  }
  assert.equal(wholeIn('29', limits.plays_days), undefined);
  assert.equal(wholeIn('30', limits.plays_days), 30);
  assert.equal(wholeIn('3.5', limits.telemetry_days), undefined);
});
