/** A chain in this process: headquarters and stores, each a real server with HTTPS, and players that show content. */
import type { TestContext } from 'node:test';
import type { MachineClock } from '../../server/kernel/time/clock.ts';
import { Journal } from '../../server/store-link/testing/journal.ts';
import { freePort, type Site, startSite } from '../harness.ts';
import { type Call, callAs, must, type Person, person } from '../people.ts';
import { connectPlayer, DEVICE, pairPlayer, playOf } from '../player-client.ts';

export interface Server {
  readonly site: Site;
  readonly owner: Person;
  readonly call: Call;
  readonly httpsPort: number;
  /** Sends a GET request and expects success. Returns the body. */
  get(path: string): Promise<any>;
}

export interface Screen {
  readonly deviceId: string;
  /** Shows this number of further items. Resolves with the ids of the plays once the store has them on its disk. */
  show(count: number, content?: string, playlist?: string): Promise<string[]>;
}

interface Options {
  readonly data?: string;
  readonly clock?: MachineClock;
  readonly httpsPort?: number;
  readonly env?: Record<string, string>;
  /** The owner, if the data folder already has an owner. */
  readonly as?: Person;
}

const open = async (t: TestContext, { data, clock, env, as, ...options }: Options): Promise<Server> => {
  const httpsPort = options.httpsPort ?? (await freePort());
  const site = await startSite(t, {
    env: { ...env, VITRINE_HTTPS_PORT: String(httpsPort) },
    ...(data !== undefined && { data }),
    ...(clock && { clock }),
  });
  const owner = as ?? (await person(site, 'owner@store.test'));
  await site.app.tls.https.settled;
  const call = callAs(site, owner.token);
  return { site, owner, call, httpsPort, get: async (path) => must(await call('GET', path)) };
};

export const openHq = (t: TestContext, options: Options = {}): Promise<Server> =>
  open(t, { ...options, env: { ...options.env, VITRINE_CHAIN_ROLE: 'hq' } });
export const openStore = (t: TestContext, options: Options = {}): Promise<Server> => open(t, options);

/** Returns an address where no server answers. */
export const freeAddress = async (): Promise<string> => `https://127.0.0.1:${await freePort()}`;

/** Creates the store at headquarters and enrols the server with the code. Returns the store's id at headquarters. */
export const enrol = async (
  hq: Server,
  store: Server,
  facts: { name: string; region?: string; tags?: string[] },
): Promise<string> => {
  const { id } = must(await hq.call('POST', '/api/stores', facts), 201);
  await enrolAs(hq, store, id);
  return id;
};

export const enrolAs = async (hq: Server, store: Server, id: string): Promise<void> => {
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  must(await store.call('POST', '/api/chain', { address: `https://127.0.0.1:${hq.httpsPort}`, code }), 201);
};

/** A paired screen, which signs its plays. */
export const openScreen = async (t: TestContext, store: Server, name: string): Promise<Screen> => {
  const { deviceId, secret } = await pairPlayer(t, store.site, store.owner.token, name);
  const journal = new Journal();
  let client: Awaited<ReturnType<typeof connectPlayer>>;
  const connect = async () => {
    client = await connectPlayer(t, store.site);
    const who = { device_id: deviceId, secret, device: DEVICE, signing_key: journal.key };
    client.say({ type: 'hello', protocol: 1, ...who });
    await client.next('program');
  };
  await connect();
  return {
    deviceId,
    show: async (count, content = 'Sale.jpg', playlist) => {
      const now = Date.now();
      for (let i = count; i > 0; i--)
        journal.add(
          playOf({
            content_id: `id of ${content}`,
            content_name: content,
            ...(playlist !== undefined && { playlist_id: playlist }),
            started_at: now - i * 10_000,
            ended_at: now - (i - 1) * 10_000,
          }),
        );
      client.say({ type: 'plays', ...journal.stretch() });
      await client.next('plays.ack');
      return journal.rows.slice(-count).map(({ id }) => id);
    },
  };
};
