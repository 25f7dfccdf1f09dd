/** Measures how campaigns of headquarters reach the stores, and how the stores answer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../server/db/open.ts';
import { addWorkspace } from '../../server/features/reports/testing/plays.ts';
import { Bus } from '../../server/kernel/bus.ts';
import { CampaignsStore } from '../../server/store-link/campaigns/campaigns.store.ts';
import { DesiredState } from '../../server/store-link/campaigns/desired-state.ts';
import { ChainStore } from '../../server/store-link/membership/chain.store.ts';
import { Incidents } from '../../server/store-link/membership/incidents.ts';
import { until } from '../until.ts';
import { ask, ignore, inTurns, presence, SCREENS, STORES, type Store, type Told, WAIT_MS } from './chain-fleet.ts';
import type { startServer } from './child.ts';
import type { Group } from './row.ts';

/** Runs the code with which a store applies documents of headquarters. All stores share one database here. */
const desiredStates = (folder: string, stores: readonly Store[], key: string) => {
  mkdirSync(folder, { recursive: true });
  const db = openDatabase(join(folder, 'stores.db'));
  const links = new ChainStore(db);
  const parts = { db, bus: new Bus(ignore), clock: { now: Date.now }, activity: { add: ignore } };
  const link = { name: 'S', address: 'https://hq.test:1', headquarters: 'HQ', certificate: '', key, may: null };
  const sticks = { seal_key: null, stick_in: 0, stick_out: 0 };
  db.write(() => {
    for (const { ref } of stores) {
      addWorkspace(db, ref);
      links.insert({
        ...link,
        ...sticks,
        workspace_id: ref,
        store: ref,
        lets_update: 0,
        enrolled_at: 1,
        enrolled_by: 'O',
      });
    }
  });
  const shared = { ...parts, store: new CampaignsStore(db), incidents: new Incidents({ ...parts, store: links }) };
  const of = new Map(
    stores.map(({ ref }) => [
      ref,
      new DesiredState({ ...shared, workspaceId: ref, storeRef: ref, key, timezone: () => 'UTC' }),
    ]),
  );
  return { of, db };
};

interface Fleet {
  readonly hq: Awaited<ReturnType<typeof startServer>>;
  readonly stores: readonly Store[];
  /** Sets the function that receives all further messages to stores. */
  readonly hear: (told: (store: Store, line: Told) => void) => void;
  /** Sends the present state of a store to headquarters. */
  readonly tell: (store: Store) => Promise<unknown>;
  readonly folder: string;
  /** Public key of headquarters. */
  readonly key: string;
  readonly token: string;
}

const caller =
  ({ hq, token }: Pick<Fleet, 'hq' | 'token'>) =>
  async (method: string, path: string, body?: object) => {
    const reply = await fetch(`http://127.0.0.1:${hq.port}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

/** Starts a campaign for all stores. Resolves once each store has checked and stored it. */
export const sayCampaign = async (fleet: Fleet) => {
  const { stores, hear, tell, folder, key } = fleet;
  const call = caller(fleet);
  const { id: widget_id } = await call('POST', '/widgets', { widget_type: 'clock', name: 'Clock', config: {} });
  const { id: playlist_id } = await call('POST', '/playlists', { name: 'Advent' });
  await call('POST', `/playlists/${playlist_id}/items`, { widget_id, duration_sec: 10 });
  await call('POST', `/playlists/${playlist_id}/publish`);
  const day = (offset: number) => `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)}T09:00`;
  const { id } = await call('POST', '/campaigns', {
    ...{
      name: `Advent ${Date.now()}`,
      note: '',
      rank: 'must',
      playlist_id,
      layout_id: null,
      whole_screen: false,
      begins: 'whole',
    },
    ...{ start_time: day(1), end_time: day(20), recurrence: null, recurrence_end: null, screen_tags: [], slots: [] },
    where: { regions: [], tags: [], store_ids: [] },
  });
  const { of, db } = desiredStates(folder, stores, key);
  try {
    await db.durable();
    const telling: Promise<unknown>[] = [];
    const arrived = new Map<Store, { at: number; said: never }>();
    hear((store, line) => {
      if (line.verb !== 'desired') return;
      arrived.set(store, { at: performance.now(), said: line.said as never });
      telling.push(new Promise((next) => setTimeout(next, line.after_ms)).then(() => tell(store)));
    });
    const cpuBefore = (await fleet.hq.ask('facts')).cpuMs;
    const startedAt = performance.now();
    await call('POST', `/campaigns/${id}/start`);
    const saidAt = performance.now() - startedAt;
    await until('every store is told', WAIT_MS, () => arrived.size === STORES, 20);
    const { cpuMs } = await fleet.hq.ask('facts');
    // Applies the documents one after the other, and adds only its own work to the time of each store. In a real chain
    // each store has its own computer.
    const all: number[] = [];
    for (const [store, { at, said }] of arrived) {
      const began = performance.now();
      if (!of.get(store.ref)!.accept(said)) throw new Error('a store did not take what it was told');
      await db.durable();
      all.push(at - startedAt + performance.now() - began);
    }
    all.sort((a, b) => a - b);
    await Promise.all(telling);
    const told = {
      value: all[Math.floor(all.length * 0.99)]! / 1000,
      note: `median ${(all[all.length >> 1]! / 1000).toFixed(2)} s; who started it was answered after ${saidAt.toFixed(0)} ms; both ends on this machine, of it ${((cpuMs - cpuBefore) / 1000).toFixed(2)} s of a core headquarters`,
    };
    return { id, told };
  } finally {
    db.close();
    hear(ignore);
  }
};

/** Measures starts of campaigns and their progress with all stores connected. */
export const wishRows = async ({
  report,
  ...fleet
}: Omit<Fleet, 'tell'> & { readonly report: Parameters<Group['run']>[0]['report'] }): Promise<void> => {
  const { hq, stores } = fleet;
  const port = hq.port + 1;
  const call = caller(fleet);
  const tell = (store: Store) => ask(port, store, 'presence', presence(SCREENS));
  const { id, told } = await sayCampaign({ ...fleet, tell });
  report('wishTold', told);

  const phases = ['fetching', 'armed', 'on_screens', 'refused'] as const;
  const readiness = (i: number) => ({
    ...{
      id,
      edition: 1,
      phase: phases[i % phases.length],
      applied: null,
      bytes_left: (i % 7) * 1_000_000,
      rate: 90_000,
    },
    ...{ screens: SCREENS, ready: i % SCREENS, why: '' },
  });
  const numbered = stores.map((store, i) => ({ store, i }));
  await inTurns(numbered, 200, ({ store, i }) =>
    ask(port, store, 'presence', { ...presence(20), desired_rev: 0, campaigns: [readiness(i)] }),
  );
  const heardAt = performance.now();
  const counted = async () => {
    const { phases: found } = await call('GET', `/campaigns/${id}`);
    return found.unheard === 0 && found.told === 0;
  };
  await until('all are counted', WAIT_MS, counted, 100);
  const countedAt = performance.now() - heardAt;
  const lookedAt = performance.now();
  await Promise.all([call('GET', `/campaigns/${id}/stores?limit=100`), call('GET', `/campaigns/${id}`)]);
  report('wishReady', {
    value: performance.now() - lookedAt,
    note: `counted ${(countedAt / 1000).toFixed(1)} s after the last of ${STORES.toLocaleString('en')} had told`,
  });
};
