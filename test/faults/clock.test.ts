/**
 * A server whose clock is wrong by years: nothing is deleted, rotated, re-dated or locked permanently until the clock
 * is right or an administrator confirms it.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Bus } from '../../server/kernel/bus.ts';
import { TrustedClock } from '../../server/upkeep/trusted-clock.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../harness.ts';
import { must, person } from '../people.ts';
import { playOf } from '../player-client.ts';
import { begin, confirm, DAY, doubt, HOUR, MINUTE, PLAYS, restart, signIn, value, YEARS } from './doubted-clock.ts';

type Rows = Readonly<Record<'plays' | 'activity' | 'telemetry' | 'intervals', number> & { log: boolean }>;

/** Checks that no record was deleted. The activity log and the measurements may have grown meanwhile. */
const nothingGone = (now: Rows, before: Rows): void => {
  assert.deepEqual([now.plays, now.log], [before.plays, before.log]);
  for (const what of ['activity', 'telemetry', 'intervals'] as const)
    assert.ok(now[what] >= before[what], `${what}: ${now[what]} of ${before[what]}`);
};

const problems = async (site: Site, token: string): Promise<string[]> =>
  must(await site.call('GET', '/api/server/status', { token })).problems.map(({ code }: { code: string }) => code);

test('clock that jumps two years ahead deletes nothing and is reported, and cleaning continues when it is right', async (t) => {
  const { clock, site, token, kept } = await begin(t);
  const before = kept(site);
  clock.jump(YEARS);
  clock.advance(5 * MINUTE);
  assert.equal(await site.app.upkeep.retention.sweep(), 0);
  nothingGone(kept(site), before);
  const status = must(await site.call('GET', '/api/server/status', { token }));
  const said = status.problems.find(({ code }: { code: string }) => code === 'clock_doubtful').text;
  assert.match(said, /2028-03-09/);
  assert.match(said, /2026-03-10/);
  assert.deepEqual([status.clock.doubt.at_least, status.uptime_seconds], [0, 300]);
  clock.jump(-YEARS);
  assert.equal(await doubt(site, token), null);
  assert.deepEqual(await problems(site, token).then((codes) => codes.filter((code) => code === 'clock_doubtful')), []);
  await site.app.upkeep.retention.sweep();
  nothingGone(kept(site), before);
  // The clock is trusted while time really passes, so old records are deleted.
  clock.advance(YEARS);
  await site.app.upkeep.retention.sweep();
  assert.equal(kept(site).plays, 0);
});

for (const [what, wrong] of [
  ['two years ahead', YEARS],
  ['twenty years behind', -10 * YEARS],
] as const) {
  test(`server started ${what} deletes nothing, neither with the wrong clock nor when the clock is right again`, async (t) => {
    const { clock, site: first, token, kept, count } = await begin(t);
    clock.jump(wrong);
    const site = await restart(t, first, clock);
    const before = kept(site);
    assert.ok(before.plays === PLAYS && before.log);
    assert.ok(site.app.clock.doubtful);
    clock.advance(5 * MINUTE);
    await site.app.upkeep.retention.sweep();
    clock.advance(HOUR);
    await site.app.upkeep.retention.sweep();
    nothingGone(kept(site), before);
    // Timers of the server run every 100 ms.
    await pause(150);
    assert.equal(count(site, 'commands'), 1);
    // Signing in does not end other sessions, which only seem to have expired.
    await signIn(site);
    // The server starts again with the wrong clock. Records that it wrote with the wrong clock are no evidence for the
    // time.
    const again = await restart(t, site, clock);
    assert.ok(again.app.clock.doubtful);
    clock.jump(-wrong);
    const right = await restart(t, again, clock);
    assert.equal(right.app.clock.doubtful, false, 'files of the wrong time do not count');
    await right.app.upkeep.retention.sweep();
    assert.equal(kept(right).plays, PLAYS);
    assert.equal((await right.call('GET', '/api/auth/me', { token })).status, 200);
  });
}

