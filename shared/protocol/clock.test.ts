import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockEstimator, SLEW_RATE, SlewedClock, sampleOf } from './clock.ts';

/** Simulates an exchange with a drifting remote clock over a network with the given delays. */
function exchange(remote: (local: number) => number, t0: number, there: number, back: number) {
  const t1 = remote(t0 + there);
  const sample = sampleOf({ t0, t1, t2: t1, t3: t0 + there + back });
  assert.ok(sample);
  return sample;
}

test('fastest exchange determines the estimate, whatever values the slower exchanges have', () => {
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

test('true offset is within the stated uncertainty for random networks and drifts', () => {
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

test('drift of 40 ppm is learned within 10 minutes and removed for the following hour', () => {
  const estimator = new ClockEstimator();
  const remote = (local: number) => local * (1 + 40e-6);
  for (let i = 0; i <= 60; i++) estimator.add(exchange(remote, i * 10_000, 0.5, 0.5 + (i % 3) * 0.1));
  const at = 600_000 + 3_600_000;
  const estimate = estimator.estimate(at);
  assert.ok(estimate);
  assert.ok(Math.abs(estimate.offset - (remote(at) - at)) < 5, 'without the slope it would be 144 ms off');
});

test('estimator adopts the new time of a server whose clock was set, after 3 exchanges', () => {
  const estimator = new ClockEstimator();
  for (let i = 0; i < 10; i++) estimator.add(exchange((t) => t, i * 1_000, 0.2, 0.2));
  for (let i = 10; i < 13; i++) estimator.add(exchange((t) => t + 3_600_000, i * 1_000, 4, 4));
  assert.ok(Math.abs((estimator.estimate(13_000)?.offset ?? 0) - 3_600_000) < 5);
});

test('sampleOf returns offset and round trip of exchanges up to 5 s, and refuses invalid values', () => {
  const nan = Number.NaN;
  for (const [t0, t1, t2, t3, ...known] of [
    [0, 105, 107, 12, 100, 10],
    [0, 5, 5, 0, 5, 0],
    [0, 5, 8, 2, 5.5, 0], // clocks with a resolution of whole milliseconds
    [0, 5, 5, 5_000, -2_495, 5_000],
    [0, 5, 8.5, 2],
    [10, 5, 4, 12],
    [10, 5, 5, 9],
    [0, 5, 5, 5_001],
    [nan, 5, 5, 6],
  ] as const)
    assert.deepEqual(
      sampleOf({ t0, t1, t2, t3 }),
      known.length === 0 ? undefined : { at: t3, offset: known[0], rtt: known[1] },
    );
});

/** Returns the estimate of samples that arrived at one instant, given as [offset, rtt]. */
const estimated = (...samples: readonly (readonly [number, number])[]) => {
  const estimator = new ClockEstimator();
  for (const [offset, rtt] of samples) estimator.add({ at: 1_000, offset, rtt });
  const { offset, uncertainty } = estimator.estimate(1_000) ?? assert.fail();
  return [offset, uncertainty].map((ms) => Math.round(ms * 1e9) / 1e9);
};

test('estimate averages exchanges nearly as fast as the fastest exchange, and excludes contradicting exchanges', () => {
  assert.equal(new ClockEstimator().estimate(0), undefined);
  assert.deepEqual(estimated([10, 0.2], [10.4, 0.6]), [10.04, 0.1], '100 parts of the one, 100 / 9 of the other');
  assert.deepEqual(estimated([10, 0.2], [10.5, 1.4]), [10, 0.1], 'half a millisecond slower at most');
  assert.deepEqual(
    estimated([10, 0.5], [10.5, 1.5]),
    [10 + 0.5 / 37, 0.25].map((ms) => Math.round(ms * 1e9) / 1e9),
  );
  assert.deepEqual(estimated([10, 0.2], [11, 0.6]), [10, 0.1]);
  assert.deepEqual(estimated([0, 0.2], [5, 0.2]), [0, 0.1], 'of two that are as fast, the earlier');
});

test('uncertainty grows by 50 ppm, and samples expire after 11 minutes or after 64 newer samples', () => {
  for (const [later, uncertainty] of [
    [100_000, 5],
    [660_000, 33],
    [660_001, 50],
  ] as const) {
    const estimator = new ClockEstimator();
    estimator.add({ at: 0, offset: 0, rtt: 0 });
    estimator.add({ at: later, offset: 0, rtt: 100 });
    assert.equal(estimator.estimate(later)?.uncertainty.toFixed(6), uncertainty.toFixed(6));
  }
  const estimator = new ClockEstimator();
  for (let i = 0; i < 64; i++) estimator.add({ at: 0, offset: 0, rtt: i && 100 });
  assert.equal(estimator.estimate(0)?.uncertainty, 0);
  estimator.add({ at: 0, offset: 0, rtt: 100 });
  assert.equal(estimator.estimate(0)?.uncertainty, 50);
  estimator.reset();
  assert.equal(estimator.estimate(0), undefined);
});

test('three consecutive contradicting samples mean that a clock was set', () => {
  const estimator = new ClockEstimator();
  const told = (offset: number, rtt: number) => {
    estimator.add({ at: 0, offset, rtt });
    const { offset: now, uncertainty } = estimator.estimate(0) ?? assert.fail();
    return [now, uncertainty];
  };
  told(0, 2);
  // The differences are within half of the round trip, the known uncertainty, and 1 ms, so there is no contradiction.
  for (let i = 0; i < 4; i++) assert.deepEqual(told(4, 4), [0, 1]);
  for (const offset of [4.01, 4.01, 0]) assert.deepEqual(told(offset, 4), [0, 1]);
  for (const rtt of [3, 4]) assert.deepEqual(told(4.01, rtt), [0, 1]);
  // The fastest of the three exchanges determines the new estimate, and is the first of them.
  for (const [offset, rtt] of [
    [4.01, 4],
    [50, 5],
    [50, 5],
  ] as const) {
    const [now = 0, uncertainty] = told(offset, rtt);
    assert.deepEqual([now.toFixed(9), uncertainty], ['4.010000000', 1.5]);
  }
  assert.equal(told(50, 5)[0], 50);
});

/** Returns an estimator after the answers `[at, offset, rtt]`. */
const after = (answers: readonly (readonly [number, number, number])[]) => {
  const estimator = new ClockEstimator();
  for (const [at, offset, rtt] of answers) estimator.add({ at, offset, rtt });
  return estimator;
};
/**
 * 16 answers of a clock that drifts by 2⁻¹⁴ (61 ppm). Each answer is `noise` milliseconds off the straight line. All
 * values are exact.
 */
const drifting = (drift: number, noise = 0) =>
  after(
    Array.from({ length: 16 }, (_, i) => {
      const at = (i + 3) * 16_384;
      return [at, 50 + at * drift + ([noise, -noise][((i + 1) >> 1) % 2] ?? 0), 40] as const;
    }),
  );

test('steady drift is learned exactly and leaves an uncertainty of 10 ppm', () => {
  const [end, later] = [18 * 16_384, 18 * 16_384 + 100_000];
  assert.deepEqual(drifting(2 ** -14).estimate(end), { offset: 50 + 18, uncertainty: 20, slope: 2 ** -14 });
  assert.equal(drifting(2 ** -14).estimate(later)?.uncertainty, 21);
  for (const [drift, known] of [
    [199e-6, true],
    [-199e-6, true],
    [201e-6, false],
  ] as const)
    assert.equal(drifting(drift).estimate(end)?.slope !== 0, known, `${drift}`);
  // Answers that are 2.8259 ms off the straight line give a standard error of the slope of 10 ppm here.
  assert.ok(drifting(2 ** -14, 2.8255).estimate(end)?.slope);
  assert.equal(drifting(2 ** -14, 2.8264).estimate(end)?.slope, 0);
});

test('drift is estimated only from at least 12 fast answers over at least 2 minutes', () => {
  const slope = (count: number, span: number, rtt: number) => {
    const ats = [...Array.from({ length: count - 1 }, (_, i) => 50_000 + i * 5_000), 50_000 + span];
    return after(ats.map((at, i) => [at, at * 1e-4, i === 3 ? rtt : 40] as const)).estimate(200_000)?.slope;
  };
  const told = [slope(12, 120_000, 40), slope(12, 120_000, 60.5)];
  for (const found of told) assert.ok(Math.abs((found ?? 0) - 1e-4) < 1e-9);
  assert.deepEqual([slope(11, 120_000, 40), slope(12, 119_999, 40), slope(12, 120_000, 60.6)], [0, 0, 0]);
});

test('correction of 100 ms is slewed at 0.5 %, never backwards, and completes', () => {
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

const answer = (offset: number, uncertainty = 1, slope = 0) => ({ offset, uncertainty, slope });

test('clock is stepped until the uncertainty is 5 ms or 8 answers have come, and then slewed up to 250 ms', () => {
  const settled = new SlewedClock(0, 0);
  assert.equal(settled.steer(answer(160, 5.5), 0), 160);
  assert.equal(settled.steer(answer(0, 5), 250), -160);
  assert.equal(settled.now(250), 250);
  assert.equal(settled.steer(answer(250), 500), 0, 'and from then on slewed');
  assert.equal(settled.now(500), 500);
  assert.equal(settled.now(600), 600.5);
  assert.equal(settled.steer(answer(-251), 500), -251);
  const slow = new SlewedClock(0, 0);
  for (let i = 1; i <= 8; i++) assert.equal(slow.steer(answer(i, 100), i), 1);
  assert.equal(slow.steer(answer(9, 100), 9), 0);
});

test('clock keeps its drift between answers, and does not slew before the last answer', () => {
  const clock = new SlewedClock(0, 0);
  clock.steer(answer(500, 1, 0.0001), 1_000);
  assert.deepEqual([clock.now(1_000), clock.now(3_000)], [1_500, 3_500.2]);
  clock.steer(answer(600), 1_000);
  assert.equal(clock.now(0), 500);
});

test('correction of an hour is a step, and its size is returned', () => {
  const clock = new SlewedClock(0, 0);
  assert.equal(clock.steer({ offset: 3_600_000, slope: 0, uncertainty: 1 }, 10), 3_600_000);
  assert.equal(clock.now(10), 3_600_010);
});
