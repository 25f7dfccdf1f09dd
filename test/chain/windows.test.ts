/**
 * The admin window of a store, opened at headquarters: with the rights of the visiting user, through the store's own
 * connection.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { callAs, colleague, must, type Person, person } from '../people.ts';
import { jpegOf } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { enrol, openHq, openStore, type Server } from './rig.ts';

const WAIT_MS = 20_000;

/** Returns a function that sends requests to a store through headquarters. */
const through = (hq: Server, store: string, who: Person = hq.owner) => {
  const call = callAs(hq.site, who.token);
  return (method: string, path: string, body?: unknown) => call(method, `/store/${store}${path}`, body);
};

const heard = (hq: Server, store: string) =>
  until('the store listens', WAIT_MS, async () => (await through(hq, store)('GET', '/api/auth/me')).status === 200);

test("user of headquarters changes something in a store, and both activity logs have it under the user's name", async (t) => {
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

test('visitor from headquarters receives live updates of a store until the session at headquarters ends', async (t) => {
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

test('files pass completely in both directions, also byte ranges, and an aborted transfer stops at both ends', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const id = await enrol(hq, mill, { name: 'Mill' });
  await heard(hq, id);
  const picture = await jpegOf('#aa3300');
  const prefix = `/store/${id}`;
  const sent = must(
    await upload(hq.site, hq.owner.token, picture, 'Autumn.jpg', { path: `${prefix}/api/content` }),
    201,
  );
  const file = (headers: Record<string, string> = {}) =>
    fetch(`${hq.site.origin}${prefix}/api/content/${sent.id}/file`, {
      headers: { Authorization: `Bearer ${hq.owner.token}`, ...headers },
    });
  const whole = await file();
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), picture);
  assert.equal(whole.headers.get('content-security-policy'), "sandbox; default-src 'none'");
  const part = await file({ Range: 'bytes=2-5' });
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, picture.subarray(2, 6)]);
  assert.equal((await file({ 'If-None-Match': whole.headers.get('etag')! })).status, 304);
});

test('browser with a ticket (temporary link key) of the store fetches one file without a session, and nothing else', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const id = await enrol(hq, mill, { name: 'Mill' });
  await heard(hq, id);
  const inMill = through(hq, id);
  const picture = await jpegOf('#aa3300');
  const files = [];
  for (const name of ['One.jpg', 'Two.jpg'])
    files.push(must(await upload(mill.site, mill.owner.token, picture, name), 201).id as string);
  const { url } = must(await inMill('GET', `/api/content/${files[0]}/link`));
  const get = (path: string) => fetch(`${hq.site.origin}/store/${id}${path}`);
  assert.deepEqual(Buffer.from(await (await get(url)).arrayBuffer()), picture);
  assert.notEqual((await get(url.replace(files[0]!, files[1]!))).status, 200);
  assert.notEqual((await get(url.replace(/access=\d/, 'access=9'))).status, 200);
  assert.equal((await get(`/api/content${new URL(url, 'http://a').search}`)).status, 401);
  assert.equal((await get('/api/auth/me')).status, 401);
});