test('after a clock was ahead and is right again, daily backups continue and none was deleted', async (t) => {
  const { clock, data, site: first } = await begin(t);
  const names = () =>
    readdirSync(join(data, 'backups'))
      .filter((name) => name.endsWith('.vitrine'))
      .sort();
  for (let day = 0; day < 8; day++) {
    await first.app.upkeep.backups.runDue();
    clock.advance(DAY);
  }
  const before = names();
  assert.equal(before.length, 7);
  clock.jump(YEARS);
  const ahead = await restart(t, first, clock);
  for (let day = 0; day < 8; day++) {
    await ahead.app.upkeep.backups.runDue();
    clock.advance(DAY);
  }
  assert.equal(names().length, 7 + 8, 'while the clock is doubted none is removed');
  clock.jump(-YEARS);
  const right = await restart(t, ahead, clock);
  assert.equal(right.app.clock.doubtful, false);
  for (let day = 0; day < 8; day++) {
    await right.app.upkeep.backups.runDue();
    clock.advance(DAY);
  }
  const after = names();
  const future = after.filter((name) => name.startsWith('vitrine-2028'));
  assert.equal(future.length, 8, 'those of the future are not touched');
  assert.equal(after.length - future.length, 7, 'nor do they count');
  const newest = Date.parse(
    `${after
      .filter((name) => !future.includes(name))
      .at(-1)!
      .slice(8, 18)}T12:00:00Z`,
  );
  assert.ok(clock.now() - newest < 3 * DAY, 'the newest is of these days');
});

test('administrator confirms exactly the clock problem that was shown, and other users cannot confirm it', async (t) => {
  const { clock, site, token, workspaceId, kept } = await begin(t);
  const other = await person(site, 'other@store.test');
  assert.equal((await confirm(site, token, 'x')).status, 409);
  clock.jump(-10 * YEARS);
  const seen = (await doubt(site, token)).id;
  assert.equal((await confirm(site, other.token, seen)).status, 403);
  clock.jump(12 * YEARS);
  assert.equal((await confirm(site, token, seen)).status, 409, 'it has jumped again since');
  const { id } = await doubt(site, token);
  assert.notEqual(id, seen);
  const answer = must(await confirm(site, token, id));
  assert.equal(answer.doubt, null);
  assert.equal(site.app.clock.now(), clock.now());
  assert.equal(
    value(
      site,
      "SELECT count(*) FROM activity WHERE workspace_id = ? AND action = 'server.clock_confirmed'",
      workspaceId,
    ),
    1,
  );
  await site.app.upkeep.retention.sweep();
  assert.equal(kept(site).plays, 0, 'from then on the server goes by it');
});

test('server neither stores nor acknowledges plays while it doubts its clock', async (t) => {
  const { clock, site, till, kept } = await begin(t);
  clock.jump(-10 * YEARS);
  const started_at = clock.mono() - MINUTE;
  const play = playOf({ started_at, ended_at: started_at + 1000 });
  till.client.say({ type: 'plays', first: 1, plays: [play] });
  // Longer than the period for which a screen collects plays before it sends them.
  await pause(150);
  assert.equal(kept(site).plays, PLAYS);
  clock.jump(10 * YEARS);
  till.client.say({ type: 'plays', first: 1, plays: [play] });
  assert.equal((await till.client.next('plays.ack'))['through'], 1);
  assert.equal(value(site, 'SELECT started_ms FROM plays WHERE play_id = ?', play.id), started_at);
});

test('clock that is ahead does not make the server forget revoked tokens', async (t) => {
  const { clock, site: first, token } = await begin(t);
  const revokeOne = async (site: Site, by: string) => {
    const { id } = must(await site.call('POST', '/api/tokens', { token: by, body: { name: 'A', scope: 'read' } }), 201);
    must(await site.call('DELETE', `/api/tokens/${id}`, { token: by }));
  };
  const known = (site: Site) => value(site, "SELECT count(*) FROM revoked.revocations WHERE kind = 'token'");
  await revokeOne(first, token);
  clock.jump(YEARS);
  const ahead = await restart(t, first, clock);
  await revokeOne(ahead, await signIn(ahead));
  assert.equal(known(ahead), 2);
  clock.jump(-YEARS);
  clock.advance(HOUR);
  const right = await restart(t, ahead, clock);
  await revokeOne(right, token);
  assert.equal(known(right), 3);
  clock.advance(450 * DAY);
  await revokeOne(right, await signIn(right));
  assert.equal(known(right), 2, 'what is really old goes');
});

