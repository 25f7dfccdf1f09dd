/** Tests that many idle connections of one client neither keep other clients out nor end signed-in connections. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { ownedSite, type Site, TestClock } from '../../../test/harness.ts';
import { DEVICE } from '../../../test/player-client.ts';
import { PlayerSocket } from '../players/player-socket.ts';
import { type Waiting, WaitingPlayers } from '../players/waiting-players.ts';

type From = { readonly localAddress?: string; readonly forwarded?: string };

/** Opens a socket. Resolves with the socket when it is open, or undefined when it is refused. */
const open = (t: TestContext, site: Site, { localAddress, forwarded }: From): Promise<WebSocket | undefined> =>
  new Promise((done) => {
    const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/api/live`, {
      ...(localAddress && { localAddress }),
      ...(forwarded && { headers: { 'X-Forwarded-For': forwarded } }),
    });
    t.after(() => socket.terminate());
    socket.on('open', () => done(socket)).on('error', () => done(undefined));
  });
/** Sends a credential. Resolves with 'ready', or with the code with which the socket was closed. */
const signIn = (socket: WebSocket, token: string): Promise<string | number> =>
  new Promise((done) => {
    socket.once('message', (data) => done(JSON.parse(String(data)).type)).once('close', done);
    socket.send(JSON.stringify({ type: 'auth', token }));
  });
const isOpen = (socket: WebSocket | undefined) => socket?.readyState === WebSocket.OPEN;

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  return { site, clock, token };
};

test('server with 1,000 idle sockets of one client still accepts other clients', { timeout: 60_000 }, async (t) => {
  const { site, token } = await setUp(t);
  const before = await open(t, site, { localAddress: '127.0.0.1' });
  assert.equal(await signIn(before!, token), 'ready');
  const crowd: (WebSocket | undefined)[] = [];
  for (let i = 0; i < 1_000; i += 50)
    crowd.push(...(await Promise.all(Array.from({ length: 50 }, () => open(t, site, { localAddress: '127.0.0.1' })))));
  assert.equal(crowd.filter(isOpen).length, 20);
  const other = await open(t, site, { localAddress: '127.0.0.2' });
  assert.equal(await signIn(other!, token), 'ready');
  assert.ok(isOpen(before));
});

test('new socket may replace a socket that has not signed in, but never an admin window that has signed in', {
  timeout: 60_000,
}, async (t) => {
  const { site, clock, token } = await setUp(t);
  const window = await open(t, site, {});
  assert.equal(await signIn(window!, token), 'ready');
  const strangers: (WebSocket | undefined)[] = [];
  for (let address = 1; address <= 10; address++)
    strangers.push(
      ...(await Promise.all(Array.from({ length: 20 }, () => open(t, site, { forwarded: `192.0.2.${address}` })))),
    );
  assert.equal(strangers.filter(isOpen).length, 200);
  assert.equal(await open(t, site, { forwarded: '192.0.2.99' }), undefined, 'all of them came just now');
  clock.advance(1_500);
  const late = await open(t, site, { forwarded: '192.0.2.99' });
  assert.equal(await signIn(late!, token), 'ready');
  assert.ok(isOpen(window));
  // Sockets that do not sign in are closed after a short time.
  const closed = Promise.all(
    strangers.filter((one) => isOpen(one)).map((one) => new Promise((done) => one!.once('close', done))),
  );
  clock.advance(4_000);
  await closed;
  assert.ok(isOpen(window) && isOpen(late));
});

test('account opens admin windows up to a limit, and may open another after closing one', {
  timeout: 60_000,
}, async (t) => {
  const { site, token } = await setUp(t);
  const windows: WebSocket[] = [];
  for (let i = 0; i < 50; i++) {
    const socket = await open(t, site, {});
    assert.equal(await signIn(socket!, token), 'ready');
    windows.push(socket!);
  }
  assert.equal(await signIn((await open(t, site, {}))!, token), 4429);
  // The window sends `auth` twice, which does not count as another window.
  assert.equal(await signIn(windows[0]!, token), 'ready');
  const gone = new Promise((done) => windows[1]!.once('close', done));
  windows[1]!.close();
  await gone;
  assert.equal(await signIn((await open(t, site, {}))!, token), 'ready');
});

test('thousands of waiting players at a few addresses leave room for a player at another address', () => {
  const waitingPlayers = new WaitingPlayers({ clock: new TestClock(), showCode: () => {} });
  let made = 0;
  const enter = (ip: string): boolean => {
    const socket = Object.assign(Object.create(PlayerSocket.prototype), {
      ip,
      shownAs: ip,
      phase: 'waiting',
      end: () => {},
    }) as PlayerSocket;
    return waitingPlayers.enter(socket, `secret ${made++}`, DEVICE) !== undefined;
  };
  for (let address = 0; address < 8; address++) for (let i = 0; i < 250; i++) assert.ok(enter(`192.0.2.${address}`));
  const perAddress = (waiting: readonly Waiting[], ip: string) => waiting.filter((one) => one.ip === ip).length;
  assert.equal(enter('192.0.2.0'), false, 'one address has so many and no more');
  for (let i = 0; i < 8; i++) assert.ok(enter('198.51.100.7'));
  const waiting = waitingPlayers.list();
  assert.equal(waiting.length, 2_000);
  assert.equal(perAddress(waiting, '198.51.100.7'), 8);
  for (let address = 0; address < 8; address++) assert.equal(perAddress(waiting, `192.0.2.${address}`), 249);
});
