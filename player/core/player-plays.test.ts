/** Plays of a player and the clock that dates them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowHash } from '../../shared/protocol/journal-chain.ts';
import { settle, sha256 } from './testing/fakes.ts';
import {
  ALIVE,
  command,
  HOURS,
  openUntil,
  pip,
  playing,
  reconnect,
  rig,
  screenOn,
  shown,
  stateOf,
} from './testing/rig.ts';

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
