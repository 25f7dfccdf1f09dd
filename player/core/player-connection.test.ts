/** Pairing, the welcome, lost connections and the removal of a player. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tlsText } from '../../shared/protocol/server-proof.ts';
import { Untrusted } from './errors.ts';
import type { Player } from './player.ts';
import { programOf, settle, sha256, signatureOf } from './testing/fakes.ts';
import { ALIVE, command, MINUTES, pip, playing, type Rig, rig, shown, stateOf } from './testing/rig.ts';

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
