import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsFollow, newId } from './ids.ts';

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

test('ids follow the server’s time, keep their order when the clock is set back a little, and leave a wrong year', (t) => {
  t.after(() => idsFollow(Date.now));
  let now = Date.now();
  idsFollow(() => now);
  const first = newId();
  assert.equal(timeOf(first), now);
  now -= 3_600_000;
  const second = newId();
  assert.ok(second > first);
  now += 2 * 365 * 86_400_000;
  assert.equal(timeOf(newId()), now);
  now -= 2 * 365 * 86_400_000;
  assert.equal(timeOf(newId()), now, 'activity of today would be kept, and listed first, for two years');
});
