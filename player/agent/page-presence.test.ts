import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime } from '../core/testing/fakes.ts';
import { PagePresence } from './page-presence.ts';
import { RETURNS_WITHIN_MS } from './screen-address.ts';

function start({ own = false } = {}) {
  const time = new FakeTime();
  const said: (boolean | 'settled')[] = [];
  const kept = own ? undefined : { page: async (page: boolean) => void said.push(page) };
  const presence = new PagePresence({ time, kept, settled: () => said.push('settled') });
  return { time, said, presence };
}

test('a page that painted and goes is due for as long as one takes to come back, and that is kept', async () => {
  const { time, said, presence } = start();
  presence.attached(true);
  presence.painted();
  presence.painted();
  assert.deepEqual([presence.due, said], [false, [true]]);
  presence.attached(false);
  assert.deepEqual([presence.due, said], [true, [true, false]]);
  await time.advance(RETURNS_WITHIN_MS - 1);
  assert.equal(presence.due, true);
  await time.advance(1);
  assert.deepEqual([presence.due, said], [false, [true, false, 'settled']]);
});

test('one that came back is due no longer than that, and going again it is due anew', async () => {
  const { time, said, presence } = start();
  presence.painted();
  presence.attached(false);
  await time.advance(RETURNS_WITHIN_MS - 1);
  presence.attached(true);
  presence.painted();
  presence.attached(false);
  await time.advance(RETURNS_WITHIN_MS - 1);
  assert.deepEqual([presence.due, said], [true, [true, false, true, false]]);
  await time.advance(1);
  assert.deepEqual([presence.due, said.at(-1)], [false, 'settled']);
});

test('a page that never painted is not waited for, and neither is one that goes since the player stops', async () => {
  const { time, said, presence } = start();
  presence.attached(true);
  presence.attached(false);
  assert.deepEqual([presence.due, said], [false, []]);
  presence.painted();
  presence.stop();
  presence.attached(false);
  assert.deepEqual([presence.due, said], [false, [true]], 'the next start finds it open');
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual(said, [true]);
});

test('one that the player before left open is due from the start, until the player stops', async () => {
  const { time, said, presence } = start();
  presence.expect();
  assert.equal(presence.due, true);
  presence.stop();
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual(said, []);
});

test('a window of the player’s own is always due', async () => {
  const { time, said, presence } = start({ own: true });
  assert.equal(presence.due, true);
  presence.painted();
  presence.attached(false);
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual([presence.due, said], [true, ['settled']]);
});
