import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { agreed, begin, expected, judgeClock, type Moment, sureAt, type Trust, timeOf } from './trusted-time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const T = Date.UTC(2026, 2, 10, 9);
const at = (wall: number, mono: number, awake?: number): Moment => ({ wall, mono, awake });

describe('across a restart', () => {
  const cases: readonly (readonly [what: string, evidence: number | undefined, wall: number, doubtful: boolean])[] = [
    ['a new folder is sure of any clock', undefined, T - 20 * YEAR, false],
    ['a minute later', T, T + 60_000, false],
    ['a night later', T, T + 14 * HOUR, false],
    ['an hour earlier, as at the end of summer time', T, T - HOUR, false],
    ['23 hours ahead', T, T + 23 * HOUR, false],
    ['23 hours behind', T, T - 23 * HOUR, false],
    ['off for three days, or ahead', T, T + 3 * DAY, true],
    ['two years ahead', T, T + 2 * YEAR, true],
    ['a day and a minute behind', T, T - DAY - 60_000, true],
    ['a dead battery', T, 0, true],
  ];
  for (const [what, evidence, wall, doubtful] of cases) {
    test(what, () => {
      const trust = begin(evidence, at(wall, 5));
      assert.equal(trust.doubt !== null, doubtful);
      // While the clock is untrusted: a clock that is behind is certainly wrong, and a clock that is ahead may be
      // right, because the machine may have been off for long.
      assert.equal(timeOf(trust, at(wall, 5)), doubtful ? Math.max(wall, T) : wall);
    });
  }

  test('clock is trusted again after it was corrected', () => {
    const trust = judgeClock(begin(T, at(0, 0)), at(T + 2 * HOUR, 60_000));
    assert.equal(trust.doubt, null);
    assert.equal(timeOf(trust, at(T + 2 * HOUR, 60_000)), T + 2 * HOUR);
  });

  test('second jump while the clock is already untrusted gets a new id', () => {
    const first = begin(T, at(0, 0));
    const second = judgeClock(first, at(T + 3 * DAY, 60_000));
    assert.ok(first.doubt && second.doubt);
    assert.notEqual(second.doubt.id, first.doubt.id);
    assert.equal(
      judgeClock(second, at(T + 3 * DAY + HOUR, 60_000 + HOUR)),
      second,
      'it stays the same while its time goes on',
    );
  });
});

describe('while it runs', () => {
  const running = sureAt(at(T, 1_000));
  for (const [what, by, doubtful] of [
    ['summer time', HOUR, false],
    ['a correction by 23 hours', 23 * HOUR, false],
    ['one back by 23 hours', -23 * HOUR, false],
    ['two years ahead', 2 * YEAR, true],
    ['years behind', -20 * YEAR, true],
  ] as const) {
    test(what, () => {
      const now = at(T + by + 5_000, 6_000);
      const trust = judgeClock(running, now);
      assert.equal(trust.doubt !== null, doubtful);
      assert.equal(
        timeOf(trust, now),
        doubtful ? T + 5_000 : T + by + 5_000,
        'doubted, the time goes on as if nobody had set the clock',
      );
    });
  }

  test('clock is trusted after years that really pass', () => {
    assert.equal(judgeClock(running, at(T + 3 * YEAR, 1_000 + 3 * YEAR)).doubt, null);
  });

  test('sleep over a weekend does not count as a jump of the clock if the system reports how long it slept', () => {
    const before = sureAt(at(T, 1_000, 50_000));
    assert.equal(judgeClock(before, at(T + 3 * DAY, 2_000, 51_000 + 3 * DAY)).doubt, null);
    assert.ok(judgeClock(before, at(T + 3 * DAY, 2_000, 51_000)).doubt);
    assert.ok(judgeClock(running, at(T + 3 * DAY, 2_000)).doubt);
  });
});

