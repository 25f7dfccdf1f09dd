import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowHash } from '../../shared/protocol/journal-chain.ts';
import type { PipShow } from '../../shared/protocol/messages.ts';
import { tlsText } from '../../shared/protocol/server-proof.ts';
import type { ScreenReport } from '../screen/host/host.ts';
import { Untrusted } from './errors.ts';
import { Player, type PlayerDeps } from './player.ts';
import type { Shot } from './ports.ts';
import {
  FakeAddresses,
  FakeCrypto,
  FakeMachine,
  FakeServer,
  FakeTime,
  MemoryAssets,
  MemoryDocuments,
  MemoryJournal,
  MemoryLog,
  programOf,
  settle,
  sha256,
  signatureOf,
} from './testing/fakes.ts';

function rig() {
  const time = new FakeTime();
  const kit = {
    time,
    server: new FakeServer(time),
    documents: new MemoryDocuments(),
    assetStore: new MemoryAssets(),
    journalStore: new MemoryJournal(),
    machine: new FakeMachine(),
    addresses: new FakeAddresses(),
    crypto: new FakeCrypto(),
    log: new MemoryLog(),
  };
  /** Starts another run of the player on the same state, as after a restart. */
  const boot = async (over: Partial<PlayerDeps> = {}) => {
    const player = new Player({
      ...kit,
      connect: kit.server.connect,
      get: kit.server.get,
      device: { name: 'kiosk-1', platform: 'test', version: '0.1.0' },
      quotaBytes: 1e9,
      awaitScreenMs: 0,
      screenDue: () => false,
      clockStepped: () => {},
      ...over,
    });
    await player.start();
    await settle();
    return player;
  };
  return { ...kit, boot };
}

type Rig = ReturnType<typeof rig>;
async function playing(kit: Rig, assets = ['one', 'two'], over: Partial<PlayerDeps> = {}) {
  const player = await kit.boot(over);
  kit.server.claim();
  await settle();
  const program = programOf(assets.map((text) => kit.server.addAsset(text)));
  kit.server.push(program);
  await kit.time.advance(100);
  return { player, program };
}

const shown = (turn: string, started_at: number, seconds = 10): ScreenReport => ({
  type: 'shown',
  turn,
  zone_id: 'full',
  item_id: 1,
  playlist_id: 'playlist-1',
  content_id: 'content-1',
  widget_id: null,
  content_name: 'photo.jpg',
  started_at,
  late_ms: 0,
  planned_end: started_at + seconds * 1_000,
});
const ALIVE: ScreenReport = { type: 'alive', width: 1, height: 1, frames: 1 };
const stateOf = ({ state }: Player) => (state.phase === 'playing' ? state : assert.fail(state.phase));
/** An overlay of one minute. */
const pip = (kit: Rig, pip_id: string): PipShow => ({
  type: 'device:pip-show',
  pip_id,
  kind: 'web',
  uri: 'http://x/',
  position: 'center',
  width: 400,
  height: 300,
  duration: 60,
  opacity: 1,
  border_radius: 0,
  close_button: false,
  until: kit.server.now + 60_000,
});
const command = (kit: Rig, name: string, payload = {}, id = name) =>
  kit.server.say({ type: 'command', id, command: name, payload, expires_at: kit.server.now + 60_000 });
/** Breaks the connection and lets the server accept the player again. */
const reconnect = async (kit: Rig) => {
  kit.server.close(1006);
  await kit.time.advance(3_000);
  kit.server.welcome();
  await settle();
};

test('new player sends only the hash of its secret, shows the code, and stores the pairing', async () => {
  const kit = rig();
  const player = await kit.boot();
  const [hello] = kit.server.received('hello');
  assert.ok(hello);
  assert.equal('secret' in hello, false);
  kit.server.say({ type: 'pairing', code: 'ABC234', expires_at: kit.server.now + 900_000, server: kit.server.server });
  await settle();
  assert.equal(player.state.phase, 'pairing');
  assert.ok(
    player.state.phase === 'pairing' &&
      player.state.claim_url.startsWith('http://10.0.0.1:8710/') &&
      player.state.code === 'ABC234',
  );
  kit.server.say({ type: 'paired', device_id: 'device-1', name: 'Window', workspace_id: 'ws' });
  kit.server.welcome();
  await settle();
  assert.equal(player.state.phase, 'playing');
  await player.stop();

  await kit.boot();
  const [again] = kit.server.received('hello');
  assert.equal(again?.device_id, 'device-1');
  assert.equal(sha256(Buffer.from(String(again?.secret), 'hex')), hello.secret_hash);
});

test('player switches to a program and reports it ready when all files are stored', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  assert.ok(player.state.phase === 'playing' && player.state.program_id === program.id);
  assert.deepEqual(kit.server.received('program.ready'), [{ type: 'program.ready', id: program.id }]);
  assert.ok(
    kit.server.requests.every((request) => /^Bearer device-1\.[0-9a-f]{64}$/.test(request.headers.Authorization ?? '')),
  );

  const missing = { sha256: sha256('nowhere'), size: 7, mime: 'image/png' };
  const broken = programOf([missing]);
  kit.server.push(broken);
  await kit.time.advance(10);
  assert.equal(player.state.phase === 'playing' && player.state.program_id, program.id);
  assert.equal(kit.server.received('program.failed')[0]?.asset, missing.sha256);
  kit.server.addAsset('nowhere');
  await kit.time.advance(60_000);
  assert.equal(player.state.phase === 'playing' && player.state.program_id, broken.id);
  assert.equal(kit.server.received('program.failed').length, 1, 'the same reason is said once');
});

test('player with a screen reports a program ready when the screen has switched', async () => {
  const kit = rig();
  const player = await kit.boot();
  player.attached(true);
  kit.server.claim();
  await settle();
  const program = programOf([]);
  kit.server.push(program);
  await kit.time.advance(100);
  assert.equal(kit.server.received('program.ready').length, 0);
  await player.report({ type: 'switched', program_id: program.id });
  assert.equal(kit.server.received('program.ready')[0]?.id, program.id);
});

test('player without a server plays the program from disk after a restart', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  await player.stop();
  kit.server.reachable = false;
  const again = await kit.boot();
  assert.ok(again.state.phase === 'playing' && again.state.program_id === program.id && again.state.program);
  assert.ok(program.program.assets.every((asset) => again.asset(asset.sha256)));
});

