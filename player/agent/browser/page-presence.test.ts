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

test('page that has painted and was closed is expected back for a limited time, and its state is saved', async () => {
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

test('waiting time for a closed page starts again when the page has returned and is closed again', async () => {
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

test('no page is expected that never painted, or that was closed because the player stops', async () => {
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

test('page left open by the previous run is expected to connect, and a stopped player waits no longer', async () => {
  const { time, said, presence } = start();
  presence.expect();
  assert.equal(presence.due, true);
  presence.stop();
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual(said, []);
});

test("page in the player's own window is always expected", async () => {
  const { time, said, presence } = start({ own: true });
  assert.equal(presence.due, true);
  presence.painted();
  presence.attached(false);
  await time.advance(RETURNS_WITHIN_MS);
  assert.deepEqual([presence.due, said], [true, ['settled']]);
});
