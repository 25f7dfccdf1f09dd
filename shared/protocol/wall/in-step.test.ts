import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changesOf, inStep, type Picture, stretchesOf } from './in-step.ts';

const frames = (start: number, count: number, late: readonly number[] = [0]): Picture[] =>
  Array.from({ length: count }, (_, n) => ({
    at: start + n * 40 + (late[n % late.length] ?? 0),
    meant: n * 40,
    moves: true,
  }));
const figures = (panels: readonly Picture[][], from: number, to: number) => {
  const found = inStep(stretchesOf(panels, from, to));
  return found && { share: Math.round(found.share * 1000) / 1000, p50: found.p50, p99: found.p99 };
};

test('panels with the same frames at the same instants are synchronized', () =>
  assert.deepEqual(figures([frames(0, 50), frames(0, 50)], 0, 2_000), { share: 1, p50: 0, p99: 0 }));

test('panel that is a quarter of a frame late shows an older frame for a quarter of the time', () => {
  const panels = [frames(0, 51), frames(0, 51), frames(0, 51, [10])];
  assert.deepEqual(figures(panels, 40, 2_000), { share: 0.75, p50: 0, p99: 40 });
});

test('while one panel shows an older frame because it skipped a frame, the panels count as different', () => {
  const some = frames(0, 51).filter((_, n) => n % 10 !== 5);
  assert.deepEqual(figures([frames(0, 51), some], 0, 2_000), { share: 0.9, p50: 0, p99: 40 });
});

test('two stills count as different only for the time between the change of the first and of the last panel', () => {
  const still = (at: number, meant: number): Picture => ({ at, meant, moves: false });
  const panels = [
    [still(0, 0), still(10_000, 10_000)],
    [still(0, 0), still(10_016, 10_000)],
  ];
  assert.deepEqual(stretchesOf(panels, 9_000, 11_000), [
    { apart: 0, lasted: 1_000 },
    { apart: 16, lasted: 16 },
    { apart: 0, lasted: 984 },
  ]);
  assert.deepEqual(changesOf(panels), [16]);
});

test('changes exclude a still that was visible from the start, and a still that one panel did not show', () => {
  const still = (at: number, meant: number): Picture => ({ at, meant, moves: false });
  assert.deepEqual(changesOf([[still(-1, 0)], [still(-1, 0), still(500, 400)]]), []);
  // The following are no changes either: a still on one panel only, the same still again, or a frame of a clip.
  const [again, clip] = [[still(0, 1_000), still(500, 1_002)], frames(0, 5)];
  for (const panels of [[[still(0, 0), still(500, 400)]], [again, again], [clip, clip]])
    assert.deepEqual(changesOf(panels), []);
});

test('pictures within 2 ms count as equal, and pictures 500 ms apart as different items', () => {
  const still = (at: number, meant: number): Picture => ({ at, meant, moves: false });
  const apart = (by: number) => stretchesOf([[still(0, 1_000)], [still(0, 1_000 + by)]], 0, 100)[0]?.apart;
  assert.deepEqual([2, 2.5, 499, 500, 700].map(apart), [0, 2.5, 499, 100, 100]);
  const panels = [
    [still(0, 0), still(20, 40), still(60, 1_000), still(80, 2_000)],
    [still(0, 0), still(40, 40), still(100, 2_000)],
  ];
  assert.deepEqual(stretchesOf(panels, 0, 120), [
    { apart: 0, lasted: 20 },
    { apart: 40, lasted: 20 },
    { apart: 0, lasted: 20 },
    { apart: 40, lasted: 40 },
    { apart: 0, lasted: 20 },
  ]);
});

test('p50 and p99 of the distances are exact', () => {
  const p50 = (same: number) =>
    inStep([
      { apart: 40, lasted: 1 - same },
      { apart: 0, lasted: same },
    ]);
  assert.deepEqual(p50(0.5), { share: 0.5, p50: 0, p99: 40 });
  assert.deepEqual(p50(0.25), { share: 0.25, p50: 40, p99: 40 });
});

test('single panel, or a panel without data, is not compared', () => {
  assert.equal(inStep(stretchesOf([frames(0, 10)], 0, 400)), null);
  assert.equal(inStep(stretchesOf([frames(0, 10), []], 0, 400)), null);
});

test('compared time ranges cover all the time in which each panel’s picture is known, in any order of panels', () => {
  const panel = fc
    .array(
      fc.record({
        at: fc.integer({ min: 0, max: 2_000 }),
        meant: fc.integer({ min: 0, max: 2_000 }),
        moves: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((pictures) => pictures.sort((a, b) => a.at - b.at));
  fc.assert(
    fc.property(fc.array(panel, { minLength: 2, maxLength: 5 }), (panels) => {
      const found = stretchesOf(panels, 0, 2_000);
      const known = Math.max(...panels.map((pictures) => pictures[0]?.at ?? 0));
      assert.equal(
        found.reduce((sum, { lasted }) => sum + lasted, 0),
        Math.max(0, 2_000 - known),
      );
      assert.deepEqual(stretchesOf([...panels].reverse(), 0, 2_000), found);
      const all = inStep(found);
      if (all) assert.ok(all.share >= 0 && all.share <= 1 && all.p50 <= all.p99);
      // Panels with equal content are synchronized.
      assert.ok(stretchesOf([panels[0] ?? [], panels[0] ?? []], 0, 2_000).every(({ apart }) => apart === 0));
    }),
  );
});
