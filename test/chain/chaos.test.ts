/**
 * Everything at once, at random: headquarters killed and put back to an earlier state, stores restored from backups and
 * put back without one, lines cut in the middle. At the end every play is at headquarters exactly once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTold, counted, openChain } from './simulated.ts';

const STORES = 6;
const LASTS_MS = Number(process.env['VITRINE_CHAOS_SECONDS'] ?? 25) * 1_000;

/** Repeats what happened: the seed is said. */
const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

test('whatever is killed, cut and put back, every play is at headquarters exactly once', {
  timeout: LASTS_MS + 120_000,
}, async (t) => {
  const seed = Number(process.env['VITRINE_CHAOS_SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`VITRINE_CHAOS_SEED=${seed}`);
  const roll = dice(seed);
  const { hq, stores } = await openChain(t, STORES);
  const any = () => stores[roll(stores.length)]!;
  const acts: readonly [weight: number, act: () => Promise<void> | void][] = [
    [40, () => any().show(1 + roll(20))],
    [10, () => any().link!.hurry()],
    [6, () => any().line.break()],
    [
      4,
      () => {
        const { line } = any();
        line.isCut = !line.isCut;
        line.break();
      },
    ],
    [4, () => any().backUp()],
    [2, () => any().putBack('restore')],
    [2, () => any().putBack('copy')],
    [
      3,
      async () => {
        await hq.kill();
        await hq.start();
      },
    ],
    [
      1,
      async () => {
        await hq.kill();
        hq.keep();
        await hq.start();
      },
    ],
    [
      2,
      async () => {
        await hq.kill();
        hq.putBack();
        await hq.start();
      },
    ],
  ];
  const all = acts.reduce((sum, [weight]) => sum + weight, 0);
  for (const end = performance.now() + LASTS_MS; performance.now() < end; ) {
    let rest = roll(all);
    const [, act] = acts.find(([weight]) => (rest -= weight) < 0)!;
    await act();
    await new Promise((next) => setTimeout(next, roll(60)));
  }
  for (const { line } of stores) line.isCut = false;
  for (const store of stores) await store.show(1);
  await allTold(stores);
  for (const store of stores) await store.end();
  await hq.kill();
  const found = await counted(hq);
  let plays = 0;
  for (const { name, panels } of stores) {
    const { ids, sum } = found.get(name)!;
    assert.deepEqual(ids.toSorted(), panels.shown.toSorted(), `plays of ${name}`);
    assert.equal(sum, panels.shown.length, `sums of ${name}`);
    plays += sum;
  }
  const restores = stores.reduce((sum, store) => sum + store.restores, 0);
  t.diagnostic(
    `${plays} plays; headquarters killed ${hq.kills} times, put back ${hq.restores} times; stores put back ${restores} times`,
  );
  assert.ok(plays > 50, 'something happened');
});
