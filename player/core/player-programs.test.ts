/** Programs of a player: download, switch, report to the server, and what is played after a restart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Player } from './player.ts';
import { programOf, settle, sha256 } from './testing/fakes.ts';
import { ALIVE, command, MINUTES, playing, reconnect, rig, shown, stateOf } from './testing/rig.ts';

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
  assert.deepEqual(logs().slice(1), ['info: The disk of this player has free']);
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
