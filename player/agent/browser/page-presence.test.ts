import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTime } from '../../core/testing/fakes.ts';
import { RETURNS_WITHIN_MS } from '../screen-server/screen-address.ts';
import { PagePresence } from './page-presence.ts';

function start({ own = false } = {}) {
  const time = new FakeTime();
  const said: (boolean | 'settled')[] = [];
  const kept = own ? undefined : { page: async (page: boolean) => void said.push(page) };
  const presence = new PagePresence({ time, kept, settled: () => said.push('settled') });
  return { time, said, presence };
}

test('page that has painted is expected back for a limited time after it was closed, and the state is saved', async () => {
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

test('PagePresence starts the return time again when a returned page leaves again', async () => {
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

test('PagePresence does not expect a page that never painted, or a page that left because the player stops', async () => {
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

test('PagePresence expects a page left open by the previous run, until the player stops', async () => {
  const { time, said, presence } = start();
  presence.expect();
  assert.equal(presence.due, true);
  presence.stop();
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual(said, []);
});

test("PagePresence always expects the player's own window", async () => {
  const { time, said, presence } = start({ own: true });
  assert.equal(presence.due, true);
  presence.painted();
  presence.attached(false);
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual([presence.due, said], [true, ['settled']]);
});
