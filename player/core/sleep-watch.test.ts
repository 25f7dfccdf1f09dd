import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Time } from './ports.ts';
import { SleepWatch } from './sleep-watch.ts';
import { FakeTime } from './testing/fakes.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** Simulates a browser, which cannot measure the time since the machine started. */
const inBrowser = (time: FakeTime): Pick<Time, 'mono' | 'wall'> => ({
  mono: () => time.mono(),
  wall: () => time.wall(),
});

test('with the time since the machine started, a sleep of any length is measured, whatever the wall clock does', async () => {
  const time = new FakeTime();
  const watch = new SleepWatch(time);
  await time.advance(5 * SECOND);
  assert.equal(watch.check(), 0);
  time.sleep(9 * HOUR);
  assert.equal(watch.check(), 9 * HOUR);
  assert.equal(watch.check(), 0, 'a sleep counts once');
  time.sleep(30 * DAY);
  assert.equal(watch.check(), 30 * DAY);
  for (const [slept, told] of [
    [3 * SECOND, 3 * SECOND],
    [3 * SECOND - 1, 0],
  ] as const) {
    time.sleep(slept);
    assert.equal(watch.check(), told);
  }
  for (const correction of [2 * HOUR, -2 * HOUR, 20 * 365 * DAY]) {
    time.wallOffset += correction;
    assert.equal(watch.check(), 0);
  }
  time.wallOffset -= 9 * HOUR; // The hardware clock has no battery, so the wall clock is set back.
  time.sleep(9 * HOUR);
  assert.equal(watch.check(), 9 * HOUR);
});

test('time since the machine started that counts in whole seconds does not look like a sleep', async () => {
  const time = new FakeTime();
  const watch = new SleepWatch({
    mono: () => time.mono(),
    wall: () => time.wall(),
    sinceBoot: () => Math.floor(time.sinceBoot() / SECOND) * SECOND,
  });
  for (let i = 0; i < 50; i++) {
    await time.advance(5 * SECOND + 37 * i);
    assert.equal(watch.check(), 0);
  }
});

test('no sleep is detected while the time since the machine started is unknown', () => {
  const time = new FakeTime();
  let known = true;
  const watch = new SleepWatch({
    mono: () => time.mono(),
    wall: () => time.wall(),
    sinceBoot: () => (known ? time.sinceBoot() : Number.NaN),
  });
  known = false;
  time.sleep(HOUR);
  assert.equal(watch.check(), 0);
  known = true;
  assert.equal(watch.check(), 0);
  time.sleep(HOUR);
  assert.equal(watch.check(), HOUR);
});

test('with the wall clock alone, only a jump of 30 s to 7 days counts as a sleep', () => {
  const jumps: [number, number][] = [
    [9 * HOUR, 9 * HOUR],
    [3 * DAY, 3 * DAY],
    [7 * DAY, 7 * DAY],
    [7 * DAY + 1, 0],
    [30 * SECOND, 30 * SECOND],
    [20 * SECOND, 0],
    [8 * DAY, 0],
    [56 * 365 * DAY, 0],
    [-9 * HOUR, 0],
    [-20 * 365 * DAY, 0],
  ];
  for (const [jump, slept] of jumps) {
    const time = new FakeTime();
    const watch = new SleepWatch(inBrowser(time));
    time.wallOffset += jump;
    assert.equal(watch.check(), slept, `a jump of ${jump / SECOND} s`);
    assert.equal(watch.check(), 0);
  }
});
