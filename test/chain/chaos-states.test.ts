/**
 * Random faults while campaigns change: campaigns are started, changed, stopped and rolled back while processes are
 * killed, connections are cut and frozen, and databases are restored. The test checks all the time that each store has
 * a complete edition of a campaign with every file, or nothing of the campaign. At the end, each store has exactly the
 * last state of headquarters.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { wholeIn } from '../../server/store-link/testing/whole.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { campaignOf, playlistOf } from './campaign-rig.ts';
import type { Member } from './simulated.ts';
import { openChain } from './simulated.ts';
import { type Act, lastsMs, seedOf, Turmoil } from './turmoil.ts';

const SECONDS = 30;
const STORES = 17;
const SERVERS = 3;
const LOOK_MS = 20;
const SETTLES_MS = 90_000;
const COLORS = ['#aa0000', '#00aa00', '#0000aa', '#aaaa00'];
const NAMES = ['Advent', 'Sale', 'Easter'];

/** Returns the edition of the campaign that a store has. @throws AssertionError if a file of the edition is missing */
const seenIn = (store: Member): { rev: number; shown: string[] } | undefined =>
  store.look((raw) => {
    const shown = wholeIn(raw);
    for (const { campaign, files } of shown)
      for (const sha256 of files)
        assert.ok(existsSync(join(store.media, sha256.slice(0, 2), sha256)), `${sha256} of ${campaign} is on the disk`);
    const rev = raw.prepare('SELECT max(desired_rev) FROM chain_links').pluck().get() as number;
    return { rev, shown: shown.map(({ campaign, sha256 }) => `${campaign} ${sha256}`) };
  });

test('each store shows only complete editions in spite of kills, lost connections and restores', {
  timeout: lastsMs(SECONDS) + 150_000,
}, async (t) => {
  const seed = seedOf();
  t.diagnostic(`VITRINE_CHAOS_SEED=${seed}`);
  const { hq, stores, owner } = await openChain(t, { stores: STORES, servers: SERVERS });
  const lines = stores.flatMap((store) => store.lines);
  const turmoil = new Turmoil({ seed, lasts: lastsMs(SECONDS), hq, stores, lines });
  const { roll } = turmoil;

  const lists: string[] = [];
  for (const [i, color] of COLORS.entries()) lists.push((await playlistOf(owner(), `List ${i}`, color)).playlist);
  const refs = must(await owner().call('GET', '/api/stores')).map(({ id }: { id: string }) => id) as string[];
  const campaigns: string[] = [];
  for (const name of NAMES)
    campaigns.push(
      must(await owner().call('POST', '/api/campaigns', campaignOf({ name, playlist_id: lists[0]! })), 201).id,
    );

  let started = 0;
  const decide = (work: (path: string) => Promise<unknown>) => () => {
    const path = `/api/campaigns/${campaigns[roll(campaigns.length)]}`;
    // Headquarters may be down, or restored to a state in which the request is invalid.
    return turmoil.to(campaigns, async () => void (await work(path).catch(() => {})));
  };
  const start = decide(async (path) => {
    const store_ids = roll(2) === 0 ? [] : refs.filter(() => roll(2) === 0).slice(0, 12);
    const where = { regions: [], tags: [], store_ids };
    await owner().call('PUT', path, { playlist_id: lists[roll(lists.length)], where });
    if ((await owner().call('POST', `${path}/start`)).status === 200) started++;
  });
  const acts: Act[] = [
    [60, start],
    [15, decide((path) => owner().call('POST', `${path}/stop`))],
    [15, decide((path) => owner().call('POST', `${path}/roll-back`, { edition: 1 + roll(3) }))],
    [200, turmoil.store(async (one) => one.hurry(), stores.slice(SERVERS))],
    ...turmoil.faults,
  ];

  let looks = 0;
  const seen = new Set<string>();
  const wrong: unknown[] = [];
  const looking = setInterval(() => {
    const store = stores[looks++ % stores.length]!;
    if (turmoil.isBusy(store)) return;
    try {
      for (const one of seenIn(store)?.shown ?? []) seen.add(`${store.name} ${one}`);
    } catch (error) {
      wrong.push(error);
    }
  }, LOOK_MS);
  t.after(() => clearInterval(looking));
  const count = await turmoil.run(acts, () => assert.deepEqual(wrong, []));

  // At the end, a campaign runs in all stores, so that a store without any state fails the test.
  const last = `/api/campaigns/${campaigns[0]}`;
  must(await owner().call('PUT', last, { where: { regions: [], tags: [], store_ids: [] } }));
  must(await owner().call('POST', `${last}/start`));
  const over = performance.now();
  const newest = (): Map<string, { rev: number; shown: string[] }> => {
    const raw = new BetterSqlite3(join(hq.data, 'vitrine.db'), { readonly: true });
    try {
      const rows = raw
        .prepare('SELECT s.name, d.rev, d.text FROM hq_desired d JOIN hq_stores s ON s.id = d.store')
        .all() as { name: string; rev: number; text: string }[];
      return new Map(
        rows.map(({ name, rev, text }) => [
          name,
          {
            rev,
            shown: (JSON.parse(text).campaigns as { id: string; sha256: string }[]).map(
              ({ id, sha256 }) => `${id} ${sha256}`,
            ),
          },
        ]),
      );
    } finally {
      raw.close();
    }
  };
  let late: readonly Member[] = [];
  await until(
    () => `all have the newest, ${late.map(({ name }) => name).join(', ')} too`,
    SETTLES_MS,
    () => {
      const wanted = newest();
      late = stores.filter((store) => JSON.stringify(seenIn(store)) !== JSON.stringify(wanted.get(store.name)));
      for (const store of late) store.hurry();
      return late.length === 0 && [...wanted.values()].every(({ shown }) => shown.length > 0);
    },
    500,
  );
  clearInterval(looking);
  assert.deepEqual(wrong, []);
  t.diagnostic(
    `${started} starts, ${seen.size} editions seen in stores in ${looks} looks; ${count} acts; ${turmoil.said}; all had the newest ${Math.round((performance.now() - over) / 1_000)} s after the last`,
  );
  assert.ok(started > 3 && seen.size > stores.length, 'something happened');
  for (const store of stores) await store.end();
});
