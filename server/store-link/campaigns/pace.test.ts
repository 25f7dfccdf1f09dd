import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Meter, Pace, pieceOf } from './pace.ts';

test('download rate stays within 10 % of its limit in any ten seconds, for any sizes of pieces and any delays', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 5, maxLength: 60 }),
      (kilobytes, takes) => {
        let now = 0;
        const pace = new Pace(() => now);
        const rate = kilobytes * 1000;
        const piece = pieceOf(rate)!;
        const came: number[] = [];
        for (const ms of takes) {
          now += ms;
          came.push(now);
          now += pace.count(piece, rate);
        }
        for (const from of came) {
          const bytes = came.filter((at) => at >= from && at < from + 10_000).length * piece;
          assert.ok(bytes <= rate * 11, `${bytes} bytes of ${rate * 10}`);
        }
      },
    ),
  );
});

test('download rate reaches its limit when the network is fast enough', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 30, maxLength: 60 }),
      (kilobytes, takes) => {
        let now = 0;
        const pace = new Pace(() => now);
        const rate = kilobytes * 1000;
        const piece = pieceOf(rate)!;
        for (const ms of takes) {
          now += ms;
          now += pace.count(piece, rate);
        }
        const ideal = (takes.length * piece * 1000) / rate;
        assert.ok(now <= ideal * 1.1 && now >= ideal * 0.9, `${now} instead of ${ideal}`);
      },
    ),
  );
});

test('download without a rate limit never waits and requests the whole file at once', () => {
  assert.equal(new Pace(() => 0).count(1e9, null), 0);
  assert.equal(pieceOf(null), undefined);
});

test('meter returns the rate of the last minute, and null when nothing was received', () => {
  let now = 0;
  const meter = new Meter(() => now);
  assert.equal(meter.rate, null);
  now = 10_000;
  meter.count(50_000);
  assert.equal(meter.rate, 5_000, 'it has not been a minute');
  now = 65_000;
  meter.count(10_000);
  assert.equal(meter.rate, 1_000);
  now = 120_000;
  assert.equal(meter.rate, Math.round(10_000 / 60));
  now = 126_000;
  assert.equal(meter.rate, null);
});
