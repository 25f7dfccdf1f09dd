/** Dates of records that were stored while the server doubted its clock. */
// Suite: faults
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Site, startSite, type TestClock, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, reconnect } from '../player-client.ts';
import { until } from '../uploads.ts';
import {
  begin,
  confirm,
  DAY,
  HOUR,
  heartbeat,
  intervals,
  MINUTE,
  restart,
  signIn,
  value,
  YEARS,
} from './doubted-clock.ts';

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
