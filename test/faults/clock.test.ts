/**
 * A server whose clock is wrong by years: nothing is deleted, rotated, re-dated or locked permanently until the clock
 * is right or an administrator confirms it.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { MailAllowance } from '../../server/features/accounts/mail/mail-allowance.ts';
import { LimitsStore } from '../../server/features/accounts/sign-in/limits.store.ts';
import { Tickets } from '../../server/http/tickets.ts';
import { Bus } from '../../server/kernel/bus.ts';
import { TrustedClock } from '../../server/upkeep/trusted-clock.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../harness.ts';
import { login, must, PASSWORD, person } from '../people.ts';
import { connectPlayer, DEVICE, type PairedPlayer, pairPlayer, playOf, reconnect } from '../player-client.ts';
import { until } from '../uploads.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEARS = 2 * 365 * DAY;

const PLAYS = 200;

/** Creates a store with records of yesterday. Its server can be stopped and started with another clock. */
const begin = async (t: TestContext) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  const site = await startSite(t, { clock, data });
  const { token, current_workspace_id: workspaceId } = await firstUser(site);
  const till = await pairPlayer(t, site, token);
  const { db } = site.app;
  const yesterday = clock.now() - DAY;
  const play = db.raw.prepare(
    "INSERT INTO old_plays (play_id, workspace_id, device_id, device_name, content_name, started_ms, ended_ms, completed, seq) VALUES (?, ?, ?, 'Till', 'a', ?, ?, 1, ?)",
  );
  db.write(() => {
    db.raw
      .prepare("INSERT INTO play_subjects (workspace_id, kind, ref, name, named_ms) VALUES (?, 'workspace', '', '', 0)")
      .run(workspaceId);
    for (let i = 0; i < PLAYS; i++) play.run(`p${i}`, workspaceId, till.deviceId, yesterday + i, yesterday + i + 1, i);
    db.raw
      .prepare('INSERT INTO telemetry (device_id, reported_at) VALUES (?, ?)')
      .run(till.deviceId, Math.floor(yesterday / 1000));
    db.raw
      .prepare("INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, 'online', 1, ?)")
      .run(till.deviceId, Math.floor(yesterday / 1000));
    db.raw
      .prepare(
        "INSERT INTO commands (id, device_id, command, payload, created_at, expires_at, status) VALUES ('c', ?, 'update', '{}', 1, ?, 'waiting')",
      )
      .run(till.deviceId, Math.floor(clock.now() / 1000) + 3600);
  });
  await db.durable();
  const log = join(data, 'logs', '20260309-1200-01-server.log');
  writeFileSync(log, 'x');
  utimesSync(log, new Date(yesterday), new Date(yesterday));
  const count = (of: Site, table: string) => value(of, `SELECT count(*) FROM ${table}`) as number;
  const kept = (of: Site) => ({
    plays: count(of, 'plays'),
    activity: count(of, 'activity'),
    telemetry: count(of, 'telemetry'),
    intervals: count(of, 'status_intervals'),
    log: existsSync(log),
  });
  return { clock, data, site, token, workspaceId, till, kept, count };
};

type Rows = Readonly<Record<'plays' | 'activity' | 'telemetry' | 'intervals', number> & { log: boolean }>;

/** Checks that no record was deleted. The activity log and the measurements may have grown meanwhile. */
const nothingGone = (now: Rows, before: Rows): void => {
  assert.deepEqual([now.plays, now.log], [before.plays, before.log]);
  for (const what of ['activity', 'telemetry', 'intervals'] as const)
    assert.ok(now[what] >= before[what], `${what}: ${now[what]} of ${before[what]}`);
};

/** Returns the single value of a query. */
const value = (site: Site, sql: string, ...args: readonly unknown[]): unknown =>
  site.app.db.raw
    .prepare(sql)
    .pluck()
    .get(...args);
/** Returns a new session of the owner. */
const signIn = async (site: Site): Promise<string> => must(await login(site, 'owner@store.test')).token;

const restart = async (t: TestContext, site: Site, clock: TestClock): Promise<Site> => {
  await site.app.stop();
  return startSite(t, { clock, data: site.data });
};

const problems = async (site: Site, token: string): Promise<string[]> =>
  must(await site.call('GET', '/api/server/status', { token })).problems.map(({ code }: { code: string }) => code);
