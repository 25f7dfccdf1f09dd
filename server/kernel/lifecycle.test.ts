import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lifecycle, together } from './lifecycle.ts';

const part = (name: string, said: string[], more: Partial<Lifecycle> = {}): Lifecycle => ({
  name,
  start: () => void said.push(`${name} starts`),
  stop: () => void said.push(`${name} stops`),
  ...more,
});

test('joined parts start in order, and a part that stops slowly does not delay the other parts', async () => {
  const said: string[] = [];
  let release = () => {};
  const waiting = new Promise<void>((done) => {
    release = done;
  });
  const doors = together('doors', [part('a', said), part('b', said, { stop: () => waiting }), part('c', said)]);
  await doors.start();
  const stopped = Promise.resolve(doors.stop());
  assert.deepEqual(said, ['a starts', 'b starts', 'c starts', 'a stops', 'c stops']);
  release();
  await stopped;
});

test('parts started before a part that fails to start are stopped, and errors of stop() are reported at the end', async () => {
  const said: string[] = [];
  const broken = () => {
    throw new Error('in use');
  };
  const doors = together('doors', [part('a', said), part('b', said, { start: broken }), part('c', said)]);
  await assert.rejects(async () => doors.start(), /in use/);
  assert.deepEqual(said, ['a starts', 'a stops']);
  const failing = together('doors', [part('d', said, { stop: broken }), part('e', said)]);
  await failing.start();
  await assert.rejects(async () => failing.stop(), /in use/);
  assert.deepEqual(said.slice(2), ['d starts', 'e starts', 'e stops']);
});
