/**
 * Everything at once, at random: stores, headquarters, the hub and PostgreSQL are killed; headquarters, PostgreSQL and
 * stores put back to an earlier state, with and without a restore; the hub's folder lost; lines cut in the middle, and
 * frozen. Some stores are whole servers in processes of their own, and half of all come by NATS. At the end every play is
 * at headquarters exactly once. `VITRINE_CHAOS_SECONDS`: for how long; `VITRINE_CHAOS_SEED`: with which chances.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openPg } from '../../server/headquarters/testing/pg.ts';
import { loadIdentity } from '../../server/identity.ts';
import type { CutLine } from './cut-line.ts';
import { dice, seedOf } from './dice.ts';
import { noHub } from './hub.ts';
import type { Postgres } from './postgres.ts';
import { allTold, counted, type Member, openChain } from './simulated.ts';

const STORES = 17;
const SERVERS = 3;
/** A line is cut or frozen for so long at most, but for a few that are frozen for longer than anybody waits. */
const MOMENT_MS = 5_000;
const PATIENCE_MS = 35_000;
/** Stores come to the hub by addresses of loopback of their own: a Mac has but one. */
const byNats = !noHub && process.platform !== 'darwin';

/** False where something is being done to it already. */
type Act = readonly [weight: number, act: () => boolean];

export interface Chaos {
  /** What `VITRINE_CHAOS_SECONDS` says instead. */
  readonly seconds: number;
  /** Where headquarters has its plays, and the database there. By default they are in its own. */
  readonly postgres?: { readonly server: Postgres; readonly url: string };
}

export const lastsMs = (seconds: number): number => Number(process.env['VITRINE_CHAOS_SECONDS'] ?? seconds) * 1_000;

