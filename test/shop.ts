/** A server that all tests of a file share. Each test opens a separate shop on it: an owner with an empty workspace. */
import { randomInt } from 'node:crypto';
import { after, before, type TestContext } from 'node:test';
import { clip, picture } from './api/media.ts';
import { obedient } from './api/site.ts';
import { firstUser, type Site, startSite, TestClock } from './harness.ts';
import { type Answer, type Call, callAs, must, type Person, person } from './people.ts';
import { type PairedPlayer, pairPlayer } from './player-client.ts';
import { upload } from './uploads.ts';

export interface Shop {
  readonly site: Site;
  /** The clock of the server. At the start: Tuesday 10 March 2026, 09:00 UTC. */
  readonly clock: TestClock;
  readonly owner: Person;
  readonly call: Call;
  /** Uploads a file. Returns the answer. */
  upload(bytes: Buffer, name?: string, options?: Parameters<typeof upload>[4]): Promise<Answer>;
  /** Uploads a picture of one pixel. Returns its id. */
  image(name?: string): Promise<string>;
  video(seconds: number): Promise<string>;
  /** Publishes a playlist of these contents. Returns its id. */
  playlist(contents: readonly string[], name?: string): Promise<string>;
  /** Creates a record and returns it. */
  make(path: string, body?: unknown): Promise<any>;
  get(path: string): Promise<any>;
  /** A paired player that answers every request. */
  screen(name?: string): Promise<PairedPlayer>;
}

export interface Shops {
  open(t: TestContext): Promise<Shop>;
}

export const openShops = (env: Record<string, string> = {}): Shops => {
  const ends: (() => unknown)[] = [];
  const clock = new TestClock();
  let site: Site;
  before(async () => {
    site = await startSite({ after: (end: () => unknown) => ends.push(end) } as unknown as TestContext, { clock, env });
    await firstUser(site);
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return {
    open: async (t) => {
      // The owner's name has only digits, because tests that search for letters would find other names.
      const owner = await person(site, `${randomInt(2 ** 47)}@store.test`, { createOrg: true });
      const call = callAs(site, owner.token);
      const make = async (path: string, body?: unknown) => must(await call('POST', path, body), 201);
      const add = async (name: string, bytes: Buffer): Promise<string> =>
        must(await upload(site, owner.token, bytes, name), 201).id;
      return {
        site,
        clock,
        owner,
        call,
        make,
        get: async (path) => must(await call('GET', path)),
        upload: (bytes, name, options) => upload(site, owner.token, bytes, name, options),
        image: (name = 'a.gif') => add(name, picture(`${name} ${owner.id}`)),
        video: async (seconds) => add('v.mp4', await clip(seconds, owner.id)),
        playlist: async (contents, name = 'Offers') => {
          const { id } = await make('/api/playlists', { name });
          for (const content_id of contents) await make(`/api/playlists/${id}/items`, { content_id });
          must(await call('POST', `/api/playlists/${id}/publish`));
          return id;
        },
        screen: async (name = 'Window') => {
          const player = await pairPlayer(t, site, owner.token, name);
          obedient(player);
          return player;
        },
      };
    },
  };
};

/** Returns the program that the server announces to a player next, fetched as the player would. */
export const nextProgram = async (shop: Pick<Shop, 'site'>, player: PairedPlayer): Promise<any> => {
  const { url } = await player.client.next('program');
  return must(await shop.site.call('GET', url, { token: player.credential }));
};
