/** A store's own window, opened at headquarters: with the rights of who looks, through the store's own connection. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { callAs, must, type Person } from '../people.ts';
import { until } from '../until.ts';
import { enrol, openHq, openStore, type Server } from './rig.ts';

const WAIT_MS = 20_000;

/** Asks a store through headquarters. */
const through = (hq: Server, store: string, who: Person = hq.owner) => {
  const call = callAs(hq.site, who.token);
  return (method: string, path: string, body?: unknown) => call(method, `/store/${store}${path}`, body);
};

const heard = (hq: Server, store: string) =>
  until('the store listens', WAIT_MS, async () => (await through(hq, store)('GET', '/api/auth/me')).status === 200);

test('somebody of headquarters changes something in a store, and it stands in both logs under their name', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const millId = await enrol(hq, mill, { name: 'Mill' });
  const dockId = await enrol(hq, dock, { name: 'Dock' });
  await heard(hq, millId);
  await heard(hq, dockId);
  const inMill = through(hq, millId);
  const me = must(await inMill('GET', '/api/auth/me'));
  assert.match(me.name, / \(.+\)$/);
  assert.deepEqual([me.can_admin, me.is_platform_admin, me.headquarters], [true, false, false]);
  must(await inMill('POST', '/api/playlists', { name: 'Autumn' }), 201);
  assert.deepEqual(
    (await mill.get('/api/playlists')).map(({ name }: { name: string }) => name),
    ['Autumn'],
  );
  assert.deepEqual(await dock.get('/api/playlists'), []);
  const [there] = await mill.get('/api/activity');
  assert.deepEqual([there.action, there.user_name], ['playlist.created', me.name]);
  const [here] = await hq.get('/api/activity');
  assert.equal(here.action, 'store.acted');
  assert.match(here.details, /^Mill: /);
});

test('a window at headquarters hears what a store announces, until its session ends; the store never sees its token', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const id = await enrol(hq, mill, { name: 'Mill' });
  await heard(hq, id);
  const socket = new WebSocket(`${hq.site.origin.replace('http', 'ws')}/api/store-live?store=${id}`);
  t.after(() => socket.terminate());
  const messages: { type: string; topic?: string; workspace_id?: string }[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token: hq.owner.token }));
  await until('it is let in', WAIT_MS, () => messages.some(({ type }) => type === 'ready'));
  assert.equal(messages[0]!.workspace_id, mill.owner.workspaceId);
  must(await mill.call('POST', '/api/playlists', { name: 'Autumn' }), 201);
  await until('it hears', WAIT_MS, () => messages.some(({ topic }) => topic === 'playlists'));
  socket.send(JSON.stringify({ type: 'ping' }));
  await until('it is answered', WAIT_MS, () => messages.some(({ type }) => type === 'pong'));
  const closed = once(socket, 'close');
  must(await hq.call('POST', '/api/auth/logout'));
  assert.equal((await closed)[0], 4401);
});
