/** Measures the cost of players, and the time until they receive changes. */
import { join } from 'node:path';
import { type Child, startBare, startServer } from './child.ts';
import type { FleetReport } from './fleet.ts';
import { type Fleet, startFleet } from './fleet-driver.ts';
import { type Group, median, must } from './row.ts';
import { addContents, addDevices, addPlaylist, addPlays, addStore, PLAYLIST, seed, TOKEN, WORKSPACE } from './seed.ts';

const GROUP = '01990000-0000-7000-8004-000000000000';
const ROUNDS = 5;
const TRAFFIC_MS = 8_000;

/** Connects `count` more players. Returns the memory of the process per player. */
const connectMore = async (
  server: Child,
  fleet: Fleet,
  options: { path: string; first: number; count: number; bare?: boolean },
) => {
  const before = await server.ask('collect');
  await fleet.order({ do: 'connect', url: `ws://127.0.0.1:${server.port}${options.path}`, ...options });
  const after = await server.ask('facts');
  // Waits for garbage collection: the memory that only connecting needs does not belong to a connected player.
  await new Promise((later) => setTimeout(later, 1000));
  const settled = await server.ask('collect');
  return {
    kB: (settled.held - before.held) / 1000 / options.count,
    rssKb: (settled.rss - before.rss) / 1000 / options.count,
    cpuMs: (after.cpuMs - before.cpuMs) / options.count,
  };
};

const worstOf = (reports: readonly FleetReport[], expected: number): number => {
  for (const report of reports) must(report.count === expected, `${report.count} of ${expected} players heard of it`);
  return median(reports.map((report) => report.p99Ms));
};