test('player downloads a damaged file again while the program plays on', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  const name = program.program.assets[0]?.sha256 ?? '';
  kit.assetStore.whole.set(name, Buffer.from('rot'));
  await player.report({ type: 'fault', item_id: 1, asset: name, message: 'cannot decode' });
  await kit.time.advance(100);
  assert.equal(sha256(kit.assetStore.whole.get(name) ?? ''), name);
  assert.equal(player.state.phase === 'playing' && player.state.program_id, program.id);
});

test('player reports a full disk once, and as the reason for a failed program', async () => {
  const kit = rig();
  await playing(kit);
  kit.assetStore.room = 3;
  for (const text of ['more than there is room for', 'and this']) {
    kit.server.push(programOf([kit.server.addAsset(text)]));
    await kit.time.advance(2_000);
  }
  const logs = () => kit.server.received('log').map(({ level, message }) => `${level}: ${message.slice(0, 32)}`);
  assert.deepEqual(logs(), ['error: The disk of this player is full:']);
  assert.match(kit.server.received('program.failed')[0]?.reason ?? '', /the disk of this player is full/);
  kit.assetStore.room = 1e6;
  kit.server.push(programOf([kit.server.addAsset('this fits')]));
  await kit.time.advance(2_000);
  assert.deepEqual(logs().slice(1), ['info: There is room on the disk of thi']);
});

test('mute change applies at once and survives a restart', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  kit.server.say({ type: 'device:mute-changed', item_id: 2, content_id: 'content-1', widget_id: null, muted: true });
  await settle();
  const mutes = (state: Player['state']) =>
    state.phase === 'playing' ? state.program?.playlists[0]?.items.map((each) => each.muted) : undefined;
  assert.deepEqual(mutes(player.state), [false, true]);
  await player.stop();
  assert.deepEqual(mutes((await kit.boot()).state), [false, true]);
});

test('plays are delivered in order and deleted after the acknowledgement, and repeated reports count once', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const start = player.now();
  for (let i = 0; i < 3; i++) {
    for (let repeat = 0; repeat < 2; repeat++) {
      await player.report(shown(`t${i}`, start + i * 10_000));
      await player.report({ type: 'ended', turn: `t${i}`, ended_at: start + (i + 1) * 10_000, completed: true });
    }
  }
  await kit.time.advance(6_000);
  const [plays] = kit.server.received('plays');
  assert.equal(plays?.first, 1);
  assert.deepEqual(
    plays?.plays.map((play) => [play.started_at, play.completed, play.zone_id]),
    [0, 1, 2].map((i) => [start + i * 10_000, true, null]),
  );
  assert.equal(kit.journalStore.rows.length, 3);
  kit.server.close(1001);
  await kit.time.advance(3_000);
  kit.server.welcome();
  await kit.time.advance(6_000);
  const [repeated] = kit.server.received('plays');
  assert.deepEqual(
    repeated?.plays.map((play) => play.id),
    plays?.plays.map((play) => play.id),
  );
  kit.server.say({ type: 'plays.ack', through: 3 });
  await kit.time.advance(40_000);
  assert.equal(kit.journalStore.rows.length, 0);
  assert.equal(kit.server.received('plays').length, 1);
});

test("player whose clock is wrong by 3 years uses the server's clock for its plays", async () => {
  const kit = rig();
  const behind = 3 * 365 * 86_400_000;
  kit.time.wallOffset -= behind;
  const { player } = await playing(kit);
  assert.ok(Math.abs(player.now() - kit.server.now) < 1);
  await kit.time.advance(20_000);
  const told = kit.server.received('heartbeat').at(-1)?.sync?.offset_ms ?? Number.NaN;
  assert.ok(Math.abs(told - behind) < 1, 'how much is to be added to its own');
  await player.stop();
  kit.server.reachable = false;
  const again = await kit.boot();
  assert.ok(Math.abs(again.now() - kit.server.now) < 10, 'remembered over the restart');
});

test('plays from before the first clock comparison are moved and stay chained', async () => {
  const kit = rig();
  const { player: first } = await playing(kit);
  await first.stop();
  kit.server.reachable = false;
  kit.time.wallOffset += 5 * 3_600_000; // the clock was set while the player was off
  const player = await kit.boot();
  const start = player.now();
  await player.report(shown('a', start));
  await player.report({ type: 'ended', turn: 'a', ended_at: start + 10_000, completed: true });
  await player.report(shown('b', start + 10_000));
  kit.server.reachable = true;
  await kit.time.advance(60_000);
  kit.server.welcome();
  await kit.time.advance(6_000);
  const row = kit.server.received('plays')[0]?.plays[0];
  assert.ok(Math.abs((row?.started_at ?? 0) - (start - 5 * 3_600_000)) < 50);
  const stored = kit.journalStore.rows;
  assert.ok(stored.every((each) => each.hash === rowHash(sha256, each)));
  assert.ok(stored.slice(1).every((each, i) => each.prev === stored[i]?.hash));
  assert.ok(Math.abs((kit.journalStore.open[0]?.started_at ?? 0) - (start + 10_000 - 5 * 3_600_000)) < 50);
});

test('command runs once and is answered each time, also after the reboot that it caused', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const command = {
    type: 'command' as const,
    id: 'c1',
    command: 'reboot' as const,
    payload: {},
    expires_at: kit.server.now + 60_000,
  };
  kit.server.say(command);
  kit.server.say(command);
  await settle();
  assert.deepEqual(kit.machine.done, ['reboot']);
  assert.deepEqual(
    kit.server.received('command.result').map((result) => result.status),
    ['done', 'done'],
  );
  await player.stop();
  await kit.boot();
  kit.server.welcome();
  kit.server.say(command);
  await settle();
  assert.deepEqual(kit.machine.done, ['reboot']);
  assert.equal(kit.server.received('command.result')[0]?.status, 'done');
});

/** The test server's time is 22:13:20 UTC on Tuesday, 14 November 2023. */
const openUntil = (end: string) => ({
  timezone: 'UTC',
  hours: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '08:00', end, start_date: null, end_date: null }],
});
const MINUTES = 60_000;
const HOURS = 60 * MINUTES;
const screenOn = ({ state }: Player) => state.phase === 'playing' && state.screen_on;

