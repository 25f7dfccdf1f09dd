/** State, panel, overlays and commands of a player. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Player } from './player.ts';
import type { Shot } from './ports.ts';
import { programOf, settle, sha256 } from './testing/fakes.ts';
import {
  command,
  HOURS,
  MINUTES,
  openUntil,
  pip,
  playing,
  type Rig,
  rig,
  screenOn,
  shown,
  stateOf,
} from './testing/rig.ts';

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