export const playerRows: Group = {
  rows: [
    { key: 'command', what: 'command → 2,000 players, p99', unit: 'ms', budget: 45, better: 'less', bareThere: 33 },
    { key: 'playerKb', what: 'a connected player', unit: 'kB', budget: 25, better: 'less', bareThere: 14.5 },
    { key: 'playerCpu', what: 'a player connects', unit: 'ms CPU', budget: 0.6, better: 'less', bareThere: 0.25 },
    {
      key: 'traffic200',
      what: '200 players in full traffic',
      unit: '% CPU',
      budget: 2,
      better: 'less',
      bareThere: 0.2,
    },
    { key: 'traffic', what: '2,000 players in full traffic', unit: '% CPU', budget: 6, better: 'less', bareThere: 0.5 },
    {
      key: 'ingest',
      what: 'plays taken in, durable, exactly once, beside 1,000,000',
      unit: '/s',
      budget: 30_000,
      better: 'more',
    },
  ],
  async run({ folder, wants, report }) {
    const data = join(folder, 'players');
    seed(data, (db) => {
      addStore(db);
      addContents(db, 50);
      addPlaylist(db, 20);
      addDevices(db, 2000, { playlist: PLAYLIST });
      db.raw
        .prepare(
          `INSERT INTO "groups" (id, workspace_id, name, created_at) VALUES ('${GROUP}', '${WORKSPACE}', 'All', 0)`,
        )
        .run();
      db.raw.prepare(`INSERT INTO group_members (group_id, device_id) SELECT '${GROUP}', id FROM devices`).run();
      if (wants('ingest')) addPlays(db, 1_000_000, { devices: 500, contents: 50 });
    });
    const server = await startServer(data);
    const bare = await startBare('sockets');
    const fleet = startFleet();
    const bareFleet = startFleet();
    try {
      const origin = `http://127.0.0.1:${server.port}`;
      const api = (method: string, path: string, body?: unknown) => ({
        url: `${origin}${path}`,
        token: TOKEN,
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const bareRounds = async (players: number) => {
        const rounds: FleetReport[] = [];
        for (let n = 0; n < ROUNDS; n++)
          rounds.push(
            await bareFleet.order({
              do: 'request',
              request: { url: `http://127.0.0.1:${bare.port}/`, token: '', method: 'POST' },
              until: 'command',
              count: players,
            }),
          );
        return worstOf(rounds, players);
      };
      await connectMore(server, fleet, { path: '/api/player', first: 0, count: 200 });
      await connectMore(bare, bareFleet, { path: '/', first: 0, count: 200, bare: true });
      /** Measures the share of a processor core, in percent, that the traffic of all players takes. */
      const traffic = async () => {
        const cpu = async (child: Child, who: Fleet, isBare: boolean) => {
          const before = await child.ask('facts');
          const { ms } = await who.order({ do: 'traffic', ms: TRAFFIC_MS, bare: isBare });
          return (((await child.ask('facts')).cpuMs - before.cpuMs) / ms) * 100;
        };
        return {
          value: await cpu(server, fleet, false),
          bare: await cpu(bare, bareFleet, true),
          note: 'of a core; heartbeat 15 s with telemetry, a play every 10 s',
        };
      };
      if (wants('traffic200')) {
        // The first run warms up the server, because a server in a store has run for a while.
        await traffic();
        report('traffic200', await traffic());
      }
      const first = await connectMore(server, fleet, { path: '/api/player', first: 200, count: 800 });
      const bareFirst = await connectMore(bare, bareFleet, { path: '/', first: 200, count: 800, bare: true });
      const second = await connectMore(server, fleet, { path: '/api/player', first: 1000, count: 1000 });
      const bareSecond = await connectMore(bare, bareFleet, { path: '/', first: 1000, count: 1000, bare: true });
      if (wants('playerKb'))
        report('playerKb', {
          value: second.kB,
          bare: bareSecond.kB,
          note: `objects and buffers of the second thousand; by RSS ${second.rssKb.toFixed(1)}, of the first ${first.rssKb.toFixed(1)}, bare ${bareFirst.rssKb.toFixed(1)}`,
        });
      if (wants('playerCpu')) report('playerCpu', { value: second.cpuMs, bare: bareSecond.cpuMs });
      if (wants('command')) {
        const rounds: FleetReport[] = [];
        for (let n = 0; n < ROUNDS; n++)
          rounds.push(
            await fleet.order({
              do: 'request',
              request: api('POST', `/api/groups/${GROUP}/command`, { type: 'screen_on' }),
              until: 'command',
              count: 2000,
            }),
          );
        report('command', { value: worstOf(rounds, 2000), bare: await bareRounds(2000), note: 'each player answers' });
      }
      if (wants('traffic')) report('traffic', await traffic());
      if (wants('ingest')) {
        const before = await server.ask('watch');
        const { count, ms, p99Ms } = await fleet.order({ do: 'deliver', plays: 50 });
        const after = await server.ask('facts');
        report('ingest', {
          value: count / (ms / 1000),
          bare: bareInserts(folder),
          note: `${count} plays, acknowledged p99 ${Math.round(p99Ms)} ms, ${(((after.cpuMs - before.cpuMs) / count) * 1000).toFixed(0)} µs CPU each, loop p99 ${after.loopP99Ms.toFixed(0)} ms; bare: rows of better-sqlite3, 1,000 a commit, same indexes, no sums`,
        });
      }
    } finally {
      fleet.end();
      bareFleet.end();
      await server.stop();
      await bare.stop();
    }
  },
};

/** Returns how many rows per second SQLite inserts into the same table without a server. */
const bareInserts = (folder: string): number => {
  let perSecond = 0;
  seed(join(folder, 'bare-inserts'), ({ raw }) => {
    raw.exec('COMMIT');
    raw.pragma('synchronous = FULL');
    const insert = raw.prepare(
      'INSERT INTO play_log (workspace, device, shown, turn, seq, started_ms, lasted_ms, completed, play_id) VALUES (1, ?, ?, ?, ?, ?, 10000, 1, randomblob(16))',
    );
    const at = performance.now();
    for (let batch = 0; batch < 50; batch++) {
      raw.exec('BEGIN IMMEDIATE');
      for (let n = 0; n < 1000; n++) insert.run(n % 500, 500 + (n % 50), n % 500, n, Date.now() + n);
      raw.exec('COMMIT');
    }
    perSecond = 50_000 / ((performance.now() - at) / 1000);
    raw.exec('BEGIN');
    raw.exec('SAVEPOINT s0');
  });
  return perSecond;
};
