import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime } from '../testing/fakes.ts';
import { Identify } from './identify.ts';

const ask = (seconds: number, ...groups: string[]) => ({ type: 'identify' as const, seconds, groups });

test('name of the screen stays visible until the last requested time, and its start and end are reported', async () => {
  const time = new FakeTime();
  let changes = 0;
  const identify = new Identify({ time, now: () => time.wall(), changed: () => changes++ });
  identify.show(ask(20, 'Entrance', 'Windows'));
  assert.deepEqual(identify.current, { until: time.wall() + 20_000, groups: ['Entrance', 'Windows'] });
  await time.advance(10_000);
  identify.show(ask(15));
  await time.advance(14_999);
  assert.deepEqual([identify.current?.groups, changes], [[], 2]);
  await time.advance(1);
  assert.deepEqual([identify.current, changes], [null, 3]);

  identify.show(ask(5));
  identify.forget();
  assert.deepEqual([identify.current, time.waits], [null, 0]);
  identify.show(ask(5));
  identify.stop();
  assert.deepEqual([time.waits, changes], [0, 5], 'who has stopped, or was removed, tells nothing more');
});
