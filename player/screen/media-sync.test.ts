import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClipTimeline, FrameBias, nudge } from './media-sync.ts';
import { percentile, SyncStats } from './sync-stats.ts';

const T = 1_700_000_000_000;
/** The instants at which runs begin, counted from the turn's beginning. */
const starts = (mediaMs: number, turnMs: number, then: number | null = null): number[] => {
  const turn = { since: T, until: T + turnMs };
  const timeline = new ClipTimeline(mediaMs, turn, then === null ? null : { since: turn.until, until: turn.until + then });
  const found = [];
  for (let at = timeline.startOf(T); at !== Infinity; at = timeline.nextStart(at)) found.push(at - T);
  return found;
};

test('a clip of 9.7 s in a turn of 10 s plays once and holds its last frame', () => assert.deepEqual(starts(9_700, 10_000), [0]));
test('a clip of 4 s in a turn of 10 s loops to the end of the turn', () => assert.deepEqual(starts(4_000, 10_000), [0, 4_000, 8_000]));
test('a clip of 4 s in a turn of 8.9 s plays twice, then holds its last frame', () => assert.deepEqual(starts(4_000, 8_900), [0, 4_000]));
test('a clip longer than its turn is cut', () => assert.deepEqual(starts(60_000, 10_000), [0]));

test('a clip as long as its turn, give or take a frame, begins again with the next turn', () => {
  for (const length of [3_990, 4_000, 4_010]) assert.deepEqual(starts(length, 4_000, 4_000), [0, 4_000]);
});

test('the run at an instant: none before the turn, the last one through the rest', () => {
  const timeline = new ClipTimeline(4_000, { since: T, until: T + 8_900 }, { since: T + 8_900, until: T + 17_800 });
  assert.deepEqual(
    [-500, 0, 3_999, 4_000, 8_899, 8_900, 12_900].map((at) => timeline.startOf(T + at) - T),
    [0, 0, 0, 4_000, 4_000, 8_900, 12_900],
  );
});

test('nudges stay within 3 %, within 0.5 % where they would be heard, and vanish near the mark', () => {
  assert.equal(nudge(500, { audible: false }), 1.03);
  assert.equal(nudge(-500, { audible: false }), 0.97);
  assert.equal(nudge(500, { audible: true }), 1.005);
  assert.equal(nudge(0.4, { audible: false }), 1);
  assert.equal(nudge(-3, { audible: true }), 1);
});

test('a clip that starts 60 ms late is within 2 ms after four seconds, and does not overshoot', () => {
  let error = 60;
  for (let elapsed = 0; elapsed < 4_000; elapsed += 200) {
    error -= (nudge(error, { audible: false }) - 1) * 200;
    assert.ok(error > -1);
  }
  assert.ok(error < 2, `${error} ms`);
});

test('the bias of 25 frames a second on 60 refreshes is found through their scatter', () => {
  const bias = new FrameBias();
  for (let frame = 0; frame < 20; frame++) {
    const due = frame * 40;
    const shown = Math.ceil(due / (1000 / 60) - 1e-9) * (1000 / 60);
    bias.add(shown - due + 3, 3);
  }
  // The five phases of the pattern lie 3.3 ms apart: 0 to 13.3 ms late.
  assert.ok(Math.abs(bias.value - 20 / 3) < 0.1, `${bias.value}`);
});

test('percentiles are by nearest rank, of magnitudes, and said only when something was measured', () => {
  const stats = new SyncStats();
  assert.equal(stats.take(), null);
  for (let n = 1; n <= 100; n++) stats.add(n % 2 ? n : -n);
  assert.deepEqual(stats.take(), { p50: 50, p99: 99 });
  assert.equal(stats.take(), null);
  assert.equal(percentile([7], 0.99), 7);
});
