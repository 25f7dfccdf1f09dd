/** A server whose clock can be set wrong, with records of yesterday. */
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../harness.ts';
import { login, must } from '../people.ts';
import { type PairedPlayer, pairPlayer } from '../player-client.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEARS = 2 * 365 * DAY;

export const PLAYS = 200;

/** Creates a store with records of yesterday. Its server can be stopped and started with another clock. */
export const begin = async (t: TestContext) => {
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

/** Returns the single value of a query. */
export const value = (site: Site, sql: string, ...args: readonly unknown[]): unknown =>
  site.app.db.raw
    .prepare(sql)
    .pluck()
    .get(...args);

/** Returns a new session of the owner. */
export const signIn = async (site: Site): Promise<string> => must(await login(site, 'owner@store.test')).token;

export const restart = async (t: TestContext, site: Site, clock: TestClock): Promise<Site> => {
  await site.app.stop();
  return startSite(t, { clock, data: site.data });
};
export const doubt = async (site: Site, token: string) =>
  must(await site.call('GET', '/api/server/status', { token })).clock.doubt;
export const confirm = async (site: Site, token: string, id?: string) =>
  site.call('POST', '/api/server/clock', { token, body: { doubt: id ?? (await doubt(site, token)).id } });

export const heartbeat = async ({ client }: Pick<PairedPlayer, 'client'>, more: object) => {
  client.say({ type: 'heartbeat', ...more });
  await client.next('heartbeat.ack');
};

/** IP addresses that are reserved for documentation, so that no computer has them. */
export const at = (n: number) => `203.0.113.${n}`;

export type Interval = readonly [status: string, since: number, until: number | null];

export const intervals = (site: Site, deviceId: string, from: number): Interval[] =>
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
