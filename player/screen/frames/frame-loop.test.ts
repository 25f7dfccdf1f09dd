import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { FrameLoop } from './frame-loop.ts';

/** Callback of the page for the next frame of the browser. */
let wanted: FrameRequestCallback | null = null;
const frameAt = (time: number): void => {
  const run = wanted;
  wanted = null;
  run?.(time);
};

beforeEach(() => {
  wanted = null;
  Object.assign(globalThis, {
    window: { setTimeout: () => 1 },
    cancelAnimationFrame: () => (wanted = null),
    requestAnimationFrame: (run: FrameRequestCallback) => {
      wanted = run;
      return 1;
    },
  });
});

test('page without a frame for over 5 s counts as invisible from one refresh after its last frame', () => {
  const loop = new FrameLoop();
  const unseen: (number | null)[] = [];
  const painted: number[] = [];
  loop.onFrame(({ unseenSince }) => {
    unseen.push(unseenSince);
    return 0;
  });
  loop.start();
  frameAt(1_000);
  frameAt(6_000);
  loop.afterPaint((at) => painted.push(at));
  frameAt(11_001);
  loop.afterPaint((at) => painted.push(at));
  frameAt(11_017);
  assert.deepEqual(
    unseen.map((at) => at && Math.round(at)),
    [null, null, 6_017, null],
  );
  assert.deepEqual(painted.map(Math.round), [6_017, 11_017], 'what the last frame changed was seen right after it');
  loop.stop();
  loop.start();
  frameAt(99_000);
  assert.equal(unseen.at(-1), null, 'a loop that was stopped shows nothing meanwhile');
});