test('opening hours switch the panel at the minute without a server, and the player reports it at once', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(program, openUntil('22:30'));
  await settle();
  assert.equal(screenOn(player), true);
  const said = () => kit.server.received('heartbeat').map((beat) => beat.screen_on);
  const before = said().length;
  const toClosing = 22.5 * HOURS - (kit.server.now % (24 * HOURS));
  await kit.time.advance(toClosing - 1);
  assert.equal(screenOn(player), true);
  await kit.time.advance(2);
  assert.equal(screenOn(player), false);
  assert.deepEqual(kit.machine.done, ['on', 'off']);
  assert.deepEqual([...new Set(said().slice(before))], [true, false]);

  kit.server.reachable = false;
  kit.server.close(1006);
  await kit.time.advance(9.5 * HOURS - 10);
  assert.equal(screenOn(player), false);
  await kit.time.advance(10);
  assert.equal(screenOn(player), true);
  assert.deepEqual(kit.machine.done, ['on', 'off', 'on']);
});

test('player reports visible content after an empty screen at once', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  await kit.time.advance(HOURS);
  const before = kit.server.received('heartbeat').length;
  assert.deepEqual(kit.server.received('heartbeat').at(-1)?.showing, []);
  for (const turn of ['a', 'b']) {
    await player.report(shown(turn, player.now()));
    await settle();
  }
  for (const name of ['screen_off', 'screen_on']) {
    command(kit, name);
    await settle();
  }
  const told = kit.server.received('heartbeat').slice(before);
  assert.deepEqual(
    told.map((beat) => beat.showing?.length),
    [1, 0],
    'and that the panel is on is not: nothing is to be seen yet',
  );
});

test('new hours apply at once, also with a program whose files never arrive', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(programOf([{ sha256: sha256('lost'), size: 4, mime: 'image/png' }]), openUntil('22:00'));
  await kit.time.advance(1_000);
  assert.equal(player.state.phase === 'playing' && player.state.program_id, program.id);
  assert.equal(screenOn(player), false);
});

test('play ends at closing time, whatever the page reports later', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  const began = player.now();
  await player.report(shown('a', began, 3_600));
  await kit.time.advance(5_000);
  kit.server.push(program, openUntil('22:00'));
  await settle();
  const closed = player.now();
  await kit.time.advance(9 * HOURS);
  await player.report({ type: 'ended', turn: 'a', ended_at: player.now(), completed: true });
  await settle();
  assert.deepEqual(
    kit.journalStore.rows.map(({ ended_at, completed }) => [Math.round((ended_at - closed) / 100), completed]),
    [[0, false]],
  );
});

test('player that is removed at night shows its code and turns the panel on', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(program, openUntil('22:00'));
  await settle();
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await kit.time.advance(1_000);
  assert.notEqual(player.state.phase, 'playing');
  assert.deepEqual(kit.machine.done, ['off', 'on']);
});

test('unconfirmed clock after a start keeps the panel on', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(program, openUntil('22:00'));
  await settle();
  assert.equal(screenOn(player), false);
  await player.stop();
  kit.server.reachable = false;
  const again = await kit.boot();
  assert.equal(screenOn(again), true);
  kit.server.reachable = true;
  await kit.time.advance(2 * MINUTES);
  assert.equal(screenOn(again), false, 'the server has told the time');
});

test('player whose panel is off reports the next program ready', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  player.attached(true);
  kit.server.push(program, openUntil('22:00'));
  await settle();
  const tomorrow = programOf([kit.server.addAsset('three')]);
  kit.server.push(tomorrow, openUntil('22:00'));
  await kit.time.advance(100);
  assert.equal(kit.server.received('program.ready').at(-1)?.id, tomorrow.id);
});

test('newest overlay replaces the previous overlay, is acknowledged when visible, and ends by the server clock', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const overlayOf = (state: Player['state']) => (state.phase === 'playing' ? state.overlay?.pip_id : undefined);
  kit.server.say(pip(kit, 'p1'));
  kit.server.say(pip(kit, 'p2'));
  await settle();
  assert.equal(overlayOf(player.state), 'p2');
  await player.report({ type: 'overlay', pip_id: 'p2', status: 'shown' });
  assert.deepEqual(
    kit.server.received('overlay.result').map((result) => `${result.pip_id} ${result.status}`),
    ['p1 cleared', 'p2 shown'],
  );
  await player.stop();
  const again = await kit.boot();
  assert.equal(overlayOf(again.state), 'p2');
  await kit.time.advance(60_000);
  assert.equal(overlayOf(again.state), undefined);
  kit.server.welcome();
  await settle();
  assert.equal(kit.server.received('overlay.result').at(-1)?.status, 'cleared');
});

test('player never sends its secret to a server that cannot prove its identity', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  const honest = kit.server.prove;
  const liars: Record<string, (nonce: string) => object> = {
    'another key': (nonce) => ({ ...honest(nonce), public_key: 'cd'.repeat(44) }),
    'the right key, which it does not hold': (nonce) => ({ ...honest(nonce), signature: '00'.repeat(64) }),
    'a proof made for somebody else': () => honest('00'.repeat(32)),
    'no proof at all': () => ({ error: 'Not found' }),
  };
  for (const [what, prove] of Object.entries(liars)) {
    kit.server.prove = prove;
    kit.server.close(1006);
    const before = kit.server.sockets.length;
    await kit.time.advance(20_000);
    assert.equal(kit.server.sockets.length, before, what);
    assert.ok(player.state.phase === 'playing' && player.state.program_id === program.id);
    kit.server.prove = honest;
    await kit.time.advance(120_000);
    assert.equal(kit.server.sockets.length, before + 1, `${what}, and then the right one`);
    kit.server.welcome();
    await settle();
  }
  assert.match(kit.log.lines.join('\n'), /is not talked to: it does not hold the key that it shows/);
});

test('unpaired player removes content, plays and identity and sends a new hello', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const before = kit.server.received('hello')[0]?.secret_hash;
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await settle();
  assert.equal(player.state.phase, 'searching');
  assert.equal(kit.assetStore.whole.size, 0);
  assert.deepEqual(
    (await kit.documents.list()).filter((name) => /program|current/.test(name)),
    [],
  );
  await kit.time.advance(3_000);
  const hash = kit.server.received('hello')[0]?.secret_hash;
  assert.ok(hash && hash !== before);
});

test('unpaired player updates the screen first and drops later reports', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const phases: string[] = [];
  player.subscribe(({ phase }) => phases.push(phase));
  await player.report(shown('turn-1', kit.server.now));
  const removed = kit.assetStore.remove.bind(kit.assetStore);
  kit.assetStore.remove = async (name) => {
    // While files are removed, a screen that is not updated yet changes to its next item.
    assert.equal(phases.at(-1), 'searching');
    await player.report(shown(`turn-${name}`, kit.server.now));
    await removed(name);
  };
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await settle();
  await player.report(shown('turn-late', kit.server.now));
  await player.pageLoaded();
  assert.deepEqual([kit.journalStore.open, kit.journalStore.rows], [[], []]);
});