const doubt = async (site: Site, token: string) =>
  must(await site.call('GET', '/api/server/status', { token })).clock.doubt;

const votes = async (site: Site, token: string) => {
  const { screens_agree, screens_heard } = await doubt(site, token);
  return [screens_agree, screens_heard];
};
const confirm = async (site: Site, token: string, id?: string) =>
  site.call('POST', '/api/server/clock', { token, body: { doubt: id ?? (await doubt(site, token)).id } });

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

const guess = async (site: Site, times: number) => {
  for (let i = 0; i < times; i++) await login(site, 'owner@store.test', 'wrong horse');
};

test('wrong passwords while the clock was years ahead lock the account for 15 minutes and no longer', async (t) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  const first = await startSite(t, { clock, data });
  await person(first, 'owner@store.test');
  clock.jump(YEARS);
  const ahead = await restart(t, first, clock);
  await guess(ahead, 10);
  assert.equal((await login(ahead, 'owner@store.test')).status, 429);
  clock.jump(-YEARS);
  const site = await restart(t, ahead, clock);
  const locked = await login(site, 'owner@store.test');
  assert.equal(locked.status, 429, 'nor are they forgiven');
  assert.ok(Number(locked.headers.get('retry-after')) <= 900);
  clock.advance(15 * MINUTE);
  must(await login(site, 'owner@store.test'));
});

test('clock that is set back by hours, by years, or back and forth extends no account lock', async (t) => {
  for (const [there, back] of [
    [-20 * HOUR, 0],
    [20 * HOUR, -20 * HOUR],
    [-10 * YEARS, 0],
  ] as const) {
    const clock = new TestClock();
    const site = await startSite(t, { clock });
    await person(site, 'owner@store.test');
    clock.jump(there);
    await guess(site, 10);
    clock.jump(back);
    const locked = await login(site, 'owner@store.test');
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get('retry-after')) <= 900);
    clock.advance(15 * MINUTE);
    must(await login(site, 'owner@store.test'));
  }
});

test('clock that is set back does not extend the rate limit of sign-ins', async (t) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  await person(site, 'owner@store.test');
  const attempt = () =>
    site.call('POST', '/api/auth/login', {
      body: { email: 'owner@store.test', password: PASSWORD },
      headers: { 'X-Forwarded-For': '10.9.8.7' },
    });
  let last = await attempt();
  for (let i = 0; i < 100 && last.status === 200; i++) last = await attempt();
  assert.equal(last.status, 429);
  clock.jump(-20 * HOUR);
  assert.ok(Number((await attempt()).headers.get('retry-after')) <= 60);
  clock.advance(MINUTE);
  assert.equal((await attempt()).status, 200);
});

const heartbeat = async ({ client }: Pick<PairedPlayer, 'client'>, more: object) => {
  client.say({ type: 'heartbeat', ...more });
  await client.next('heartbeat.ack');
};

/** IP addresses that are reserved for documentation, so that no computer has them. */
const at = (n: number) => `203.0.113.${n}`;

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

test('online times of screens while the clock was doubted get their right dates afterwards', async (t) => {
  const { clock, site: first, till } = await begin(t);
  clock.jump(YEARS);
  const site = await restart(t, first, clock);
  const client = await reconnect(t, site, till);
  await heartbeat({ client }, { telemetry: { cpu_usage: 5 } });
  const online = Math.floor(clock.mono() / 1000);
  clock.advance(HOUR);
  must(await site.call('GET', `/api/devices/${till.deviceId}`, { token: await signIn(site) }));
  clock.jump(-YEARS);
  site.app.clock.check();
  await site.app.stop();
  const right = await startSite(t, { clock, data: site.data });
  const found = right.app.db.raw
    .prepare(
      "SELECT since, until FROM status_intervals WHERE device_id = ? AND status = 'online' ORDER BY id DESC LIMIT 1",
    )
    .get(till.deviceId);
  assert.deepEqual(found, { since: online, until: online + 3600 });
  const now = Math.floor(clock.now() / 1000);
  assert.ok((value(right, 'SELECT last_heartbeat FROM devices WHERE id = ?', till.deviceId) as number) <= now);
  assert.equal(value(right, 'SELECT count(*) FROM telemetry WHERE reported_at > ?', now), 0);
});

