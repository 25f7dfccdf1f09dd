import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Meter, Pace, pieceOf } from './pace.ts';

test('whatever comes in pieces, and however long each takes, no ten seconds bring more than the rate and a tenth', () => {
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
          now += pace.took(piece, rate);
        }
        for (const from of came) {
          const bytes = came.filter((at) => at >= from && at < from + 10_000).length * piece;
          assert.ok(bytes <= rate * 11, `${bytes} bytes of ${rate * 10}`);
        }
      },
    ),
  );
});

test('where the network is not what is slow, it is not slower than it may be', () => {
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
          now += pace.took(piece, rate);
        }
        const ideal = (takes.length * piece * 1000) / rate;
        assert.ok(now <= ideal * 1.1 && now >= ideal * 0.9, `${now} instead of ${ideal}`);
      },
    ),
  );
});

test('without a rate nothing waits, and all is asked for at once', () => {
  assert.equal(new Pace(() => 0).took(1e9, null), 0);
  assert.equal(pieceOf(null), undefined);
});

test('the rate that is told is of the last minute, and none where nothing came', () => {
  let now = 0;
  const meter = new Meter(() => now);
  assert.equal(meter.rate, null);
  now = 10_000;
  meter.took(50_000);
  assert.equal(meter.rate, 5_000, 'it has not been a minute');
  now = 65_000;
  meter.took(10_000);
  assert.equal(meter.rate, 1_000);
  now = 120_000;
  assert.equal(meter.rate, Math.round(10_000 / 60));
  now = 126_000;
  assert.equal(meter.rate, null);
});