test('newly welcomed player sends all telemetry, also after removal and a new claim', async () => {
  const kit = rig();
  await kit.boot();
  const everything = { uptime_seconds: 5, battery_level: null };
  /** Before the welcome, the server stores no telemetry. */
  const toldOnceWelcome = async (welcome: () => void) => {
    const before = kit.server.sockets.length > 0 ? kit.server.received('heartbeat').length : 0;
    welcome();
    await kit.time.advance(40_000);
    return kit.server
      .received('heartbeat')
      .slice(before)
      .flatMap(({ telemetry }) => telemetry ?? []);
  };
  await kit.time.advance(70_000);
  assert.deepEqual(await toldOnceWelcome(() => kit.server.claim()), [everything]);
  assert.deepEqual(
    await toldOnceWelcome(() => kit.server.welcome()),
    [everything],
    'taken in again on the same connection',
  );

  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await kit.time.advance(70_000);
  assert.equal(kit.server.sockets.length, 2);
  assert.deepEqual(await toldOnceWelcome(() => kit.server.claim()), [everything]);
});

test('player with a damaged program plays the previous one and reports the damage to the server', async () => {
  const kit = rig();
  const { player, program: before } = await playing(kit, ['one']);
  const newest = programOf([kit.server.addAsset('two')]);
  kit.server.push(newest, { orientation: '90' });
  await kit.time.advance(100);
  await player.stop();
  kit.documents.all.set(`program-${newest.id}`, 'cut');
  kit.server.reachable = false;
  const again = await kit.boot();
  const state = () => (again.state.phase === 'playing' ? again.state : assert.fail());
  assert.equal(state().program_id, before.id);
  assert.equal(state().placement?.orientation, '90', 'where it hangs has nothing to do with the damage');
  assert.ok(state().program?.assets.every((asset) => again.asset(asset.sha256)));

  await kit.time.advance(60_000);
  kit.server.reachable = true;
  await kit.time.advance(31_000);
  kit.server.welcome();
  await settle();
  assert.deepEqual(
    kit.server.received('program.failed').map(({ id, reason }) => ({ id, reason })),
    [{ id: newest.id, reason: 'the program is damaged on disk' }],
  );
  assert.equal(kit.server.received('hello')[0]?.program_id, before.id);
  kit.server.push(newest, { orientation: '90' });
  await kit.time.advance(100);
  assert.equal(state().program_id, newest.id);
  assert.equal(kit.server.received('program.ready').at(-1)?.id, newest.id);
});

test('machine that sleeps past closing time is dark within 5 s of waking and counts no play for the night', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(program, openUntil('22:30'));
  kit.server.say({ ...pip(kit, 'p'), duration: 3_600, until: undefined });
  await settle();
  kit.server.reachable = false;
  kit.server.close(1006);
  await kit.time.advance(60_000);
  const start = player.now(); // 22:14
  await player.report(shown('a', start));
  assert.ok(stateOf(player).overlay);
  await kit.time.advance(2_000);
  assert.equal(screenOn(player), true);
  kit.time.sleep(3 * HOURS);
  await kit.time.advance(5_000);
  assert.ok(Math.abs(player.now() - (start + 3 * HOURS + 7_000)) < 100);
  assert.deepEqual([screenOn(player), stateOf(player).overlay], [false, null]);
  const [row] = kit.journalStore.rows;
  assert.ok(row && row.ended_at - row.started_at < 8_000);
});

test('player without a current document plays the newest program with its last placement', async () => {
  for (const damage of ['{broken', undefined]) {
    const kit = rig();
    const { player, program } = await playing(kit);
    kit.server.push(program, { orientation: '90' });
    await settle();
    await player.stop();
    if (damage) kit.documents.all.set('current', damage);
    else kit.documents.all.delete('current');
    kit.server.reachable = false;
    const again = await kit.boot();
    assert.ok(again.state.phase === 'playing' && again.state.program_id === program.id);
    assert.equal(again.state.placement?.orientation, '90');
    assert.equal(kit.documents.all.has('current.damaged'), damage !== undefined);
    assert.ok(kit.documents.all.has('current'), 'the next start knows it');
  }
});

test('player that was unpaired half-way does not play again', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const remove = kit.documents.remove.bind(kit.documents);
  // The power goes off during the first removal.
  kit.documents.remove = async (name) => {
    kit.documents.remove = () => new Promise(() => {});
    await remove(name);
  };
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await settle();
  kit.documents.remove = remove;
  void player;
  kit.server.reachable = false;
  const again = await kit.boot();
  assert.ok(again.state.phase !== 'playing' || again.state.program === null);
});

test('player reports the program and placement that the page shows as ready', async () => {
  const kit = rig();
  const player = await kit.boot();
  player.attached(true);
  kit.server.claim();
  await settle();
  const program = programOf([]);
  const ready = () => kit.server.received('program.ready').map(({ id, placement_id }) => [id, placement_id]);
  kit.server.push(program, {}, 'upright');
  await kit.time.advance(100);
  await player.report({ type: 'switched', program_id: program.id, placement_id: 'upright' });
  assert.deepEqual(ready(), [[program.id, 'upright']]);
  kit.server.push(program, { orientation: '90' }, 'turned');
  await settle();
  assert.equal(player.state.phase === 'playing' && player.state.placement_id, 'turned');
  assert.equal(ready().length, 1, 'the page has not turned yet');
  await player.report({ type: 'switched', program_id: program.id, placement_id: 'turned' });
  assert.deepEqual(ready().at(-1), [program.id, 'turned']);
  kit.server.push(program, { orientation: '90' }, 'turned');
  await settle();
  assert.deepEqual(ready().slice(2), [[program.id, 'turned']], 'asked again it says so again');
});

test('player that expects a page reports nothing ready before the page has reported', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  await player.stop();
  const again = await kit.boot({ screenDue: () => true });
  kit.server.welcome();
  assert.equal(kit.server.received('hello')[0]?.program_id, undefined, 'what it holds is not said to be shown');
  kit.server.push(program);
  await kit.time.advance(100);
  assert.equal(kit.server.received('program.ready').length, 0);
  again.attached(true);
  await settle();
  assert.equal(kit.server.received('program.ready').length, 0);
  await again.report({ type: 'switched', program_id: program.id });
  assert.equal(kit.server.received('program.ready').length, 1);
});