test('user without rights sees nothing, a viewer can only read, and members of another workspace get no access', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const id = await enrol(hq, mill, { name: 'Mill' });
  await heard(hq, id);
  const viewer = await colleague(hq.site, hq.owner, 'viewer@hq.test', 'workspace_viewer');
  const editor = await colleague(hq.site, hq.owner, 'editor@hq.test', 'workspace_editor');
  const [looks, edits] = [through(hq, id, viewer), through(hq, id, editor)];
  must(await looks('GET', '/api/playlists'));
  assert.equal((await looks('POST', '/api/playlists', { name: 'No' })).status, 403);
  must(await edits('POST', '/api/playlists', { name: 'Yes' }), 201);
  assert.equal((await edits('POST', '/api/tokens', { name: 'x', scope: 'full' })).status, 403);
  // A changed role at headquarters takes effect with the next request.
  const setRole = (role: string) =>
    hq.call('PUT', `/api/workspaces/${hq.owner.workspaceId}/members/${editor.id}`, { role });
  must(await setRole('workspace_viewer'));
  assert.equal((await edits('POST', '/api/playlists', { name: 'No' })).status, 403);
  const sessions = mill.site.app.db.raw
    .prepare("SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.name LIKE 'editor%'")
    .pluck();
  assert.equal(sessions.get(), 1, 'the one before has ended');
  must(await setRole('workspace_editor'));
  must(await edits('POST', '/api/playlists', { name: 'Again' }), 201);
  // The role limit that the store sets takes effect at once, whatever the role at headquarters.
  must(await mill.call('PUT', '/api/chain', { may: 'workspace_viewer' }));
  assert.equal((await edits('POST', '/api/playlists', { name: 'No' })).status, 403);
  assert.equal((await through(hq, id)('PUT', '/api/chain', { may: 'workspace_admin' })).status, 403);
  must(await mill.call('PUT', '/api/chain', { may: null }));
  const shut = await looks('GET', '/api/playlists');
  assert.deepEqual([shut.status, shut.body.error], [403, 'This store does not allow visitors from headquarters.']);
  must(await mill.call('PUT', '/api/chain', { may: 'workspace_admin' }));

  const owner = through(hq, id);
  for (const [method, path, body] of [
    ['POST', '/api/tokens', { name: 'stays', scope: 'full' }],
    ['PUT', '/api/auth/me', { name: 'Somebody' }],
    ['PUT', '/api/auth/me', { password: 'a new password' }],
    ['PUT', '/api/chain', { may: 'workspace_admin' }],
    ['DELETE', '/api/chain', undefined],
    ['GET', '/api/server/backups', undefined],
  ] as const)
    assert.equal((await owner(method, path, body)).status, 403, `${method} ${path}`);
  const other = await person(hq.site, 'other@hq.test');
  assert.equal((await through(hq, id, other)('GET', '/api/playlists')).status, 404);
  // The accounts that visits leave in the store cannot sign in there.
  const guests = (await mill.get('/api/auth/users')).filter(({ email }: { email: string }) => /invalid$/.test(email));
  assert.equal(guests.length, 3);
  for (const { email } of guests) {
    const answer = await mill.site.call('POST', '/api/auth/login', { body: { email, password: '' } });
    assert.notEqual(answer.status, 200);
    assert.equal((await mill.call('POST', '/api/auth/forgot-password', { email })).body?.link, undefined);
  }

  // A store that has left the chain admits no visitors from headquarters.
  must(await mill.call('DELETE', '/api/chain'));
  assert.equal((await owner('GET', '/api/playlists')).status, 503);
  assert.deepEqual(
    (await mill.get('/api/auth/users')).map(({ email }: { email: string }) => email),
    ['owner@store.test'],
  );
});

test('live socket accepts one authentication for a reachable store, and closes when the store disconnects', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const id = await enrol(hq, mill, { name: 'Mill' });
  await heard(hq, id);
  const stranger = await person(hq.site, 'other@hq.test');
  const open = async (store: string): Promise<WebSocket> => {
    const socket = new WebSocket(`${hq.site.origin.replace('http', 'ws')}/api/store-live?store=${store}`);
    t.after(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  const auth = (token: string) => JSON.stringify({ type: 'auth', token });
  const codeAfter = async (store: string, ...said: string[]): Promise<number> => {
    const socket = await open(store);
    const closed = once(socket, 'close');
    for (const one of said) socket.send(one);
    return (await closed)[0] as number;
  };
  assert.equal(await codeAfter(id, auth('wrong')), 4401);
  // The close code is not 4401 (unauthenticated), because these users are signed in and stay signed in.
  assert.equal(await codeAfter(id, auth(stranger.token)), 1001);
  assert.equal(await codeAfter('elsewhere', auth(hq.owner.token)), 1001);
  assert.equal(await codeAfter(id, 'no json'), 4400);
  assert.equal(await codeAfter(id, auth(hq.owner.token), auth(hq.owner.token)), 4400);

  const socket = await open(id);
  const ready = once(socket, 'message');
  socket.send(auth(hq.owner.token));
  await ready;
  const closed = once(socket, 'close');
  must(await mill.call('PUT', '/api/chain', { may: null }));
  assert.equal((await closed)[0], 1001, 'the store has shut its door');
  must(await mill.call('PUT', '/api/chain', { may: 'workspace_viewer' }));
  const again = await open(id);
  const readyAgain = once(again, 'message');
  again.send(auth(hq.owner.token));
  await readyAgain;
  const gone = once(again, 'close');
  await mill.site.app.stop();
  assert.equal((await gone)[0], 1001);
});
