/** Measures reports: summary, plan comparison, and export. */
import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { putSetting } from '../../server/db/settings-rows.ts';
import { archivedOf } from '../../server/programs/program-archive.ts';
import { KNOWN_FROM } from '../../server/programs/program-history.store.ts';
import { dailyName } from '../../server/upkeep/backup/backup-files.ts';
import { backupsFolder, makeBackup } from '../../server/upkeep/backup/make-backup.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import type { Program } from '../../shared/program/program.ts';
import { type Child, startServer } from './child.ts';
import { startFleet } from './fleet-driver.ts';
import { someoneElse } from './load.ts';
import { type Group, type Measured, median, must, times } from './row.ts';
import {
  addContents,
  addDevices,
  addPlays,
  addStore,
  contentId,
  deviceId,
  millionPlays,
  seed,
  TOKEN,
  WORKSPACE,
} from './seed.ts';

const authorization = { Authorization: `Bearer ${TOKEN}` };

export const summaryMs = async (port: number): Promise<number> => {
  const at = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/reports/summary`, { headers: authorization });
  const { overall } = (await answer.json()) as { overall: { total_plays: number } };
  must(overall.total_plays > 0, 'the summary is empty');
  return performance.now() - at;
};

const pageMs = async (port: number, offset: number): Promise<number> => {
  const at = performance.now();
  const path = `/api/reports/plays?start=2000-01-01&limit=50&offset=${offset}`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization });
  must(((await answer.json()) as unknown[]).length === 50, `the page at ${offset} is not full`);
  return performance.now() - at;
};

/** Reads an export to its end. @returns the number of rows */
export const readExport = (port: number): Promise<number> =>
  new Promise((done, fail) => {
    request({ port, host: '127.0.0.1', path: '/api/reports/export', headers: authorization }, (res) => {
      let lines = 0;
      res.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      });
      res.on('end', () => (res.complete ? done(lines - 1) : fail(new Error('the export broke off'))));
      res.on('error', fail);
    })
      .on('error', fail)
      .end();
  });

const timed = (data: string, run: (raw: BetterSqlite3.Database) => void): number => {
  const raw = new BetterSqlite3(join(data, 'vitrine.db'), { readonly: true });
  const at = performance.now();
  run(raw);
  raw.close();
  return performance.now() - at;
};

/** SQL that returns the number of the workspace in play_subjects. */
const NUMBER = `(SELECT id FROM play_subjects WHERE workspace_id = '${WORKSPACE}' AND kind = 'workspace')`;

/** Returns the milliseconds that SQLite alone takes to sum up the plays by content. */
const bareGroup = (data: string): number =>
  timed(data, (raw) =>
    raw
      .prepare(`SELECT shown, count(*), sum(lasted_ms) FROM play_log WHERE workspace = ${NUMBER} GROUP BY shown`)
      .all(),
  );

/** Returns the milliseconds that reading all plays as rows into JavaScript takes. */
const bareIterate = (data: string): number =>
  timed(data, (raw) => {
    for (const _ of raw
      .prepare(
        `SELECT device_name, content_name, started_ms, lasted_ms, completed FROM play_log JOIN play_turns t ON t.id = turn WHERE workspace = ${NUMBER} ORDER BY started_ms DESC`,
      )
      .raw()
      .iterate());
  });

const summaryRow = async (server: Child, bareMs: number): Promise<Measured> => {
  await times(3, () => summaryMs(server.port));
  const other = someoneElse({ port: server.port, path: '/api/folders', token: TOKEN });
  const all = await times(30, () => summaryMs(server.port));
  const { p99Ms } = await other.stop();
  return {
    value: median(all),
    bare: bareMs,
    note: `worst ${Math.max(...all).toFixed(1)}; others meanwhile p99 ${p99Ms.toFixed(1)} ms; bare: SQLite grouping the plays`,
  };
};

export const reportRows: Group = {
  rows: [
    { key: 'summary', what: 'summary over 1,000,000 plays', unit: 'ms', budget: 20, better: 'less' },
    { key: 'export', what: 'CSV export of 1,000,000 plays', unit: 'rows/s', budget: 1_250_000, better: 'more' },
    { key: 'exportRss', what: 'the same, memory beside', unit: 'MB', budget: 30, better: 'less' },
    { key: 'playBytes', what: 'a play on disk, with its indexes and sums', unit: 'bytes', budget: 150, better: 'less' },
    { key: 'export32', what: '32 exports at once, those that end', unit: 'of 32', budget: 32, better: 'more' },
  ],
  async run({ folder, wants, report }) {
    const data = millionPlays(folder);
    if (wants('playBytes')) report('playBytes', { value: statSync(join(data, 'vitrine.db')).size / 1_000_000 });
    const server = await startServer(data);
    try {
      const { port } = server;
      if (wants('export') || wants('exportRss')) {
        // Warms up the server for 2 s, so that memory of its start is not counted for the export.
        const earlier = someoneElse({ port, path: '/api/folders', token: TOKEN });
        await new Promise((later) => setTimeout(later, 2000));
        await earlier.stop();
        const before = await server.ask('facts');
        let peak = before.rss;
        const watch = setInterval(() => void server.ask('facts').then(({ rss }) => (peak = Math.max(peak, rss))), 50);
        const other = someoneElse({ port, path: '/api/folders', token: TOKEN });
        const at = performance.now();
        const rows = await readExport(port);
        const seconds = (performance.now() - at) / 1000;
        const { p99Ms } = await other.stop();
        clearInterval(watch);
        must(rows === 1_000_000, `the export has ${rows} rows`);
        if (wants('export'))
          report('export', {
            value: rows / seconds,
            bare: 1e9 / bareIterate(data),
            note: `others meanwhile p99 ${p99Ms.toFixed(1)} ms; bare: better-sqlite3 iterating, no CSV`,
          });
        if (wants('exportRss'))
          report('exportRss', { value: (peak - before.rss) / 1e6, note: 'peak; the thread that makes it included' });
      }
      if (wants('summary')) report('summary', await summaryRow(server, bareGroup(data)));
      if (wants('export32')) {
        const before = await server.ask('collect');
        const other = someoneElse({ port, path: '/api/folders', token: TOKEN });
        const at = performance.now();
        const ended = await Promise.allSettled(Array.from({ length: 32 }, () => readExport(port)));
        const seconds = (performance.now() - at) / 1000;
        const { p99Ms } = await other.stop();
        const after = await server.ask('facts');
        const whole = ended.filter((each) => each.status === 'fulfilled' && each.value === 1_000_000).length;
        report('export32', {
          value: whole,
          note: `${Math.round(32e6 / seconds / 1000)},000 rows/s in all, +${Math.round((after.rss - before.rss) / 1e6)} MB, others p99 ${p99Ms.toFixed(1)} ms`,
        });
      }
    } finally {
      await server.stop();
    }
  },
};

const PROGRAMS = 20;
const DAY_MS = 86_400_000;

/**
 * Adds the planned programs of this many days. Each screen has one of twenty programs with 30 items, and another
 * program after five days.
 */
const addPlanned = async (data: string, screens: number, days: number): Promise<void> => {
  const now = Date.now();
  const bodies = await times(PROGRAMS, (n) => archivedOf(Buffer.from(JSON.stringify(programOf(n))), []));
  seed(data, (db) => {
    addStore(db);
    addContents(db, 200);
    addDevices(db, screens);
    addPlays(db, screens * 100, { devices: screens, contents: 30 });
    const from = now - days * DAY_MS;
    putSetting(db.raw, KNOWN_FROM, from);
    const archive = db.raw.prepare('INSERT INTO program_archive (id, sha256, body, created_at) VALUES (?, ?, ?, 0)');
    for (const [n, body] of bodies.entries()) archive.run(n + 1, `${n}`, body);
    const span = db.raw.prepare(
      `INSERT INTO program_spans (workspace_id, device_id, program, timezone, since, until) VALUES ('${WORKSPACE}', ?, ?, 'Europe/Berlin', ?, ?)`,
    );
    const length = 5 * DAY_MS;
    for (let turn = 0; from + turn * length < now; turn++)
      for (let n = 0; n < screens; n++) {
        const since = from + turn * length;
        span.run(deviceId(n), 1 + ((n + turn) % PROGRAMS), since, since + length < now ? since + length : null);
      }
  });
};

const programOf = (n: number): Program => ({
  format: 1,
  base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [
    {
      id: 'p',
      name: 'Offers',
      anchor_ms: 1_700_000_000_000 + n,
      items: Array.from({ length: 30 }, (_, i) => ({
        ...PLAIN_ITEM,
        item_id: i,
        content_id: contentId(n * 5 + i),
        name: `Offer ${i}`,
        // A third of the items play only in the daytime.
        blocks:
          i % 3 > 0
            ? []
            : [{ days: [1, 2, 3, 4, 5, 6], start: '08:00', end: '20:00', start_date: null, end_date: null }],
      })),
    },
  ],
  schedules: [],
  assets: [],
});

const deliveryMs = async (port: number, start: number): Promise<number> => {
  const at = performance.now();
  const from = new Date(start).toISOString().slice(0, 10);
  const answer = await fetch(`http://127.0.0.1:${port}/api/reports/delivery?start=${from}`, { headers: authorization });
  const { overall } = (await answer.json()) as { overall: { planned_plays: number } };
  must(overall.planned_plays > 0, 'nothing was planned');
  return performance.now() - at;
};