function capabilitiesSaid(kit: Rig): string[] {
  const hello = kit.server.received('hello').at(-1) as { device: { capabilities: string[] } } | undefined;
  return hello?.device.capabilities ?? [];
}

test('identification is shown for the requested time and not after a restart', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  assert.ok(capabilitiesSaid(kit).includes('identify'));
  const asked = () => (player.state.phase === 'playing' ? player.state : assert.fail());
  const at = kit.server.now;
  kit.server.say({ type: 'identify', seconds: 20, groups: ['Entrance', 'Windows'] });
  await settle();
  assert.ok(Math.abs((asked().identify_until ?? 0) - (at + 20_000)) < 50);
  assert.deepEqual(asked().identify_groups, ['Entrance', 'Windows']);
  await kit.time.advance(20_000);
  assert.equal(asked().identify_until, null);
  await player.stop();
});

test('player reports the touch ability of its screen with the next hello', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const capabilities = () => capabilitiesSaid(kit);
  assert.ok(!capabilities().includes('touch'));
  await player.report({ type: 'alive', width: 1, height: 1, frames: 1, touch: true });
  await player.stop();
  await kit.boot();
  assert.deepEqual(
    capabilities().filter((each) => each === 'touch'),
    ['touch'],
  );
});

test('stopped player has no pending timers', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.push(program, openUntil('22:30'));
  kit.server.say({ type: 'identify', seconds: 20, groups: [] });
  await player.report(shown('a', player.now()));
  player.sendToOperator('the fan is slow');
  kit.server.say(pip(kit, 'p'));
  kit.server.push(programOf([{ sha256: sha256('lost'), size: 4, mime: 'image/png' }]));
  await settle();
  assert.ok(kit.time.waits > 7);
  await player.stop();
  assert.deepEqual([kit.time.waits, kit.journalStore.open, kit.journalStore.rows.length], [0, [], 1]);
  kit.addresses.change('http://10.0.0.2:8710');
  await kit.time.advance(60_000);
  assert.equal(kit.server.sockets.length, 1);
});

test('subscriber receives the state of the player at once and on each change until it unsubscribes', async () => {
  const kit = rig();
  const player = await kit.boot();
  const heard: Player['state'][] = [];
  const follow = () => player.subscribe((state) => heard.push(state));
  const unfollow = follow();
  assert.deepEqual(heard, [player.state]);
  const program = programOf([kit.server.addAsset('one')]);
  const [asset] = program.program.assets;
  const say = kit.server.say.bind(kit.server);
  const steps: Record<string, () => unknown> = {
    'the servers that are heard': () => kit.addresses.change('http://10.0.0.2:8710'),
    'that it is claimed': () => kit.server.claim(),
    'a program': () => kit.server.push(program),
    'where it hangs': () => kit.server.push(program, { orientation: '90' }),
    'a mute': () =>
      say({ type: 'device:mute-changed', item_id: 1, content_id: 'content-1', widget_id: null, muted: true }),
    'an overlay': () => say(pip(kit, 'p')),
    'that it is over': () => say({ type: 'device:pip-clear', pip_id: 'p' }),
    'which screen it is': () => say({ type: 'identify', seconds: 1, groups: [] }),
    'that nobody asks any more': () => kit.time.advance(1_000),
    'a page': () => command(kit, 'launch', { url: 'https://a.test/' }),
    'that the panel is off': () => command(kit, 'screen_off'),
    'that it is on': () => command(kit, 'screen_on'),
    'a file that is whole again': () => {
      kit.assetStore.whole.set(asset!.sha256, Buffer.from('rot'));
      return player.report({ type: 'fault', item_id: 1, asset: asset!.sha256, message: 'cannot decode' });
    },
    'its name': () => say({ ...kit.server.greeting, name: 'Door' }),
    'that it was removed': () => say({ type: 'unpaired', reason: 'removed' }),
  };
  for (const [what, happen] of Object.entries(steps)) {
    const before = JSON.stringify(player.state);
    await happen();
    await kit.time.advance(10);
    assert.notEqual(JSON.stringify(player.state), before, what);
    assert.deepEqual(heard.at(-1), player.state, what);
  }
  unfollow();
  const told = heard.length;
  kit.addresses.change('http://10.0.0.3:8710');
  assert.equal(heard.length, told);
  follow();
  await player.stop();
  kit.addresses.change('http://10.0.0.4:8710');
  assert.equal(heard.length, told + 1);
});

test('player ignores messages before the welcome and keeps its own messages', async () => {
  const kit = rig();
  const player = await kit.boot();
  kit.server.say({ type: 'pairing', code: 'ABC234', expires_at: kit.server.now, server: kit.server.server });
  let sent = 0;
  player.sendToOperator('the fan is slow', () => sent++);
  kit.server.push(programOf([]));
  command(kit, 'update');
  kit.server.say({ type: 'identify', seconds: 60, groups: [] });
  kit.server.say({ ...pip(kit, 'p'), kind: 'hologram' } as never);
  await kit.time.advance(5_000);
  player.attached(false);
  await assert.rejects(player.get('/x', {}, new AbortController().signal), /not connected to the server/);
  assert.deepEqual([kit.server.received('log'), sent, kit.machine.done, kit.server.requests], [[], 0, [], []]);
  kit.server.claim();
  await settle();
  assert.deepEqual(kit.server.received('log'), [{ type: 'log', level: 'error', message: 'the fan is slow' }]);
  const { program, identify_until } = stateOf(player);
  assert.deepEqual([sent, program, identify_until, kit.server.received('overlay.result')], [1, null, null, []]);
  for (const attached of [true, false]) player.attached(attached);
  assert.deepEqual(kit.server.received('program.ready'), [], 'there is none');
  // Sends the same messages on each new connection before the welcome.
  kit.server.close(1006);
  await kit.time.advance(3_000);
  player.sendToOperator('and now it is loud');
  kit.server.say({ type: 'identify', seconds: 60, groups: [] });
  await settle();
  assert.deepEqual([stateOf(player).identify_until, kit.server.received('log')], [null, []]);
});