/** Copies the data folder as a power cut would leave it. The running server is not affected. */
const dead = async (t: TestContext, site: Site): Promise<string> => {
  const copy = tempFolder(t);
  // Rows written in one turn of the event loop are committed in a later turn.
  while (site.app.db.raw.inTransaction) await new Promise((resolve) => setImmediate(resolve));
  cpSync(site.data, copy, { recursive: true, filter: (path) => !/\.db(-\w+)?$/.test(path) });
  site.app.db.raw.prepare('VACUUM INTO ?').run(join(copy, 'vitrine.db'));
  return copy;
};

type Interval = readonly [status: string, since: number, until: number | null];

const intervals = (site: Site, deviceId: string, from: number): Interval[] =>
  (
    site.app.db.raw
      .prepare('SELECT status, since, until FROM status_intervals WHERE device_id = ? ORDER BY id')
      .all(deviceId) as {
      status: string;
      since: number;
      until: number | null;
    }[]
  )
    .filter(({ since }) => since >= from)
    .map(({ status, since, until }) => [status, since, until]);

interface Kept {
  readonly heard: number;
  readonly changes: readonly { readonly id: string; readonly status: string; readonly ago: number }[];
}

const keptInDoubt = (site: Site): Kept[] =>
  (
    site.app.db.raw
      .prepare("SELECT value FROM settings WHERE key LIKE 'status_in_doubt/%' ORDER BY key")
      .pluck()
      .all() as string[]
  ).map((text) => JSON.parse(text));

/** Returns the stored status changes of one screen, in seconds of a monotonic clock. */
const heardOf = (site: Site, deviceId: string): { status: string; at: number }[] =>
  keptInDoubt(site).flatMap(({ heard, changes }) =>
    changes
      .filter(({ id }) => id === deviceId)
      .map(({ status, ago }) => ({ status, at: Math.floor((heard - ago) / 1000) })),
  );

/**
 * Waits for an event. With each check, some real milliseconds pass for the sockets, and half a second of the server's
 * time.
 */
const passUntil = (clock: TestClock, happened: () => boolean) =>
  until(
    async () => {
      clock.advance(500);
      return happened();
    },
    (yes) => yes,
  );

for (const [what, wrong] of [
  ['years ahead', YEARS],
  ['years behind', -10 * YEARS],
] as const)
  for (const ending of ['stops', 'dies'] as const)
    test(`server that starts ${what} and ${ending} while it doubts its clock keeps online times and reports of screens`, async (t) => {
      const { clock, site: first, till } = await begin(t);
      await first.app.stop();
      clock.jump(wrong);
      const site = await startSite(t, { clock, data: first.data });
      assert.ok(site.app.clock.doubtful);
      const begun = Math.floor(clock.mono() / 1000);
      const arrives = async (version: string) => {
        const { deviceId: device_id, secret } = till;
        const client = await connectPlayer(t, site);
        client.say({ type: 'hello', protocol: 1, device_id, secret, device: { ...DEVICE, version } });
        await client.next('program');
        return client;
      };
      clock.advance(10 * MINUTE);
      const client = await arrives('7.7.7');
      client.socket.terminate();
      await passUntil(clock, () => heardOf(site, till.deviceId).length === 2);
      clock.advance(10 * MINUTE);
      const again = await arrives('7.7.8');
      await heartbeat({ client: again }, { telemetry: { cpu_usage: 44 } });
      await passUntil(clock, () => heardOf(site, till.deviceId).length === 3);
      const heard = heardOf(site, till.deviceId);
      assert.deepEqual(
        heard.map(({ status }) => status),
        ['online', 'offline', 'online'],
      );
      assert.ok(heard[0]!.at === begun + 600 && heard[2]!.at >= begun + 1200);
      const died = keptInDoubt(site).at(-1)!.heard / 1000;
      const data = ending === 'dies' ? await dead(t, site) : site.data;
      if (ending === 'stops') await site.app.stop();
      const stopped = clock.mono() / 1000;
      // The server starts again and still doubts its clock, so the stored changes wait.
      const doubted = await startSite(t, { clock, data });
      assert.ok(doubted.app.clock.doubtful && keptInDoubt(doubted).length > 0);
      await doubted.app.stop();
      clock.advance(HOUR);
      clock.jump(-wrong);
      const right = await startSite(t, { clock, data });
      assert.equal(right.app.clock.doubtful, false);
      await passUntil(clock, () => keptInDoubt(right).length === 0);
      const end = Math.floor(ending === 'stops' ? stopped : died);
      assert.deepEqual(intervals(right, till.deviceId, begun + 1), [
        ['online', heard[0]!.at, heard[1]!.at],
        ['offline', heard[1]!.at, heard[2]!.at],
        ['online', heard[2]!.at, end],
        ['offline', end, null],
      ]);
      const { version, cpu_usage } = right.app.db.raw
        .prepare('SELECT version, cpu_usage FROM devices WHERE id = ?')
        .get(till.deviceId) as { version: string; cpu_usage: number };
      assert.equal(version, '7.7.8');
      if (ending === 'stops') assert.equal(cpu_usage, 44);
    });

