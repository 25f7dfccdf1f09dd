import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { loadTotp, type Totp } from './totp.ts';

/** A simple reference implementation of RFC 6238. */
const codeOf = (secret: string, step: number): string => {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((b) => Number.parseInt(b, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
};

let totp: Totp;
before(async () => {
  totp = await loadTotp();
});

const at = fc.integer({ min: 1_600_000_000, max: 4_000_000_000 });
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

test('codes match RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const [time, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [2000000000, '279037'],
  ] as const) {
    assert.equal(totp.acceptedStep({ secret, code, at: time, lastStep: -1 }), Math.floor(time / 30));
  }
});

test('a code is accepted in its own time step and in the steps just before and after it', () => {
  fc.assert(
    fc.property(at, fc.integer({ min: -5, max: 5 }), (now, away) => {
      const step = Math.floor(now / 30) + away;
      const code = codeOf(SECRET, step);
      const near = [-1, 0, 1].map((d) => Math.floor(now / 30) + d);
      const accepted = totp.acceptedStep({ secret: SECRET, code, at: now, lastStep: 0 });
      // Two time steps may have the same code by chance. The code must then belong to one of the adjacent steps.
      const right = near.filter((s) => codeOf(SECRET, s) === code);
      assert.equal(accepted !== undefined, right.length > 0);
      if (accepted !== undefined) assert.ok(right.includes(accepted));
    }),
    { numRuns: 300 },
  );
});

test('a code’s time step is accepted only once, in whatever order codes arrive', () => {
  fc.assert(
    fc.property(
      at,
      fc.array(fc.record({ later: fc.integer({ min: 0, max: 40 }), away: fc.integer({ min: -2, max: 2 }) }), {
        maxLength: 30,
      }),
      (start, arrivals) => {
        let now = start;
        let lastStep = 0;
        const used = new Set<number>();
        for (const { later, away } of arrivals) {
          now += later;
          const step = totp.acceptedStep({
            secret: SECRET,
            code: codeOf(SECRET, Math.floor(now / 30) + away),
            at: now,
            lastStep,
          });
          if (step === undefined) continue;
          assert.ok(!used.has(step));
          assert.ok(step > lastStep);
          used.add(step);
          lastStep = step;
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a time step that was stored by a clock ahead does not refuse codes after the clock’s correction', () => {
  fc.assert(
    fc.property(at, fc.integer({ min: 2, max: 1_000_000 }), (now, ahead) => {
      const step = Math.floor(now / 30);
      assert.equal(
        totp.acceptedStep({ secret: SECRET, code: codeOf(SECRET, step), at: now, lastStep: step + ahead }) !==
          undefined,
        true,
      );
    }),
    { numRuns: 100 },
  );
});

test('a text other than six digits is not a code', () => {
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '12345６', '-12345', ' 12345'])
    assert.equal(totp.acceptedStep({ secret: SECRET, code, at: 1_700_000_000, lastStep: 0 }), undefined);
});

test('secrets have 160 bits and are all different', () => {
  const secrets = new Set(Array.from({ length: 50 }, () => totp.newSecret()));
  assert.equal(secrets.size, 50);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
});