test('player reports no program ready that is no longer visible or not on disk', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  await player.stop();
  const again = await kit.boot();
  again.attached(true);
  await again.report({ type: 'switched', program_id: program.id });
  await again.pageLoaded();
  kit.server.welcome();
  await settle();
  const ready = () => kit.server.received('program.ready').length;
  assert.equal(ready(), 0);
  again.attached(false);
  assert.equal(ready(), 1);
  const disk = Promise.withResolvers<void>();
  const write = kit.documents.write.bind(kit.documents);
  kit.documents.write = async (...given) => {
    await disk.promise;
    return write(...given);
  };
  kit.server.push(program, { orientation: '90' });
  await settle();
  assert.deepEqual([stateOf(again).placement?.orientation, ready()], ['90', 1]);
  disk.resolve();
  await settle();
  assert.equal(ready(), 2);
});

test('player that was removed while offline receives the removal instead of a welcome', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  await player.stop();
  const again = await kit.boot();
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await settle();
  assert.equal(again.state.phase, 'searching');
});

test('player ignores messages of a closed connection', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  kit.server.close(1006);
  await settle();
  assert.equal(stateOf(player).program_id, program.id);
});

test('player disconnects a server that sends more than 1,000 messages at once', async () => {
  const kit = rig();
  const { player } = await playing(kit, []);
  const flood = async (count: number, groups: string[]) => {
    for (let i = 1; i < count; i++) kit.server.say({ type: 'waiting', server: kit.server.server });
    kit.server.say({ type: 'identify', seconds: 60, groups });
    await settle();
    return [stateOf(player).identify_groups, kit.server.socket.closed];
  };
  for (const groups of [['a'], ['b']]) assert.deepEqual(await flood(1_000, groups), [groups, undefined]);
  assert.deepEqual(await flood(1_001, ['c']), [['b'], 4_000]);
  assert.ok(kit.log.lines.includes('connection closed: 4000 too much at once'));
});

test('player answers a screenshot request with a picture or a reason, and logs failures', async () => {
  const kit = rig();
  const { player } = await playing(kit, []);
  const ask = async (shot: () => Promise<Shot>) => {
    kit.machine.screenshot = shot as typeof kit.machine.screenshot;
    kit.server.say({ type: 'screenshot', id: 's' });
    await settle();
    return kit.server.received('screenshot.result').at(-1);
  };
  const picture = { mime: 'image/jpeg', data: 'AAAA' } as const;
  assert.deepEqual(await ask(async () => picture), { type: 'screenshot.result', id: 's', ...picture });
  const error = 'x'.repeat(2_000);
  const told = await ask(async () => ({ error: `${error}y` }));
  assert.deepEqual(told, { type: 'screenshot.result', id: 's', error });
  await ask(() => Promise.reject(new Error('no display')));
  kit.server.say({ type: 'identify', seconds: 60, groups: ['Entrance'] });
  await settle();
  assert.deepEqual(stateOf(player).identify_groups, ['Entrance']);
  kit.documents.write = () => Promise.reject(new Error('disk full'));
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await settle();
  for (const line of ['screenshot failed Error: no display', 'unpaired failed Error: disk full'])
    assert.ok(kit.log.lines.includes(line), line);
});

test('player with a full disk accepts a new name and carries out commands', async () => {
  const kit = rig();
  const { player } = await playing(kit, []);
  kit.documents.write = () => Promise.reject(new Error('disk full'));
  kit.server.close(1006);
  await kit.time.advance(3_000);
  kit.server.say({ ...kit.server.greeting, name: 'Door' });
  command(kit, 'screen_off');
  await settle();
  assert.equal(stateOf(player).device_name, 'Door');
  assert.deepEqual(kit.server.received('command.result').at(-1), {
    type: 'command.result',
    id: 'screen_off',
    status: 'done',
  });
});

test('player answers requests of a newer server that it does not support with a reason', async () => {
  const kit = rig();
  await playing(kit, []);
  kit.server.push(programOf([]), { orientation: '45' as '90' });
  kit.server.say({ ...pip(kit, 'p'), kind: 'hologram' } as never);
  kit.server.say({ type: 'unpaired', reason: 'sold' } as never);
  await settle();
  const [failed] = kit.server.received('program.failed');
  const [result, ...others] = kit.server.received('overlay.result');
  assert.deepEqual([failed?.id, result?.pip_id, result?.status], [programOf([]).id, 'p', 'failed']);
  assert.deepEqual([others, kit.server.socket.closed], [[], undefined]);
  assert.match(failed?.reason ?? '', /^the player is too old for this: "program": placement\.orientation: /);
  assert.match(result?.error ?? '', /^the player is too old for this: "device:pip-show": kind: /);
});

test('backoff starts again after each answer of the server', async () => {
  for (const isClaimed of [true, false]) {
    const kit = rig();
    if (isClaimed) await playing(kit, []);
    else await kit.boot();
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      if (isClaimed) kit.server.welcome();
      else kit.server.say({ type: 'pairing', code: 'ABC234', expires_at: 0, server: kit.server.server });
      await settle();
      const { length } = kit.server.sockets;
      kit.server.close(1006);
      const since = kit.time.mono();
      while (kit.server.sockets.length === length) await kit.time.advance(500);
      waits.push(kit.time.mono() - since);
    }
    assert.deepEqual(waits, [1_500, 1_500, 1_500]);
  }
});

test('player retries a program at once when the server is back and does not report the interruption', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const asset = { sha256: sha256('late'), size: 4, mime: 'image/png' };
  const late = programOf([asset]);
  kit.server.push(late);
  await kit.time.advance(5 * MINUTES);
  const reasons = () => kit.server.received('program.failed').map(({ reason }) => reason);
  assert.equal(reasons().length, 1);
  kit.server.close(1006);
  await kit.time.advance(5 * MINUTES);
  await kit.time.advance(3_000);
  kit.server.addAsset('late');
  kit.server.welcome();
  await settle();
  assert.equal(stateOf(player).program_id, late.id);
  assert.deepEqual(reasons(), []);
});

test('failure reason is limited to 2,000 characters', async () => {
  const kit = rig();
  const { get } = kit.server;
  kit.server.get = (url, ...rest) =>
    url.includes('/p/') ? Promise.reject(new Error('x'.repeat(2_001))) : get(url, ...rest);
  await playing(kit);
  assert.equal(kit.server.received('program.failed')[0]?.reason, 'x'.repeat(2_000));
});

