import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityEntry } from '../../../shared/contract/activity.ts';
import { byDay } from './activity.utils.ts';

test('entries of the same day form a group and keep their order', () => {
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
