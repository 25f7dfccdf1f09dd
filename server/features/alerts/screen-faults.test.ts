/** End-to-end tests of when alerts about failing items end, with a real server and the connection of a screen. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { obedient } from '../../../test/api/site.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { type Call, callAs, login, must } from '../../../test/people.ts';
import { type PairedPlayer, pairPlayer, playOf, reconnect } from '../../../test/player-client.ts';
import { until, upload } from '../../../test/uploads.ts';

const MINUTE = 60_000;

interface Store {
  readonly clock: TestClock;
  readonly site: Site;
  readonly call: Call;
  readonly token: string;
}

const watcher = ({ clock, site, call }: Store, player: () => PairedPlayer) => {
  const say = (message: object) => player().client.say(message);
  /** Sends messages of the screen, then waits until the server has read them. */
  const heartbeat = async (showing: object[] = []) => {
    clock.advance(1_000);
    const now = Math.floor(clock.now() / 1000);
    say({ type: 'heartbeat', showing });
    await until(
      async () => must(await call('GET', `/api/devices/${player().deviceId}`)).last_heartbeat,
      (at) => at === now,
    );
  };
  const item = (level: 'error' | 'info', item_id: number, message: string) =>
    say({ type: 'log', level, message, detail: { item_id, asset: null } });
  /** Lets minutes pass in which the screen is online. Returns the facts of its fault alert. */
  const look = async (minutes = 1, showing: object[] = []) => {
    for (let n = 0; n < minutes; n++) {
      for (let part = 0; part < 2; part++) {
        clock.advance(29_000);
        await heartbeat(showing);
      }
      await site.app.alerts.watch.check();
    }
    const [alert] = must(await call('GET', `/api/alerts?kind=screen_fault&ref=${player().deviceId}`));
    return alert?.facts as { message: string; count: number; items?: string } | undefined;
  };
  return { say, heartbeat, item, look };
};

const openStore = async (t: TestContext, data?: string) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock, ...(data && { data }) });
  const { token } = await firstUser(site);
  const call = callAs(site, token);
  const player = await pairPlayer(t, site, token, 'Till');
  obedient(player);
  const { id: playlist } = must(await call('POST', '/api/playlists', { name: 'Offers' }), 201);
  const items: number[] = [];
  for (const name of ['a', 'b']) {
    const { id } = must(await upload(site, token, picture(name), `${name}.gif`), 201);
    items.push(must(await call('POST', `/api/playlists/${playlist}/items`, { content_id: id }), 201).id);
  }
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  must(await call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId }));
  const store: Store = { clock, site, call, token };
  const watch = watcher(store, () => player);
  await watch.look(5);
  return { ...store, ...watch, player, playlist, first: items[0]!, second: items[1]! };
};

test('alert about two failed items ends when both play again', async (t) => {
  const { item, look, first, second } = await openStore(t);
  item('error', first, 'a.gif: the image cannot be read');
  item('error', second, 'b.gif: the image cannot be read');
  const both = { message: 'b.gif: the image cannot be read', level: 'error', count: 2, items: `${first}, ${second}` };
  assert.deepEqual(await look(), both);
  assert.deepEqual(await look(45), both, 'it lasts for as long as the items fail');
  item('info', second, 'b.gif: the content is shown again');
  assert.deepEqual(await look(), {
    message: 'a.gif: the image cannot be read',
    level: 'error',
    count: 1,
    items: String(first),
  });
  item('info', first, 'a.gif: the content is shown again');
  assert.equal(await look(), undefined);
});

test('alert about an item ends when the screen shows the item, or sends a complete play of it', async (t) => {
  const { clock, item, say, look, first, second } = await openStore(t);
  item('error', first, 'a.gif: the image cannot be read');
  item('error', second, 'b.gif: the image cannot be read');
  assert.equal((await look())?.count, 2);
  const since = clock.now();
  assert.equal(
    (await look(1, [{ zone_id: null, item_id: first, content_id: null, widget_id: null, since }]))?.count,
    1,
  );
  const started_at = clock.now();
  say({ type: 'plays', first: 1, plays: [playOf({ item_id: second, started_at, ended_at: started_at + 9_000 })] });
  assert.equal(await look(), undefined);
});

test('alert about an item ends when the item leaves the program', async (t) => {
  const { call, item, look, playlist, first } = await openStore(t);
  item('error', first, 'a.gif: the image cannot be read');
  assert.equal((await look())?.count, 1);
  must(await call('DELETE', `/api/playlists/${playlist}/items/${first}`));
  assert.equal((await look())?.count, 1, 'the draft is on no screen');
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  assert.equal(await look(), undefined);
});

test('alert about an item outlasts a restart of the server, and ends when the item plays again', async (t) => {
  const data = tempFolder(t);
  const { clock, site, item, look, player, first } = await openStore(t, data);
  item('error', first, 'a.gif: the image cannot be read');
  assert.equal((await look())?.count, 1);
  await site.app.stop();
  const again = await startSite(t, { clock, data });
  const { token } = must(await login(again, 'owner@store.test'));
  const back = { ...player, client: await reconnect(t, again, player) };
  obedient(back);
  const after = watcher({ clock, site: again, call: callAs(again, token), token }, () => back);
  assert.equal((await after.look(45))?.items, String(first));
  after.item('info', first, 'a.gif: the content is shown again');
  assert.equal(await after.look(), undefined);
});

test('alert about a program that a screen refused ends when the screen accepts the program', async (t) => {
  const { say, look, player } = await openStore(t);
  say({ type: 'program.failed', id: player.programId, reason: 'no room' });
  assert.equal((await look())?.message, 'program not taken over: no room');
  const { id } = await player.client.next((said) => said.type === 'program' && said['id'] !== player.programId);
  say({ type: 'program.ready', id });
  assert.equal(await look(), undefined);
});

test('alert about an item stays while its screen is offline', async (t) => {
  const { clock, site, call, item, look, player, first } = await openStore(t);
  item('error', first, 'a.gif: the image cannot be read');
  await look();
  player.client.socket.terminate();
  for (let n = 0; n < 40; n++) {
    clock.advance(MINUTE);
    await site.app.alerts.watch.check();
  }
  assert.equal(must(await call('GET', '/api/alerts?kind=screen_fault')).length, 1);
});

test('feed that is still loading raises no alert', async (t) => {
  const { item, look, first } = await openStore(t);
  item('error', first, 'News: the page has nothing to show: Waiting for the feed');
  assert.equal(await look(2), undefined);
});