test('screen that was online before the clock jumped counts as online until the server was killed', async (t) => {
  const { clock, site, till } = await begin(t);
  const opened = () => intervals(site, till.deviceId, 1000);
  await heartbeat(till, {});
  await passUntil(clock, () => opened().length > 0);
  const online = opened()[0]![1];
  clock.jump(YEARS);
  const late = clock.mono() + 5 * MINUTE;
  await passUntil(clock, () => {
    clock.advance(5_000);
    till.client.say({ type: 'heartbeat' });
    return clock.mono() > late && keptInDoubt(site).length > 1;
  });
  const died = Math.floor(clock.mono() / 1000);
  const data = await dead(t, site);
  clock.advance(HOUR);
  clock.jump(-YEARS);
  const right = await startSite(t, { clock, data });
  await passUntil(clock, () => keptInDoubt(right).length === 0);
  const [first, last, ...more] = intervals(right, till.deviceId, 1000);
  assert.deepEqual([first![0], first![1], last![0], last![2], more], ['online', online, 'offline', null, []]);
  assert.ok(first![2] === last![1] && died - last![1] <= 90, `to a minute: ${died - last![1]} s`);
});

test('changes that were stored while the clock was doubted keep their dates if the clock was right', async (t) => {
  const { clock, site: first, till } = await begin(t);
  await first.app.stop();
  clock.jump(20 * DAY);
  const site = await startSite(t, { clock, data: first.data });
  const online = Math.floor(clock.now() / 1000);
  await reconnect(t, site, till);
  clock.advance(MINUTE);
  await site.app.stop();
  const again = await startSite(t, { clock, data: first.data });
  assert.ok(again.app.clock.doubtful && keptInDoubt(again).length > 0);
  const now = await signIn(again);
  must(await confirm(again, now));
  await passUntil(clock, () => keptInDoubt(again).length === 0);
  assert.deepEqual(intervals(again, till.deviceId, online), [
    ['online', online, online + 60],
    ['offline', online + 60, null],
  ]);
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

test('codes, links and addresses with a short life do not last for years when the clock was ahead', async (t) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  clock.jump(YEARS);
  const ahead = await startSite(t, { clock, data });
  const { token } = await firstUser(ahead);
  const client = await connectPlayer(t, ahead);
  client.say({ type: 'hello', protocol: 1, secret_hash: '0'.repeat(64), device: DEVICE });
  const { code } = await client.next('pairing');
  const tickets = new Tickets(clock);
  const { url } = tickets.issue('/x', 'w');
  const open = () => tickets.open(new URL(url, ahead.origin).searchParams.get('access')!, '/x');
  assert.equal(open().workspaceId, 'w');
  // The clock is trusted now: an administrator has confirmed the present time.
  clock.jump(-YEARS);
  ahead.app.clock.confirm('Somebody', ahead.app.clock.state().doubt?.id ?? '');
  assert.throws(open, /expired/);
  assert.equal((await ahead.call('POST', '/api/devices/pair', { token, body: { code, name: 'Door' } })).status, 404);
  clock.advance(1_000);
  const fresh = await client.next('pairing');
  assert.notEqual(fresh['code'], code);
  assert.ok(fresh['expires_at'] < clock.now() + HOUR);
  const limits = ahead.app.db.raw.prepare('INSERT INTO limits (key, count, resets_at) VALUES (?, 10, ?)');
  ahead.app.db.write(() => limits.run('mail-hour:a@store.test', Math.floor((clock.now() + YEARS) / 1000)));
  const allowance = new MailAllowance({ store: new LimitsStore(ahead.app.db), clock });
  const take = () => ahead.app.db.write(() => allowance.count('a@store.test'));
  assert.equal(take(), 3600);
  clock.advance(HOUR);
  assert.equal(take(), 0);
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