export const plannedRows: Group = {
  rows: [
    { key: 'planned', what: 'what was planned, a month of 2,000 screens', unit: 'ms', budget: 500, better: 'less' },
    { key: 'plannedYear', what: 'what was planned, a year of 20 screens', unit: 'ms', budget: 200, better: 'less' },
  ],
  async run({ folder, wants, report }) {
    for (const { key, screens, days } of [
      { key: 'planned', screens: 2_000, days: 30 },
      { key: 'plannedYear', screens: 20, days: 365 },
    ]) {
      if (!wants(key)) continue;
      const data = join(folder, key);
      await addPlanned(data, screens, days);
      const server = await startServer(data);
      try {
        const { port } = server;
        const start = Date.now() - days * DAY_MS;
        await times(3, () => summaryMs(port));
        const other = someoneElse({ port, path: '/api/folders', token: TOKEN });
        const cold = await deliveryMs(port, start);
        const { p99Ms } = await other.stop();
        const warm = await times(5, () => deliveryMs(port, start));
        report(key, {
          value: median(warm),
          note: `the first time ${cold.toFixed(0)}, others meanwhile p99 ${p99Ms.toFixed(1)} ms`,
        });
      } finally {
        await server.stop();
      }
    }
  },
};

interface BackedUp {
  /** Size of all backups in bytes. */
  readonly bytes: number;
  readonly database: number;
  readonly seconds: number;
}

