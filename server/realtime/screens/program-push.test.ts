import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { MAX_PROGRAM_BODY_BYTES } from '../../../shared/protocol/messages.ts';
import { ownedSite, type Site, TestClock } from '../../../test/harness.ts';
import {
  connectPlayer,
  DEVICE,
  type PairedPlayer,
  pairPlayer,
  reconnect,
  type Said,
} from '../../../test/player-client.ts';
import { PlayerHub } from '../players/player-hub.ts';
import type { PlayerSocket } from '../players/player-socket.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import type { Wheel } from '../wheel.ts';
import { ProgramPush } from './program-push.ts';

const soon = () => new Promise((next) => setTimeout(next, 60));

test('report of a player counts only for its newest placement, and the program is sent again before a fault is logged', async (t) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const player = await pairPlayer(t, site, token);
  const { client, deviceId } = player;
  const state = async () =>
    (await site.call('GET', `/api/devices/${deviceId}`, { token })).body.program.state as string;
  const turn = async (orientation: string): Promise<Said> => {
    await site.call('PUT', `/api/devices/${deviceId}`, { token, body: { orientation } });
    return client.next('program');
  };
  const upright = await turn('180');
  assert.match(upright['placement_id'], /^[0-9a-f]{32}$/);
  const ready = async ({ id, placement_id }: Said) => {
    client.say({ type: 'program.ready', id, placement_id });
    await soon();
  };
  await ready(upright);
  assert.equal(await state(), 'ready');

  const turned = await turn('90');
  assert.notEqual(turned['placement_id'], upright['placement_id']);
  assert.equal(await state(), 'waiting', 'what it shows is not what it was told last');
  await ready(upright);
  assert.equal(await state(), 'waiting', 'that was said before the newest arrived');
  await ready(turned);
  assert.equal(await state(), 'ready');

  await turn('0');
  const heard = () => client.heard.filter(({ type }) => type === 'program').length;
  const faults = async () => {
    const { body } = await site.call('GET', '/api/activity', { token });
    return (body as { action: string; details: string }[]).filter(({ details }) =>
      /shows something else/.test(details ?? ''),
    ).length;
  };
  for (let time = 1; time <= 8; time++) {
    await ready(turned);
    clock.advance(1_000);
    await soon();
    assert.equal(heard(), 0, 'not more often than every three seconds');
    clock.advance(2_200);
    await new Promise((next) => setTimeout(next, 200));
    if (time <= 5) assert.equal((await client.next('program'))['placement']['orientation'], '0');
    else assert.equal(heard(), 0, 'and not for ever');
  }
  assert.equal(await faults(), 1);
  assert.equal(await state(), 'waiting');

  // This player is older and does not report placements.
  const older = await reconnect(t, site, player);
  older.say({ type: 'program.ready', id: turned['id'] });
  await soon();
  assert.equal(await state(), 'ready');
  await site.call('PUT', `/api/devices/${deviceId}`, { token, body: { orientation: '180' } });
  await older.next('program');
  assert.equal(await state(), 'ready', 'it does not say so again for a placement alone');
});

/**
 * Reconnects as a player that accepts programs through the socket. The messages that the server sends after sign-in are
 * not read yet.
 */
const comeBack = async (
  t: TestContext,
  site: Site,
  { deviceId, secret }: PairedPlayer,
  more: { program_id?: string } = {},
) => {
  const client = await connectPlayer(t, site);
  const takes = ['program.body', 'what a later one takes'];
  client.say({ type: 'hello', protocol: 1, device_id: deviceId, secret, device: DEVICE, takes, ...more });
  await client.next('welcome');
  return client;
};

/** Assigns a playlist to the device. Returns a function that publishes this playlist again. */
const playlistOn = async (site: Site, clock: TestClock, token: string, deviceId: string) => {
  const { body: playlist } = await site.call('POST', '/api/playlists', { token, body: { name: 'Main' } });
  await site.call('POST', `/api/playlists/${playlist.id}/assign`, { token, body: { device_id: deviceId } });
  return async () => {
    clock.advance(20);
    const { status } = await site.call('POST', `/api/playlists/${playlist.id}/publish`, { token });
    assert.equal(status, 200);
  };
};