test('player that was removed and claimed again starts empty', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  kit.server.say({ ...pip(kit, 'p'), duration: 0, until: undefined });
  kit.server.say({ type: 'identify', seconds: 600, groups: ['Entrance'] });
  command(kit, 'launch', { url: 'https://a.test/' });
  command(kit, 'screen_off');
  await player.report(shown('a', player.now()));
  await settle();
  const late: string[] = [];
  const remove = kit.documents.remove.bind(kit.documents);
  kit.documents.remove = async (name) => {
    late.push(name);
    // The page is not updated yet.
    await player.report(shown(`turn-${name}`, player.now()));
    await player.report({ type: 'overlay', pip_id: 'p', status: 'shown' });
    await remove(name);
  };
  kit.server.say({ type: 'unpaired', reason: 'removed' });
  await kit.time.advance(100);
  assert.deepEqual([player.state.phase, kit.journalStore.open, late.length > 3], ['searching', [], true]);
  kit.documents.remove = remove;
  await kit.time.advance(3_000);
  kit.server.claim();
  await kit.time.advance(10_000);
  assert.deepEqual(
    { ...stateOf(player), device_name: '' },
    {
      phase: 'playing',
      device_name: '',
      program_id: null,
      program: null,
      placement: null,
      placement_id: null,
      overlay: null,
      screen_on: true,
      launch_url: null,
      identify_until: null,
      identify_groups: [],
      repairs: 0,
    },
  );
  assert.deepEqual([kit.server.received('overlay.result'), kit.server.received('plays')], [[], []]);
  const done = kit.machine.done.length;
  command(kit, 'launch', { url: 'https://b.test/' });
  await settle();
  assert.deepEqual(
    kit.machine.done.slice(done),
    ['launch https://b.test/'],
    'it has done nothing for the new owner yet',
  );
  await player.report(shown('b', player.now()));
  assert.equal(kit.journalStore.open.length, 1);
});

test('content of a lost page counts as visible until the loss, and a reloaded page shows nothing before its report', async () => {
  for (const [attached, until] of [
    [false, 4_000],
    [true, 3_000],
  ] as const) {
    const kit = rig();
    const { player, program } = await playing(kit);
    player.attached(true);
    await player.report({ type: 'switched', program_id: program.id });
    const began = player.now();
    await player.report(shown('a', began));
    await kit.time.advance(3_000);
    await player.report(ALIVE);
    await kit.time.advance(1_000);
    player.attached(attached);
    await kit.time.advance(2_000);
    player.attached(true);
    await player.pageLoaded();
    assert.deepEqual(
      kit.journalStore.rows.map(({ ended_at, completed }) => [Math.round(ended_at - began), completed]),
      [[until, false]],
    );
    await kit.time.advance(15_000);
    assert.deepEqual(kit.server.received('heartbeat').at(-1)?.showing, []);
    const ready = () => kit.server.received('program.ready').length;
    const before = ready();
    kit.server.push(program);
    await settle();
    assert.equal(ready(), before);
    await player.report({ type: 'switched', program_id: program.id });
    assert.equal(ready(), before + 1);
  }
});

test('program without a page is ready when the page is gone or the panel is off, and again on reconnect', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const ready = () => kit.server.received('program.ready').map(({ id }) => id);
  const next = async (text: string, unseen: () => unknown) => {
    player.attached(true);
    const program = programOf([kit.server.addAsset(text)]);
    kit.server.push(program);
    await kit.time.advance(100);
    assert.notEqual(ready().at(-1), program.id);
    await unseen();
    await settle();
    assert.equal(ready().at(-1), program.id);
  };
  await next('three', () => player.attached(false));
  await next('four', () => command(kit, 'screen_off'));
  const { length } = ready();
  player.attached(false);
  assert.equal(ready().length, length, 'once');
  await reconnect(kit);
  player.attached(false);
  assert.equal(ready().length, 1);
});

test('overlay file is downloaded with the device credential and shown once it is stored', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const asset = kit.server.addAsset('a page');
  kit.server.say({ ...pip(kit, 'p'), asset });
  await kit.time.advance(100);
  assert.deepEqual([stateOf(player).overlay?.asset, player.asset(asset.sha256)], [asset, asset]);
  assert.equal(player.asset(sha256('of nobody')), undefined);
  assert.match(kit.server.requests.at(-1)?.headers['Authorization'] ?? '', /^Bearer device-1\./);
  kit.server.say({ type: 'device:pip-clear' });
  await settle();
  assert.deepEqual([stateOf(player).overlay, player.asset(asset.sha256)], [null, undefined]);
});

test('player does not download a program whose text arrived before', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const next = programOf([]);
  kit.server.requests.length = 0;
  kit.server.say({ type: 'program.body', id: next.id, body: new TextDecoder().decode(next.bytes) });
  kit.server.push(next);
  await kit.time.advance(100);
  assert.deepEqual([stateOf(player).program_id, kit.server.requests], [next.id, []]);
});

test("panel of a wall uses the wall's refresh as target, and a screen outside of walls does not", async () => {
  const kit = rig();
  const { player, program } = await playing(kit, []);
  const tell = async () => {
    kit.server.say({ type: 'heartbeat.ack', server_time: 0, wall_refresh: { at: 5, period_ms: 20 } });
    await settle();
    return player.wallRefresh();
  };
  assert.equal(await tell(), null);
  const tile = { x: 0, y: 0, width: 1, height: 1 };
  kit.server.push(program, {
    wall: { wall_id: 'w', canvas: { width: 2, height: 1 }, tile, rotation: 0, audio: false },
  });
  await settle();
  assert.deepEqual(await tell(), { at: 5, period_ms: 20 });
});

test('hello contains the name in 200 characters and each capability once', async () => {
  const kit = rig();
  kit.machine.capabilities = () => ['screen', 'screen'] as never;
  await kit.boot({ device: { name: 'k'.repeat(201), platform: 'test', version: '0.1.0' } });
  assert.deepEqual(kit.server.received('hello')[0]?.['device'], {
    name: 'k'.repeat(200),
    platform: 'test',
    version: '0.1.0',
    capabilities: ['screen', 'identify'],
    screen: { width: 0, height: 0 },
  });
});

test('first hello waits for the screen size up to the limit, and a stopped player sends none', async () => {
  const told = (_: Rig, player: Player) => player.report(ALIVE);
  const waited = ({ time }: Rig) => time.advance(1);
  const stopped = ({ time }: Rig, player: Player) => player.stop().then(() => time.advance(MINUTES));
  for (const [happens, hellos] of [
    [told, 1],
    [waited, 1],
    [stopped, 0],
  ] as const) {
    const kit = rig();
    const player = await kit.boot({ awaitScreenMs: 5_000 });
    kit.addresses.change('http://10.0.0.2:8710');
    await kit.time.advance(4_999);
    assert.equal(kit.server.sockets.length, 0);
    await happens(kit, player);
    await settle();
    assert.equal(kit.server.sockets.length, hellos);
  }
});

