import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worstFirst } from './group.utils.ts';

test('results are sorted by state (failed, offline, done), then by name', () => {
  const row = (name: string, status: 'done' | 'offline' | 'failed') => ({ device_id: name, name, status });
  assert.deepEqual(
    worstFirst(
      [row('Till 10', 'done'), row('Till 2', 'done'), row('Window', 'offline'), row('Stairs', 'failed')],
      'en',
    ).map((r) => r.name),
    ['Stairs', 'Window', 'Till 2', 'Till 10'],
  );
});
