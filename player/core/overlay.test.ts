import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Overlay, type OverlayResult } from './overlay.ts';
import { FakeTime, MemoryDocuments, MemoryLog, settle } from './testing/fakes.ts';

const HOUR_MS = 3_600_000;

test('an overlay that nobody sees ends when its time is up, also when the clock has jumped over it', async () => {
  const time = new FakeTime();
  const results: OverlayResult[] = [];
  let jumped = 0;
  const now = () => time.mono() + jumped;
  const overlay = new Overlay({ documents: new MemoryDocuments(), time, log: new MemoryLog(), now, changed: () => {}, result: (result) => results.push(result) });
  await overlay.start();
  const frame = { x: 0, y: 0, width: 100, height: 100, opacity: 1, radius: 0, close_button: false };
  await overlay.show({ type: 'device:pip-show', pip_id: 'p', kind: 'image', uri: 'http://x.test/a.png', duration: 8 * 3_600, ...frame } as unknown as Parameters<
    Overlay['show']
  >[0]);
  await time.advance(HOUR_MS);
  assert.deepEqual(results, []);
  // A night's sleep: the timer has stood still.
  jumped = 9 * HOUR_MS;
  overlay.clockStepped();
  await time.advance(0);
  await settle();
  assert.deepEqual(results, [{ pip_id: 'p', status: 'cleared' }]);
  assert.equal(overlay.current, null);
});
