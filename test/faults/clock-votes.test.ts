/** Screens that confirm or deny the clock of the server. */
// Suite: faults
import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import type { Site } from '../harness.ts';
import { type PairedPlayer, pairPlayer, reconnect } from '../player-client.ts';
import { at, begin, DAY, doubt, heartbeat, MINUTE, restart, YEARS } from './doubted-clock.ts';

const votes = async (site: Site, token: string) => {
  const { screens_agree, screens_heard } = await doubt(site, token);
  return [screens_agree, screens_heard];
};

/**
 * Returns players of a store whose clock has jumped, each at the given IP address, and a function that lets the players
 * report their time for long enough.
 */
const voters = async (t: TestContext, addresses: readonly (string | undefined)[]) => {
  const { clock, site, token, till } = await begin(t);
  const players = [till];
  for (let i = 1; i < addresses.length; i++) players.push(await pairPlayer(t, site, token, `Screen ${i}`));
  clock.jump(YEARS);
  assert.ok(await doubt(site, token));
  const clients: PairedPlayer['client'][] = [];
  for (const [i, player] of players.entries()) clients.push(await reconnect(t, site, player, addresses[i]));
  /** Returns true while the server still doubts its clock. */
  const say = async (...own: readonly number[]) => {
    for (const [i, own_time] of own.entries()) await heartbeat({ client: clients[i]! }, { own_time });
    clock.advance(35_000);
    for (const [i, own_time] of own.entries())
      await heartbeat({ client: clients[i]! }, { own_time: own_time + 35_000 });
    site.app.clock.check();
    return site.app.clock.doubtful;
  };
  return { clock, site, token, say };
};

test('screens that agree confirm a clock that jumped, and screens that disagree do not', async (t) => {
  const { clock, site, token, say } = await voters(t, [at(1), at(2), at(3)]);
  const [is, was] = [clock.now(), clock.now() - YEARS];
  assert.equal(await say(was, was, was), true);
  assert.equal(await say(is, 0, was), true, 'one of three');
  assert.deepEqual(await votes(site, token), [1, 3]);
  const now = clock.now();
  assert.equal(await say(now + 2_000, 0, now - 9 * MINUTE), false, 'two of three; one has no clock');
  assert.equal(site.app.clock.now(), clock.now());
});

const here = Object.values(networkInterfaces()).flatMap((infos = []) => infos.map(({ address }) => address));

test("screens on the server's computer cannot confirm the clock, under any address and in any number", async (t) => {
  const { clock, site, token, say } = await voters(t, [undefined, ...here.slice(0, 4)]);
  const now = clock.now();
  assert.equal(await say(...[undefined, ...here.slice(0, 4)].map(() => now)), true);
  assert.deepEqual(await votes(site, token), [0, 0]);
});

test("screens on the server's computer neither support nor outvote a screen on another computer", async (t) => {
  const { clock, say } = await voters(t, [undefined, '127.0.0.7', at(1)]);
  const now = clock.now();
  assert.equal(await say(now, now, now - YEARS), true);
  const later = clock.now();
  assert.equal(await say(later - YEARS, later - YEARS, later), false, 'it is the only one that can know');
});

test('two screens on the same computer have one vote', async (t) => {
  const { clock, site, token, say } = await voters(t, [at(1), at(1), at(2)]);
  const now = clock.now();
  assert.equal(await say(now, now), true, 'the third may be elsewhere, and says nothing');
  assert.deepEqual(await votes(site, token), [1, 1]);
  const later = clock.now();
  assert.equal(await say(later, later, later), false);
});

test('players of an older version vote by their offset to the server once they have received its time', async (t) => {
  const { clock, site: first, till } = await begin(t);
  const lone = { offset_ms: 40, uncertainty_ms: 3 };
  await first.app.stop();
  clock.advance(3 * DAY);
  const site = await restart(t, first, clock);
  const client = await reconnect(t, site, till, at(1));
  await heartbeat({ client }, { sync: lone });
  clock.advance(31_000);
  await heartbeat({ client }, { sync: lone });
  site.app.clock.check();
  assert.ok(site.app.clock.doubtful, 'that may be about the clock of before the restart');
  for (let i = 0; i < 8; i++) {
    client.say({ type: 'clock', t0: i });
    assert.equal((await client.next('clock'))['doubtful'], true);
  }
  await heartbeat({ client }, { sync: lone });
  clock.advance(31_000);
  await heartbeat({ client }, { sync: lone });
  site.app.clock.check();
  assert.equal(site.app.clock.doubtful, false);
  client.say({ type: 'clock', t0: 9 });
  assert.equal((await client.next('clock'))['doubtful'], undefined);
});

for (const [what, by, doubtful] of [
  ['set back by years', -10 * YEARS, true],
  ['years ahead', YEARS, true],
  ['off over a holiday', 20 * DAY, false],
] as const)
  test(`server ${what}: if all screens run on its computer, ${doubtful ? 'they have no vote' : 'they are believed'}`, async (t) => {
    const { clock, site: first, token, till } = await begin(t);
    const door = await pairPlayer(t, first, token, 'Door');
    await first.app.stop();
    clock.jump(by);
    const site = await restart(t, first, clock);
    const clients = [await reconnect(t, site, till), await reconnect(t, site, door)];
    assert.ok(site.app.clock.doubtful);
    for (let i = 0; i < 4; i++) {
      for (const client of clients) await heartbeat({ client }, { own_time: clock.now() });
      if (i < 3) clock.advance(15_000);
    }
    site.app.clock.check();
    assert.equal(site.app.clock.doubtful, doubtful);
  });
