/** Campaigns from headquarters to screens of real stores: told beforehand, fetched, shown at the minute, taken back. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Program } from '../../shared/program/program.ts';
import { resolve } from '../../shared/program/resolve.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, pairPlayer } from '../player-client.ts';
import { until } from '../until.ts';
import { campaignOf, playlistOf } from './campaign.ts';
import { CutLine } from './cut-line.ts';
import { enrol, openHq, openStore, type Server } from './rig.ts';

const WAIT_MS = 20_000;
/** A screen that fetches what it is told, and says that it has it. */
const openScreen = async (t: TestContext, store: Server) => {
  const { deviceId, secret, credential, client } = await pairPlayer(t, store.site, store.owner.token, 'Till');
  client.socket.terminate();
  const player = await connectPlayer(t, store.site);
  player.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE });
  let program: Program | undefined;
  const take = async (): Promise<void> => {
    const { id, url } = (await player.next('program')) as unknown as { id: string; url: string };
    program = must(await store.site.call('GET', url, { token: credential }));
    player.say({ type: 'program.ready', id });
  };
  await take();
  void (async () => {
    for (;;) await take();
  })().catch(() => {});
  return {
    deviceId,
    /** What it shows in its turns, at this moment. */
    shown: (at = Date.now()): string[] => {
      const found = new Set<string>();
      for (let i = 0; i < 6; i++)
        for (const { cue } of resolve(program!, 'UTC', at + i * 10_000).zones) if (cue) found.add(cue.item.name);
      return [...found].sort();
    },
  };
};

const shows = (screen: { shown(): string[] }, what: string[]): Promise<unknown> =>
  until(
    () => `it shows ${what}, not ${screen.shown()}`,
    WAIT_MS,
    () => screen.shown().join() === what.join(),
  );

test('a campaign with a place for the store: rehearsed, sent, shown, filled, locked, rolled back and ended', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const north = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  const screens = [await openScreen(t, mill), await openScreen(t, dock)] as const;
  const own = await playlistOf(mill, 'Bread', '#00aa00');
  must(await mill.call('POST', `/api/playlists/${own.playlist}/assign`, { device_id: screens[0].deviceId }));
  await shows(screens[0], ['Bread.jpg']);

  const star = await playlistOf(hq, 'Star', '#aa0000');
  const slot = {
    name: 'Offer of the bakery',
    max_items: 1,
    max_seconds: 20,
    kinds: ['image' as const],
    after: 1,
    content_id: null,
  };
  const { id } = must(
    await hq.call(
      'POST',
      '/api/campaigns',
      campaignOf({ playlist_id: star.playlist, slots: [slot], where: { regions: ['North'], tags: [], store_ids: [] } }),
    ),
    201,
  );
  must(await hq.call('POST', `/api/campaigns/${id}/dry-run`), 201);
  const run = await until('the stores have answered', WAIT_MS, async () => {
    const found = await hq.get(`/api/campaigns/${id}/dry-run`);
    return found.state === 'done' && found;
  });
  assert.deepEqual(
    [run.stores, run.answered, run.meant, run.changes, run.hidden],
    [1, 1, 1, 1, [{ what: 'playlist', name: 'Bread', screens: 1, stores: 1 }]],
  );
  assert.deepEqual(screens[0].shown(), ['Bread.jpg'], 'nothing was changed');

  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screens[0], ['Star.jpg']);
  const phases = async () => (await hq.get(`/api/campaigns/${id}`)).phases;
  await until('headquarters knows', WAIT_MS, async () => (await phases()).showing === 1);
  assert.deepEqual(screens[1].shown(), [], 'the other region has none of it');

  const [{ id: slotId }] = (await mill.get('/api/chain/campaigns'))[0].slots;
  must(await mill.call('PUT', `/api/chain/slots/${slotId}`, { playlist_id: own.playlist }));
  await shows(screens[0], ['Bread.jpg', 'Star.jpg']);
  const [held] = (await mill.get('/api/chain/records')).filter(({ kind }: { kind: string }) => kind === 'playlists');
  const refused = await mill.call('PUT', `/api/playlists/${held.id}`, { name: 'Mine' });
  assert.equal(refused.status, 423);
  assert.match(refused.body.error, /headquarters.*Advent/);

  const tree = await playlistOf(hq, 'Tree', '#0000aa');
  must(await hq.call('PUT', `/api/campaigns/${id}`, { playlist_id: tree.playlist }));
  assert.equal((await hq.get(`/api/campaigns/${id}`)).is_changed, true);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screens[0], ['Bread.jpg', 'Tree.jpg']);
  must(await hq.call('POST', `/api/campaigns/${id}/roll-back`, { edition: 1 }));
  await shows(screens[0], ['Bread.jpg', 'Star.jpg']);
  must(await hq.call('POST', `/api/campaigns/${id}/stop`));
  await shows(screens[0], ['Bread.jpg']);
  assert.deepEqual(await mill.get('/api/chain/records'), []);
  assert.equal((await hq.get(`/api/stores/${north}`)).incidents, 0);
});

test('a store whose line was cut shows what it had, and reads one state when it is back', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const line = await CutLine.open(hq.httpsPort);
  t.after(() => line.close());
  await enrol({ ...hq, httpsPort: line.port }, mill, { name: 'Mill' });
  const screen = await openScreen(t, mill);
  const star = await playlistOf(hq, 'Star', '#aa0000');
  const { id } = must(await hq.call('POST', '/api/campaigns', campaignOf({ playlist_id: star.playlist })), 201);
  must(await hq.call('POST', `/api/campaigns/${id}/start`));
  await shows(screen, ['Star.jpg']);
  line.isCut = true;
  line.break();
  for (const [name, color] of [
    ['Tree', '#0000aa'],
    ['Bell', '#aaaa00'],
  ] as const) {
    const { playlist } = await playlistOf(hq, name, color);
    must(await hq.call('PUT', `/api/campaigns/${id}`, { playlist_id: playlist }));
    must(await hq.call('POST', `/api/campaigns/${id}/start`));
  }
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  line.isCut = false;
  mill.site.app.chain.hurry();
  await shows(screen, ['Bell.jpg']);
  assert.deepEqual(
    (await mill.get('/api/content')).map(({ filename }: { filename: string }) => filename),
    ['Bell.jpg'],
    'what lies between never came',
  );
});