test("by the machine's own clock, file times show the last write, and only writes with a trusted clock count", async (t) => {
  const data = tempFolder(t);
  const first = await startSite(t, { data });
  const { token } = await firstUser(first);
  assert.equal(first.app.clock.doubtful, false, 'a new folder is sure');
  await first.app.stop();
  const age = (days: number) => {
    const at = new Date(Date.now() + days * DAY);
    for (const name of ['vitrine.db', join('logs', 'server.log')]) utimesSync(join(data, name), at, at);
  };
  // The clock is earlier than the times of the files.
  age(400);
  const behind = await startSite(t, { data });
  assert.ok(behind.app.clock.doubtful);
  // The present time may be as late as the times of the files. Sessions last for 30 days, so this session counts as
  // expired.
  assert.equal((await behind.call('GET', '/api/auth/me', { token })).status, 401);
  const now = await signIn(behind);
  must(await confirm(behind, now));
  assert.equal(behind.app.clock.doubtful, false);
  await behind.app.stop();
  // A backup of ten days ago was restored: its settings are old, but the files of the folder are not.
  const again = await startSite(t, { data });
  again.app.db.write(() =>
    again.app.db.raw
      .prepare("UPDATE settings SET value = ? WHERE key = 'clock'")
      .run(JSON.stringify({ sure_ms: Date.now() - 10 * DAY, doubtful: false })),
  );
  await again.app.db.durable();
  const saved = value(again, "SELECT value FROM settings WHERE key = 'clock'");
  await again.app.stop();
  assert.ok(saved);
  const restored = await startSite(t, { data });
  assert.equal(restored.app.clock.doubtful, false);
});

test('while the clock is doubted, no screen is reported as dark and no forecast is made', async (t) => {
  const { clock, site: first, token, till } = await begin(t);
  must(await first.call('PUT', '/api/server/upkeep', { token, body: { dark_minutes: 5 } }));
  till.client.say({ type: 'heartbeat' });
  await till.client.next('heartbeat.ack');
  await first.app.upkeep.disk.check();
  const setting = (site: Site, key: string) => value(site, 'SELECT value FROM settings WHERE key = ?', key);
  const before = setting(first, 'storage_history');
  assert.ok(before);
  const gone = async (from: Site): Promise<Site> => {
    const site = await restart(t, from, clock);
    clock.advance(10 * MINUTE);
    site.app.upkeep.dark.check();
    await site.app.upkeep.disk.check();
    return site;
  };
  await first.app.stop();
  clock.jump(YEARS);
  const ahead = await gone(first);
  assert.equal(setting(ahead, 'dark_screens'), undefined);
  assert.equal(setting(ahead, 'storage_history'), before);
  clock.jump(-YEARS);
  assert.ok(setting(await gone(ahead), 'dark_screens'), 'it is told when the clock is right');
});

test('files written while the clock was doubted are no evidence for the time at the next start', async (t) => {
  const site = await startSite(t);
  const at = Date.UTC(2026, 2, 10);
  const startedWith = (saved: object | undefined, written: number | undefined) => {
    const store = { find: () => saved, put: () => {}, screenCount: () => 0 };
    return new TrustedClock({
      machine: new TestClock(at),
      db: site.app.db,
      store,
      log: site.app.log,
      bus: new Bus(() => {}),
      written,
    }).doubtful;
  };
  const saved = { sure_ms: at - HOUR, doubtful: true };
  assert.equal(startedWith(saved, at + YEARS), false);
  assert.equal(startedWith({ ...saved, doubtful: false }, at + YEARS), true);
  assert.equal(startedWith(undefined, at + YEARS), true, 'a version that saved nothing');
  assert.equal(startedWith(undefined, at - HOUR), false);
  assert.equal(startedWith({ sure_ms: at - YEARS, doubtful: false }, at - HOUR), false, 'a backup was restored');
  assert.equal(startedWith({ nonsense: 1 }, undefined), false);
});