test('property: untrusted clock never changes the trusted time, and a corrected clock is trusted again', () => {
  const step = fc.record({
    passes: fc.integer({ min: 0, max: 5 * DAY }),
    set: fc.integer({ min: -30 * YEAR, max: 30 * YEAR }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let trust: Trust = sureAt(at(T, 0));
      let [mono, offset, offsetSure, before] = [0, 0, 0, T];
      for (const { passes, set } of steps) {
        mono += passes;
        offset += set;
        const now = at(T + mono + offset, mono);
        trust = judgeClock(trust, now);
        if (trust.doubt === null) offsetSure = offset;
        assert.equal(timeOf(trust, now), T + mono + offsetSure);
        assert.ok(
          Math.abs(timeOf(trust, now) - before - passes) <= DAY,
          'what the server goes by never jumps by more than a day',
        );
        assert.equal(expected(trust, now), T + mono + offsetSure);
        before = timeOf(trust, now);
        const back = judgeClock(trust, at(T + mono + offsetSure, mono));
        assert.equal(back.doubt, null);
      }
    }),
  );
});

describe('the screens agree', () => {
  const now = at(T, 100_000);
  let computers = 0;
  const says = (off: number, ago = 5_000, computer = `another ${computers++}`) => ({
    wall: T - ago + off,
    mono: 100_000 - ago,
    computer,
  });
  for (const [what, opinions, screens, yes] of [
    ['nobody said anything', [], 3, false],
    ['one of three is not enough', [says(0)], 3, false],
    ['two of three heard two', [says(0), says(60_000)], 3, true],
    ['the only one there is', [says(0)], 1, true],
    ['the only one, of another opinion', [says(YEAR)], 1, false],
    ['as many against', [says(0), says(0), says(-50 * YEAR), says(-50 * YEAR)], 4, false],
    [
      'more than half, the others without a clock',
      [says(0), says(0), says(0), says(-50 * YEAR), says(-50 * YEAR)],
      5,
      true,
    ],
    ['a quarter of an hour off is still agreed', [says(15 * 60_000), says(-15 * 60_000)], 2, true],
    ['more is not', [says(15 * 60_000 + 1), says(0)], 2, false],
    ['who left a minute ago does not count', [says(0, 60_000), says(0)], 2, false],
    ['a store without screens', [], 0, false],
    ['two of one computer have one clock, and a third that says nothing', [says(0, 0, 'a'), says(0, 0, 'a')], 3, false],
    ['all of the only computer there is', [says(0, 0, 'a'), says(0, 0, 'a')], 2, true],
    [
      'many of one computer outvote nobody',
      [says(0, 0, 'a'), says(0, 0, 'a'), says(0, 0, 'a'), says(YEAR), says(YEAR)],
      5,
      false,
    ],
    [
      'many of one computer are no majority against others',
      [says(YEAR, 0, 'a'), says(YEAR, 0, 'a'), says(YEAR, 0, 'a'), says(0), says(0)],
      5,
      true,
    ],
    ['what a computer said last counts', [says(YEAR, 20_000, 'a'), says(0, 5_000, 'a'), says(0)], 2, true],
  ] as const) {
    test(what, () => assert.equal(agreed(opinions, now, screens), yes));
  }

  test('property: screen with another time never helps the clock to be trusted, and reports count in any order', () => {
    const off = fc.integer({ min: -2 * HOUR, max: 2 * HOUR });
    fc.assert(
      fc.property(fc.array(off, { maxLength: 20 }), fc.integer({ min: 1, max: 30 }), (offs, screens) => {
        const opinions = offs.map((by) => says(by));
        const yes = agreed(opinions, now, screens);
        assert.equal(agreed(opinions.toReversed(), now, screens), yes);
        if (!yes) assert.equal(agreed([...opinions, says(YEAR)], now, screens), false);
        else assert.equal(agreed([...opinions, says(0)], now, screens), true);
      }),
    );
  });
});
