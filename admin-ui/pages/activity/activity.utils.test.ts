import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry } from '../../../shared/contract/server/activity.ts';
import { byDay } from './activity.utils.ts';

test('entries of one day are grouped in their order', () => {
  const at = (created_at: number) => ({ created_at }) as ActivityEntry;
  const days = byDay([at(30), at(21), at(9)], (t) => String(Math.floor(t / 10)));
  assert.deepEqual(
    days.map((d) => [d.day, d.entries.length]),
    [
      ['3', 1],
      ['2', 1],
      ['0', 1],
    ],
  );
});