test('player that accepts programs by socket gets a program before its assignment, and an older player downloads it', async (t) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const player = await pairPlayer(t, site, token);
  const publish = await playlistOn(site, clock, token, player.deviceId);
  await publish();
  await player.client.next(({ type, id }) => type === 'program' && id !== player.programId);
  assert.ok(!player.client.heard.some(({ type }) => type === 'program.body'));

  const client = await comeBack(t, site, player);
  const [body, told] = [await client.next(() => true), await client.next(() => true)];
  assert.deepEqual([body.type, told.type, told['id']], ['program.body', 'program', body['id']]);
  assert.equal(hash('sha256', body['body']), told['id']);
  assert.equal((await fetch(`${site.origin}${told['url']}`, auth(player))).status, 200, 'it can be fetched as well');
  await publish();
  assert.deepEqual(
    [(await client.next(() => true)).type, (await client.next(() => true)).type],
    [body.type, told.type],
  );
  await site.call('PUT', `/api/devices/${player.deviceId}`, { token, body: { orientation: '90' } });
  const turned = await client.next(() => true);
  assert.deepEqual([turned.type, turned['placement']['orientation']], ['program', '90']);

  const holding = await comeBack(t, site, player, { program_id: turned['id'] });
  assert.equal((await holding.next(() => true)).type, 'program');
});

/**
 * Sends programs to one fake player whose connection the test can block. `said` lists the written messages, by type and
 * program.
 */
const oneTold = (size: number) => {
  let caughtUp = () => {};
  const line = { isJammed: false, said: [] as string[] };
  const programs = { newest: Buffer.alloc(0), number: 0 };
  const next = () => {
    programs.newest = Buffer.alloc(size, 'a');
    programs.number++;
    push.pushProgram(['device']);
  };
  const socket = {
    deviceId: 'device',
    takesBodies: true,
    get isBehind() {
      return line.isJammed;
    },
    onceCaughtUp: (listener: () => void) => (caughtUp = listener),
    sendMessage: (frame: Buffer) =>
      line.said.push(/"type":"([^"]+)","id":"([^"]+)"/.exec(frame.toString())!.slice(1).join(' ')),
    together: (speak: () => void) => speak(),
  } as unknown as PlayerSocket;
  const hub = new PlayerHub();
  hub.add(socket);
  const push = new ProgramPush({
    programs: {
      assigned: () => ({
        id: String(programs.number),
        url: '/',
        placement: { orientation: '0', timezone: 'UTC', wall: null },
        placement_id: 'p',
      }),
      bytes: () => programs.newest,
      forget: () => {},
      onChanged: () => {},
    },
    hub,
    registry: { get: () => undefined, program: () => {} } as unknown as LiveRegistry,
    wheel: {} as Wheel,
    faults: { add: () => {}, programTaken: () => {} },
  });
  const drain = () => {
    line.isJammed = false;
    caughtUp();
  };
  return { line, hub, socket, next, drain };
};

test('slow player has at most one unread program, and gets the newest program when it has read everything', () => {
  const { line, hub, socket, next, drain } = oneTold(100);
  next();
  assert.deepEqual(line.said.splice(0), ['program.body 1', 'program 1']);
  line.isJammed = true;
  for (let n = 0; n < 50; n++) next();
  assert.deepEqual(line.said, []);
  drain();
  assert.deepEqual(line.said.splice(0), ['program.body 51', 'program 51']);
  line.isJammed = true;
  next();
  hub.remove(socket);
  drain();
  assert.deepEqual(line.said, [], 'it has gone');
});

test('program that is too large for the socket is only announced, and the player downloads it', () => {
  const { line, next } = oneTold(MAX_PROGRAM_BODY_BYTES + 1);
  next();
  assert.deepEqual(line.said, ['program 1']);
});

const auth = ({ credential }: PairedPlayer) => ({ headers: { Authorization: `Bearer ${credential}` } });