test('player ignores the clock of a server that doubts it, and sends no plays before the clocks were compared', async () => {
  const kit = rig();
  let [isDoubtful, steps] = [true, 0];
  const say = kit.server.say.bind(kit.server);
  kit.server.say = (message) => say(message.type === 'clock' && isDoubtful ? { ...message, doubtful: true } : message);
  kit.server.offset += 10 * HOURS;
  const { player } = await playing(kit, [], { clockStepped: () => steps++ });
  const play = async (turn: string) => {
    const began = player.now();
    await player.report(shown(turn, began));
    await player.report({ type: 'ended', turn, ended_at: began + 1_000, completed: true });
    await kit.time.advance(20_000);
    return kit.server.received('plays').length;
  };
  assert.equal(await play('a'), 0);
  assert.ok(kit.server.now - player.now() > 9 * HOURS);
  const beat = kit.server.received('heartbeat').at(-1);
  assert.deepEqual([steps, beat && 'sync' in beat], [0, false]);
  isDoubtful = false;
  await kit.time.advance(20_000);
  assert.ok(Math.abs(kit.server.now - player.now()) < 1);
  assert.deepEqual([steps, kit.server.received('plays').length], [1, 1], 'told once in half a minute');
  isDoubtful = true;
  await reconnect(kit);
  assert.equal(await play('b'), 0);
  isDoubtful = false;
  await kit.time.advance(20_000);
  assert.equal(kit.server.received('plays').length, 1);
  kit.server.say({ type: 'plays.ack', through: 2 });
  await settle();
  assert.equal(await play('c'), 2, 'a new one is told without being asked for');
});

test('player reports the sync error while content is visible', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const sync = async () => {
    await player.report({ type: 'sync', error_p50_ms: 1, error_p99_ms: 2 });
    await kit.time.advance(15_000);
    return kit.server.received('heartbeat').at(-1)?.sync?.error_p99_ms;
  };
  assert.equal(await sync(), 2);
  command(kit, 'screen_off');
  assert.equal(await sync(), undefined);
});

test('player measures no telemetry without a connection', async () => {
  const kit = rig();
  await playing(kit);
  let measured = 0;
  const { telemetry } = kit.machine;
  kit.machine.telemetry = () => {
    measured++;
    return telemetry();
  };
  kit.server.reachable = false;
  kit.server.close(1006);
  await kit.time.advance(2 * MINUTES);
  assert.equal(measured, 0);
});

test('player after a power cut ends the play at its last stored alive time and downloads no file again', async () => {
  const kit = rig();
  const { player, program } = await playing(kit);
  const began = player.now();
  await player.report(shown('a', began));
  await kit.time.advance(3_000);
  await player.report(ALIVE);
  const asked = kit.server.requests.length;
  kit.addresses.change(null);
  const again = await kit.boot();
  kit.addresses.change('http://10.0.0.1:8710');
  await settle();
  kit.server.welcome();
  await kit.time.advance(100);
  assert.deepEqual([stateOf(again).program_id, stateOf(again).repairs], [program.id, 0]);
  const fetched = kit.server.requests.slice(asked).map(({ path }) => path);
  assert.deepEqual(fetched, ['/api/player/identity']);
  assert.deepEqual(
    kit.journalStore.rows.map(({ ended_at }) => Math.round(ended_at - began)),
    [3_000],
  );
});

test('stop writes plays that the disk refused before', async () => {
  const kit = rig();
  const { player } = await playing(kit);
  const append = kit.journalStore.append.bind(kit.journalStore);
  kit.journalStore.append = () => Promise.reject(new Error('disk full'));
  await player.report(shown('a', player.now()));
  await player.report({ type: 'ended', turn: 'a', ended_at: player.now() + 1_000, completed: true });
  assert.match(kit.log.lines.at(-1) ?? '', /plays cannot be written and wait in memory, at most 20000 /);
  kit.journalStore.append = append;
  await player.stop();
  assert.equal(kit.journalStore.rows.length, 1);
});

test('player uses HTTPS with a server that offers it, and disconnects when the certificate changes', async () => {
  const kit = rig();
  const offer = { port: 8711, certificate: 'cc' };
  const prove = kit.server.prove;
  kit.server.prove = (nonce) => ({
    ...prove(nonce),
    tls: {
      ...offer,
      signature: signatureOf(tlsText(nonce, { ...offer, fingerprint: sha256(Buffer.from('cc', 'hex')) })),
    },
  });
  const asked: [string, unknown, unknown][] = [];
  let fault: Error | undefined;
  const { get } = kit.server;
  kit.server.get = (url, headers, signal, trust) => {
    if (!url.includes('/identity')) asked.push([url, headers, trust]);
    return fault ? Promise.reject(fault) : get(url, headers, signal, trust);
  };
  const player = await kit.boot({ pins: true });
  kit.server.claim();
  await settle();
  const ask = () => player.get('/x', { 'X-Y': 'z' }, new AbortController().signal);
  await ask();
  const [[url, headers, trust] = []] = asked;
  assert.deepEqual([url, trust], ['https://10.0.0.1:8711/x', { certificate: 'cc' }]);
  assert.match(JSON.stringify(headers), /^\{"X-Y":"z","Authorization":"Bearer device-1\.[0-9a-f]{64}"\}$/);
  fault = new Error('broke off');
  await assert.rejects(ask(), fault);
  assert.equal(kit.server.socket.closed, undefined);
  fault = new Untrusted('another certificate');
  await assert.rejects(ask(), fault);
  assert.equal(kit.server.socket.closed, 4_000);
  assert.ok(kit.log.lines.includes('connection closed: 4000 who answers has another certificate'));
});

test('stopped unpaired player has no pending timers and does not follow the address book', async () => {
  const kit = rig();
  let isFollowed = false;
  const onChange = kit.addresses.onChange.bind(kit.addresses);
  kit.addresses.onChange = (listener) => {
    isFollowed = true;
    onChange(listener);
    return () => (isFollowed = false);
  };
  const player = await kit.boot();
  kit.server.say({ type: 'pairing', code: 'ABC234', expires_at: 0, server: kit.server.server });
  await settle();
  assert.equal(isFollowed, true);
  await player.stop();
  assert.deepEqual([kit.time.waits, isFollowed], [0, false]);
});