/** Makes a daily backup while the server runs. */
const backedUp = async (data: string): Promise<BackedUp> => {
  const at = performance.now();
  const now = Date.now();
  await makeBackup({ data, target: join(backupsFolder(data), dailyName(now)), media: 'beside', now });
  const seconds = (performance.now() - at) / 1000;
  const files = readdirSync(join(data, 'backups'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  return {
    bytes: files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0),
    database: statSync(join(data, 'vitrine.db')).size,
    seconds,
  };
};

export const manyPlaysRows: Group = {
  rows: [
    { key: 'summary10m', what: 'summary over 10,000,000 plays', unit: 'ms', budget: 50, better: 'less' },
    { key: 'ingest10m', what: 'plays taken in beside 10,000,000', unit: '/s', budget: 30_000, better: 'more' },
    { key: 'page10m', what: 'page of plays, 90 % deep in 10,000,000', unit: 'ms', budget: 20, better: 'less' },
    {
      key: 'backup10m',
      what: 'a backup of 10,000,000 plays, 100,000 more than in the one before: bytes written of it',
      unit: 'MB',
      budget: 150,
      better: 'less',
    },
  ],
  async run({ folder, wants, report }) {
    const data = join(folder, 'reports10m');
    seed(data, (db) => {
      addStore(db);
      addContents(db, 100);
      addDevices(db, 500);
      addPlays(db, 10_000_000, { devices: 500, contents: 100 });
    });
    const groupMs = wants('summary10m') ? bareGroup(data) : Number.NaN;
    const server = await startServer(data);
    try {
      const first = wants('backup10m') ? await backedUp(data) : undefined;
      if (wants('summary10m')) report('summary10m', await summaryRow(server, groupMs));
      if (wants('ingest10m') || first) {
        const fleet = startFleet();
        try {
          await fleet.order({ do: 'connect', url: `ws://127.0.0.1:${server.port}/api/player`, first: 0, count: 500 });
          const { count, ms } = await fleet.order({ do: 'deliver', plays: 200 });
          if (wants('ingest10m')) report('ingest10m', { value: count / (ms / 1000) });
        } finally {
          fleet.end();
        }
      }
      if (first) {
        const next = await backedUp(data);
        const note = `of ${(next.database / 1e6).toFixed(0)} MB, in ${next.seconds.toFixed(1)} s; the first in ${first.seconds.toFixed(1)} s`;
        report('backup10m', { value: (next.bytes - first.bytes) / 1e6, note });
      }
      if (wants('page10m')) {
        await times(3, () => pageMs(server.port, 9_000_000));
        const all = await times(30, (n) => pageMs(server.port, 9_000_000 + n * 1_000));
        report('page10m', { value: median(all), note: `worst ${Math.max(...all).toFixed(1)}` });
      }
    } finally {
      await server.stop();
    }
  },
};
