/**
 * Random simultaneous faults: stores, headquarters, the hub and PostgreSQL are killed; headquarters, PostgreSQL and
 * stores return to an earlier state, with and without a restore; the hub's folder is lost; connections are cut in the
 * middle and frozen. Some stores are whole servers in separate processes, and half of all stores use NATS. At the end,
 * every play is at headquarters exactly once. `VITRINE_CHAOS_SECONDS` sets the duration, and `VITRINE_CHAOS_SEED`
 * repeats a run.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openPg } from '../../server/headquarters/testing/pg.ts';
import { loadIdentity } from '../../server/identity.ts';
import { noHub } from './hub.ts';
import type { Postgres } from './postgres.ts';
import { allTold, counted, openChain } from './simulated.ts';
import { type Act, lastsMs, seedOf, Turmoil } from './turmoil.ts';

const STORES = 17;
const SERVERS = 3;
/** True if half of the stores use NATS. Each store then needs its own loopback address, and a Mac has only one. */
const byNats = !noHub && process.platform !== 'darwin';

export interface Chaos {
  /** Duration in seconds. The variable `VITRINE_CHAOS_SECONDS` takes precedence. */
  readonly seconds: number;
  /** PostgreSQL server, and address of the database for the plays. Without it, headquarters uses its own database. */
  readonly postgres?: { readonly server: Postgres; readonly url: string };
}

export const chaosOfPlays = async (t: TestContext, { seconds, postgres }: Chaos): Promise<void> => {
  const lasts = lastsMs(seconds);
  const seed = seedOf();
  t.diagnostic(`VITRINE_CHAOS_SEED=${seed}${byNats ? '' : ', WITHOUT NATS'}`);
  const { hq, hub, hubLine, stores } = await openChain(t, {
    ...{ stores: STORES, servers: SERVERS, byNats },
    ...(postgres && { env: { VITRINE_POSTGRES: postgres.url } }),
  });
  // Connection to the hub that is frozen from the middle of the run to the end: its store must switch to HTTPS.
  const frozen = stores.slice(SERVERS).find((store) => store.lines.length > 1)?.lines[1];
  const all = [...stores.flatMap((store) => store.lines), ...(hubLine ? [hubLine] : [])];
  const lines = all.filter((line) => line !== frozen);
  if (byNats) await hub.has(1 + stores.filter((store) => store.lines.length > 1).length);

  const turmoil = new Turmoil({ seed, lasts, hq, stores, lines });
  const killHub = (between: () => void) => () =>
    !byNats ||
    turmoil.to(hub, async () => {
      await hub.kill();
      between();
      await hub.start();
    });
  let [pgKills, pgRestores] = [0, 0];
  const database = (between: (server: Postgres) => void) => () => {
    const server = postgres!.server;
    return turmoil.to(server, async () => {
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
    [900, turmoil.store((one) => one.show(1 + turmoil.roll(20)))],
    // Makes stores in this process send pending data now. Stores in separate processes do so only when they are
    // restarted.
    [250, turmoil.store(async (one) => one.hurry(), stores.slice(SERVERS))],
    ...turmoil.faults,
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
  const count = await turmoil.run(acts, (passed) => {
    if (frozen && passed > 0.5) frozen.isHeld = true;
  });
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
  t.diagnostic(
    `${plays} plays, ${byHub} segments by NATS; ${count} acts; the hub killed ${hub.kills} times; ${postgres ? `PostgreSQL killed ${pgKills} times, put back ${pgRestores} times; ` : ''}${turmoil.said}`,
  );
  assert.ok(plays > 50, 'something happened');
  assert.ok(!byNats || byHub > 0, 'something came by NATS');
};