export const chaosOfPlays = async (t: TestContext, { seconds, postgres }: Chaos): Promise<void> => {
  const lasts = lastsMs(seconds);
  const seed = seedOf();
  t.diagnostic(`VITRINE_CHAOS_SEED=${seed}${byNats ? '' : ', WITHOUT NATS'}`);
  const roll = dice(seed);
  const { hq, hub, hubLine, stores } = await openChain(t, {
    ...{ stores: STORES, servers: SERVERS, byNats },
    ...(postgres && { env: { VITRINE_POSTGRES: postgres.url } }),
  });
  // Frozen from the middle on, for good: whoever has it comes by HTTPS then.
  const frozen = stores.slice(SERVERS).find((store) => store.lines.length > 1)?.lines[1];
  const all = [...stores.flatMap((store) => store.lines), ...(hubLine ? [hubLine] : [])];
  const lines = all.filter((line) => line !== frozen);
  if (byNats) await hub.has(1 + stores.filter((store) => store.lines.length > 1).length);

  const ending = new AbortController();
  const pause = (ms: number) => setTimeout(ms, undefined, { signal: ending.signal }).catch(() => {});
  let count = 0;
  /** What has something done to it, until that is over. */
  const busy = new Map<object, Promise<void>>();
  /** Does it beside everything else; false where something is being done to it already. */
  const to = (whom: object, work: () => Promise<void>): boolean => {
    if (busy.has(whom)) return false;
    busy.set(
      whom,
      work().finally(() => busy.delete(whom)),
    );
    return true;
  };
  const store =
    (work: (store: Member) => Promise<void>, among: readonly Member[] = stores) =>
    () => {
      const one = among[roll(among.length)]!;
      return to(one, () => work(one));
    };
  const line = () => lines[roll(lines.length)]!;
  const withLine = (work: (line: CutLine) => Promise<void>) => () => {
    const one = line();
    return to(one, () => work(one));
  };
  const headquarters = (between: () => void) => () =>
    to(hq, async () => {
      await hq.kill();
      between();
      await hq.start();
    });
  const killHub = (between: () => void) => () =>
    !byNats ||
    to(hub, async () => {
      await hub.kill();
      between();
      await hub.start();
    });
  let [pgKills, pgRestores] = [0, 0];
  const database = (between: (server: Postgres) => void) => () => {
    const server = postgres!.server;
    return to(server, async () => {
      await server.kill();
      pgKills++;
      between(server);
      await server.start();
    });
  };
  let byHub = 0;
  const counting = setInterval(async () => {
    byHub = await hub.segments().catch(() => byHub);
  }, 250);
  t.after(() => clearInterval(counting));
  const acts: Act[] = [
    [900, store((one) => one.show(1 + roll(20)))],
    // Not those in processes of their own, which are hurried by being started again.
    [250, store(async (one) => one.hurry(), stores.slice(SERVERS))],
    [30, withLine(async (one) => one.break())],
    [
      30,
      withLine(async (one) => {
        one.isCut = true;
        one.break();
        await pause(roll(MOMENT_MS));
        one.isCut = false;
      }),
    ],
    [
      30,
      withLine(async (one) => {
        one.isHeld = true;
        await pause(roll(10) === 0 ? PATIENCE_MS : roll(MOMENT_MS));
        one.isHeld = false;
      }),
    ],
    [60, store((one) => one.backUp())],
    [50, store((one) => one.kill())],
    [25, store((one) => one.putBack('restore'))],
    [25, store((one) => one.putBack('copy'))],
    [2, headquarters(() => {})],
    [2, headquarters(() => hq.keep())],
    [3, () => hq.isKept && headquarters(() => hq.putBack())()],
    [2, killHub(() => {})],
    [1, killHub(() => hub.loseFolder())],
  ];
  if (postgres)
    acts.push(
      [6, database(() => {})],
      [2, database((server) => server.keep())],
      [
        2,
        () =>
          postgres.server.isKept &&
          database((server) => {
            server.putBack();
            pgRestores++;
          })(),
      ],
    );
  const weights = acts.reduce((sum, [weight]) => sum + weight, 0);
  const any = () => {
    let rest = roll(weights);
    return acts.find(([weight]) => (rest -= weight) < 0)![1];
  };
  // Each of them once at least, by and by, however rare it is.
  const owed = [...acts];
  for (const begun = performance.now(); performance.now() < begun + lasts; count++) {
    const passed = (performance.now() - begun) / lasts;
    const isDue = acts.length - owed.length < passed * acts.length;
    if (owed.length > 0 && isDue) {
      const next = owed[roll(owed.length)]!;
      if (next[1]()) owed.splice(owed.indexOf(next), 1);
    } else any()();
    if (frozen && passed > 0.5) frozen.isHeld = true;
    await setTimeout(roll(60));
  }
  for (const one of lines) {
    one.isCut = false;
    one.isHeld = false;
  }
  ending.abort();
  await Promise.all(busy.values());
  const over = performance.now();
  for (const one of stores) await one.show(1);
  await allTold(stores);
  t.diagnostic(`all was told ${Math.round((performance.now() - over) / 1_000)} s after the last fault`);
  clearInterval(counting);
  for (const one of stores) await one.end();
  await hq.kill();
  const found = await counted(hq, postgres && openPg(t, postgres.url, loadIdentity(hq.data)).warehouse);
  let plays = 0;
  for (const { name, shown } of stores) {
    const { ids, sum } = found.get(name)!;
    assert.deepEqual(ids.toSorted(), shown.toSorted(), `plays of ${name}`);
    assert.equal(sum, shown.length, `sums of ${name}`);
    plays += sum;
  }
  const summed = (of: (one: Member) => number) => stores.reduce((sum, one) => sum + of(one), 0);
  t.diagnostic(
    `${plays} plays, ${byHub} segments by NATS; ${count} acts; headquarters killed ${hq.kills} times, put back ${hq.restores} times; the hub killed ${hub.kills} times; ${postgres ? `PostgreSQL killed ${pgKills} times, put back ${pgRestores} times; ` : ''}stores killed ${summed(({ kills }) => kills)} times, put back ${summed(({ restores }) => restores)} times`,
  );
  assert.ok(plays > 50, 'something happened');
  assert.ok(!byNats || byHub > 0, 'something came by NATS');
};
