import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockEstimator, SLEW_RATE, SlewedClock, sampleOf } from './clock.ts';

/** A remote clock `offset` ahead that drifts, reached over a network of the given delays. */
function exchange(remote: (local: number) => number, t0: number, there: number, back: number) {
  const t1 = remote(t0 + there);
  const sample = sampleOf({ t0, t1, t2: t1, t3: t0 + there + back });
  assert.ok(sample);
  return sample;
}

test('the fastest exchange decides, however slow and lopsided the others are', () => {
  const estimator = new ClockEstimator();
  const remote = (local: number) => local + 1_000_000;
  estimator.add(exchange(remote, 0, 90, 2));
  estimator.add(exchange(remote, 200, 0.4, 0.6));
  estimator.add(exchange(remote, 400, 3, 120));
  const estimate = estimator.estimate(500);
  assert.ok(estimate);
  assert.ok(Math.abs(estimate.offset - 1_000_000) <= 0.2);
  assert.ok(estimate.uncertainty < 0.6);
});

test('the true offset stays within the stated uncertainty over random networks and drifts', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let run = 0; run < 200; run++) {
    const drift = (random() - 0.5) * 80e-6;
    const remote = (local: number) => local * (1 + drift) + 5_000;
    const estimator = new ClockEstimator();
    for (let i = 0; i < 60; i++) {
      const t0 = i * 10_000;
      estimator.add(exchange(remote, t0, random() * 8, random() * 8));
      const estimate = estimator.estimate(t0 + 9_000);
      assert.ok(estimate);
      const error = Math.abs(estimate.offset - (remote(t0 + 9_000) - (t0 + 9_000)));
      assert.ok(error <= estimate.uncertainty + 0.3, `run ${run}: ${error} > ${estimate.uncertainty}`);
    }
  }
});

test('a drift of 40 ppm is learned within 10 minutes and taken out over the hour that follows', () => {
  const estimator = new ClockEstimator();
  const remote = (local: number) => local * (1 + 40e-6);
  for (let i = 0; i <= 60; i++) estimator.add(exchange(remote, i * 10_000, 0.5, 0.5 + (i % 3) * 0.1));
  const at = 600_000 + 3_600_000;
  const estimate = estimator.estimate(at);
  assert.ok(estimate);
  assert.ok(Math.abs(estimate.offset - (remote(at) - at)) < 5, 'without the slope it would be 144 ms off');
});

test('a server whose clock was set is believed after 3 exchanges, not after the window has passed', () => {
  const estimator = new ClockEstimator();
  for (let i = 0; i < 10; i++) estimator.add(exchange((t) => t, i * 1_000, 0.2, 0.2));
  for (let i = 10; i < 13; i++) estimator.add(exchange((t) => t + 3_600_000, i * 1_000, 4, 4));
  assert.ok(Math.abs((estimator.estimate(13_000)?.offset ?? 0) - 3_600_000) < 5);
});

test('an exchange that cannot be one is refused', () => {
  assert.equal(sampleOf({ t0: 10, t1: 5, t2: 4, t3: 12 }), undefined);
  assert.equal(sampleOf({ t0: 10, t1: 5, t2: 5, t3: 9 }), undefined);
  assert.equal(sampleOf({ t0: 0, t1: 5, t2: 5, t3: 6_000 }), undefined);
  assert.equal(sampleOf({ t0: Number.NaN, t1: 5, t2: 5, t3: 6 }), undefined);
});

test('a correction of 100 ms is slewed at 0.5 %, never backwards, and arrives', () => {
  const clock = new SlewedClock(1_000, 0);
  clock.steer({ offset: 1_000, slope: 0, uncertainty: 1 }, 0);
  assert.equal(clock.steer({ offset: 900, slope: 0, uncertainty: 1 }, 10), 0);
  let before = clock.now(10);
  for (let at = 20; at <= 20_100; at += 10) {
    const now = clock.now(at);
    assert.ok(now > before && now - before >= 10 * (1 - SLEW_RATE) - 1e-6);
    before = now;
  }
  assert.equal(clock.now(20_110), 21_010);
});

test('what a slow first answer was wrong is mended at once, not slewed', () => {
  const clock = new SlewedClock(0, 0);
  clock.steer({ offset: 160, slope: 0, uncertainty: 170 }, 0);
  assert.equal(clock.steer({ offset: 0, slope: 0, uncertainty: 1 }, 250), -160);
  assert.equal(clock.now(250), 250);
  assert.equal(clock.steer({ offset: 20, slope: 0, uncertainty: 1 }, 500), 0, 'and from then on slewed');
});

test('a correction of an hour is a step, and says so', () => {
  const clock = new SlewedClock(0, 0);
  assert.equal(clock.steer({ offset: 3_600_000, slope: 0, uncertainty: 1 }, 10), 3_600_000);
  assert.equal(clock.now(10), 3_600_010);
});
