import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Cursor, type Epoch, goOn, judge, lastsOf, waiting } from './cursor.ts';

test('judge recognizes new, known and early segments, and returns the first new play number of a segment', () => {
  assert.deepEqual(judge(0, { first: 1, last: 9 }), { take: 'from', from: 1 });
  assert.deepEqual(judge(9, { first: 1, last: 9 }), { take: 'nothing' });
  assert.deepEqual(judge(20, { first: 1, last: 9 }), { take: 'nothing' });
  assert.deepEqual(judge(5, { first: 1, last: 9 }), { take: 'from', from: 6 });
  assert.deepEqual(judge(5, { first: 6, last: 6 }), { take: 'from', from: 6 });
  assert.deepEqual(judge(5, { first: 7, last: 9 }), { take: 'gap', from: 6 });
});

test('every play number is accepted exactly once when segments overlap, repeat, or arrive in any order', () => {
  const stretch = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 200 }), (sent) => {
      let through = 0;
      const taken: number[] = [];
      // Lost or early segments are sent again at the end, from the cursor on.
      const all = [...sent.map(([first, length]) => ({ first, last: first + length }))];
      const take = (segment: { first: number; last: number }) => {
        const verdict = judge(through, segment);
        if (verdict.take !== 'from') return;
        for (let n = verdict.from; n <= segment.last; n++) taken.push(n);
        through = segment.last;
      };
      all.forEach(take);
      take({ first: through + 1, last: 100 });
      assert.deepEqual(
        taken,
        Array.from({ length: 100 }, (_, i) => i + 1),
      );
    }),
  );
});

const epochName = (i: number) => String(i).padStart(32, '0');
/**
 * Successive databases of a store. A restored database begins with a number that the previous database may also have
 * used.
 */
const history = fc
  .array(fc.record({ given: fc.integer({ min: 0, max: 30 }), back: fc.integer({ min: 0, max: 30 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((databases) => {
    let newest = 0;
    const epochs: Epoch[] = databases.map(({ given, back }, i) => {
      const first = i === 0 ? 1 : Math.max(1, newest + 1 - back);
      newest = first - 1 + given;
      return { epoch: epochName(i), first };
    });
    return { epochs, newest };
  });

test('store sends plays after the last play at headquarters, epoch by epoch, until headquarters has all', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 7 }), ({ epochs, newest }, step) => {
      const cursors = new Map<string, Cursor>();
      const taken: string[] = [];
      for (let left = 1000; left > 0; left--) {
        const place = goOn(epochs, newest, [...cursors.values()]);
        const owed = waiting(epochs, newest, [...cursors.values()]);
        if (!place) {
          assert.equal(owed, 0);
          break;
        }
        assert.ok(owed > 0);
        const last = Math.min(place.through, place.first + step - 1);
        for (let n = place.first; n <= last; n++) taken.push(`${place.epoch}:${n}`);
        cursors.set(place.epoch, { epoch: place.epoch, through: last, head: '' });
      }
      const wanted = epochs.flatMap(({ epoch, first }, i) => {
        // A later epoch uses this number again, so the number no longer belongs to this epoch.
        const last = Math.min(newest, ...epochs.slice(i + 1).map((later) => later.first - 1));
        assert.equal(lastsOf(epochs, newest)[i], Math.max(first - 1, last));
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => `${epoch}:${first + n}`);
      });
      assert.deepEqual(taken, wanted);
    }),
  );
});

test('headquarters that was restored from a backup receives the missing plays again', () => {
  const epochs = [{ epoch: epochName(0), first: 1 }];
  assert.equal(goOn(epochs, 50, [{ epoch: epochName(0), through: 50, head: '' }]), undefined);
  assert.deepEqual(goOn(epochs, 50, [{ epoch: epochName(0), through: 30, head: '' }]), {
    epoch: epochName(0),
    first: 31,
    through: 50,
  });
});

test('store does not send plays again that headquarters has from before the store’s restore', () => {
  // The store was restored to the state after play 40. Headquarters already had 55 plays of the previous epoch.
  const epochs = [
    { epoch: epochName(0), first: 1 },
    { epoch: epochName(1), first: 41 },
  ];
  const cursors = [{ epoch: epochName(0), through: 55, head: '' }];
  assert.deepEqual(goOn(epochs, 44, cursors), { epoch: epochName(1), first: 41, through: 44 });
  assert.equal(waiting(epochs, 44, cursors), 4);
});
