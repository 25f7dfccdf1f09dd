/** Measures headquarters with the plays of the same stores in PostgreSQL. */
import { movePlays } from '../../server/compose/move-plays.ts';
import { readSegment } from '../../server/headquarters/plays/segment-writer.ts';
import { summed } from '../../server/headquarters/plays/summed.ts';
import { openPg } from '../../server/headquarters/testing/pg.ts';
import { firstHead } from '../../shared/chain/segment.ts';
import { zoneOf } from '../../shared/program/zones.ts';
import { noPostgres, Postgres } from '../chain/postgres.ts';
import type { Ending } from '../harness.ts';
import {
  CONNECTED,
  CONTENTS,
  DAYS,
  minuteOf,
  PLAYS,
  SEGMENTS,
  STORES,
  type Store,
  sendAll,
  sha256,
} from './chain-fleet.ts';
import { startServer } from './child.ts';
import type { Group } from './row.ts';

/**
 * Measures headquarters with PostgreSQL: first it moves the existing plays to PostgreSQL, then other stores send plays.
 */
export const byPostgres = async ({
  data,
  stores,
  fingerprint,
  token,
  report,
}: {
  readonly data: string;
  readonly stores: readonly Store[];
  readonly fingerprint: string;
  readonly token: string;
  readonly report: Parameters<Group['run']>[0]['report'];
}): Promise<void> => {
  if (noPostgres) return;
  const endings: (() => unknown)[] = [];
  const t: Ending = { after: (work) => endings.push(work) };
  try {
    const postgres = await Postgres.open(t);
    const url = await postgres.database();
    const movedAt = performance.now();
    await movePlays({ data, url, say: () => {} });
    report('pgMove', {
      value: (performance.now() - movedAt) / 1000,
      note: `${(STORES * DAYS * CONTENTS).toLocaleString('en')} sums, and what ${CONNECTED} stores had sent`,
    });
    for (const store of stores) {
      let head = firstHead(sha256, store.epoch);
      for (let minute = 0; minute < SEGMENTS; minute++) head = await minuteOf(store, minute, head);
    }
    const hq = await startServer(data, { env: { VITRINE_CHAIN_ROLE: 'hq', VITRINE_POSTGRES: url } });
    try {
      const asked = async (path: string) => {
        const reply = await fetch(`http://127.0.0.1:${hq.port}${path}`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
        await reply.arrayBuffer();
      };
      await asked('/api/stores/plays/totals');
      const monthAt = performance.now();
      await Promise.all([asked('/api/stores/plays/sums?by=content'), asked('/api/stores/plays/totals')]);
      report('pgMonth', { value: performance.now() - monthAt });
      const rate = await sendAll(hq.port + 1, stores, fingerprint);
      const bareUrl = await postgres.database();
      report('pgWrite', {
        value: rate,
        bare: await bareTakes(t, bareUrl, stores),
        note: 'bare: the same statements of one process, nothing checked, no TLS',
      });
    } finally {
      for (const { agent } of stores) agent.destroy();
      await hq.stop();
    }
  } finally {
    for (const end of endings) await end();
  }
};

/** Writes the rows of the segments directly into the database. */
const bareTakes = async (t: Ending, url: string, stores: readonly Store[]): Promise<number> => {
  const { warehouse, line } = openPg(t, url);
  const all = await Promise.all(
    stores.map(async (store, id) => {
      await warehouse.begin({ id, ref: store.ref }, { epoch: store.epoch, first: 1 }, '');
      const read = await Promise.all(store.segments.map(readSegment));
      return { whose: { id, ref: store.ref }, read };
    }),
  );
  const began = performance.now();
  await Promise.all(
    all.map(async ({ whose, read }) => {
      for (const { header, body } of read)
        await warehouse.storeSegment(whose, {
          segment: {
            ...{ epoch: header.epoch, first: header.first, last: header.last, fresh: header.first, dropped: null },
            ...{ plays: PLAYS, from_ms: body.plays[0]!.started_ms, to_ms: body.plays.at(-1)!.started_ms },
            ...{ pack: `${whose.ref}/x`, offset: header.first, bytes: 1 },
          },
          marks: [],
          overlaps: [],
          ...summed(body.plays, body.devices, { zone: zoneOf('UTC'), campaign: () => undefined }),
          cursor: { epoch: header.epoch, through: header.last, head: header.head },
          before: header.first - 1,
        });
    }),
  );
  const rate = (stores.length * SEGMENTS * PLAYS) / ((performance.now() - began) / 1000);
  await line.stop();
  return rate;
};
