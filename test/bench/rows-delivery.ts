/**
 * Time from publishing until screens have the result: each screen has the new program, checked, and has reported it.
 */
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { type Child, startBare, startServer } from './child.ts';
import type { FleetReport } from './fleet.ts';
import { type Fleet, startFleet } from './fleet-driver.ts';
import { type Group, median, must } from './row.ts';
import {
  addContents,
  addDevices,
  addPlaylist,
  addStore,
  contentId,
  deviceId,
  PLAYLIST,
  seed,
  TOKEN,
  WORKSPACE,
} from './seed.ts';

const CROWDS = [200, 2_000, 5_000] as const;
const ROUNDS = 7;
const PUBLISHES = 10;
const EDITS = 20;
const GROUP = '01990000-0000-7000-8004-000000000000';
/** Id of a content that no screen shows. */
const UNUSED = contentId(40);

const call = async (server: Child, method: string, path: string, body: unknown): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  must(answer.ok, `${method} ${path} answered ${answer.status}: ${await answer.text()}`);
};

let edits = 0;
const publish = async (server: Child, fleet: Fleet, players: number): Promise<FleetReport> => {
  await call(server, 'POST', `/api/playlists/${PLAYLIST}/items`, { content_id: contentId(edits++ % 20) });
  const report = await fleet.order({
    do: 'request',
    request: {
      url: `http://127.0.0.1:${server.port}/api/playlists/${PLAYLIST}/publish`,
      token: TOKEN,
      method: 'POST',
    },
    until: 'ready',
    count: players,
  });
  must(report.count === players, `${report.count} of ${players} players have it`);
  return report;
};

const bareFrame = async (bare: Child, fleet: Fleet, players: number): Promise<FleetReport> =>
  fleet.order({
    do: 'request',
    request: { url: `http://127.0.0.1:${bare.port}/`, token: '', method: 'POST' },
    until: 'command',
    count: players,
  });

/** Returns the server's processor time for one edit of the most expensive kind. All of it runs on the event loop. */
const quietEdit = async (server: Child): Promise<{ ms: number; note: string }> => {
  const kinds: Record<string, (n: number) => Promise<void>> = {
    content: (n) => call(server, 'PUT', `/api/content/${UNUSED}`, { filename: `Unused ${n}.jpg` }),
    device: (n) => call(server, 'PUT', `/api/devices/${deviceId(7)}`, { orientation: n % 2 === 0 ? '180' : '0' }),
    group: (n) =>
      n % 2 === 0
        ? call(server, 'POST', `/api/groups/${GROUP}/devices`, { device_id: deviceId(9) })
        : call(server, 'DELETE', `/api/groups/${GROUP}/devices/${deviceId(9)}`, {}),
    draft: (n) => call(server, 'POST', `/api/playlists/${PLAYLIST}/items`, { content_id: contentId(n % 20) }),
    other: () => call(server, 'POST', '/api/playlists/bench-other/publish', {}),
  };
  const costs: Record<string, number> = {};
  for (const [kind, edit] of Object.entries(kinds)) {
    const before = await server.ask('facts');
    for (let n = 0; n < EDITS; n++) {
      await edit(n);
      await later(20);
    }
    costs[kind] = ((await server.ask('facts')).cpuMs - before.cpuMs) / EDITS;
  }
  return {
    ms: Math.max(...Object.values(costs)),
    note: Object.entries(costs)
      .map(([kind, ms]) => `${kind} ${ms.toFixed(1)}`)
      .join(', '),
  };
};

export const deliveryRows: Group = {
  rows: [
    { key: 'hold200', what: 'publish → 200 screens hold it, p99', unit: 'ms', budget: 35, better: 'less' },
    {
      key: 'hold2000',
      what: 'publish → 2,000 screens hold it, p99',
      unit: 'ms',
      budget: 130,
      better: 'less',
      bareThere: 88,
    },
    { key: 'hold5000', what: 'publish → 5,000 screens hold it, p99', unit: 'ms', budget: 350, better: 'less' },
    {
      key: 'quietEdit',
      what: 'an edit that changes no screen or one, of 5,000',
      unit: 'ms CPU',
      budget: 3,
      better: 'less',
    },
    {
      key: 'publishMemory',
      what: 'memory that ten publishes to 5,000 leave',
      unit: 'MB',
      budget: 20,
      better: 'less',
    },
  ],
  async run({ folder, wants, report }) {
    const data = join(folder, 'delivery');
    seed(data, (db) => {
      addStore(db);
      addContents(db, 50, { files: true });
      addPlaylist(db, 20);
      addPlaylist(db, 20, 'bench-other');
      addDevices(db, CROWDS.at(-1)!, { playlist: PLAYLIST });
      db.raw
        .prepare(
          `INSERT INTO "groups" (id, workspace_id, name, created_at) VALUES ('${GROUP}', '${WORKSPACE}', 'Some', 0)`,
        )
        .run();
    });
    const server = await startServer(data);
    const bare = await startBare('sockets');
    const fleet = startFleet();
    const bareFleet = startFleet();
    try {
      let connected = 0;
      for (const players of CROWDS) {
        const key = `hold${players}`;
        const isLast = players === CROWDS.at(-1);
        if (!wants(key) && !(isLast && (wants('quietEdit') || wants('publishMemory')))) continue;
        const more = { first: connected, count: players - connected };
        await fleet.order({ do: 'connect', url: `ws://127.0.0.1:${server.port}/api/player`, ...more });
        connected = players;
        if (wants(key)) {
          await bareFleet.order({ do: 'connect', url: `ws://127.0.0.1:${bare.port}/`, bare: true, ...more });
          const rounds: FleetReport[] = [];
          const frames: FleetReport[] = [];
          for (let n = 0; n < ROUNDS; n++) {
            rounds.push(await publish(server, fleet, players));
            frames.push(await bareFrame(bare, bareFleet, players));
            await later(300);
          }
          const of = (pick: (report: FleetReport) => number, reports = rounds) => median(reports.map(pick));
          report(key, {
            value: of((round) => round.p99Ms),
            bare: of((round) => round.p99Ms, frames),
            note: `p50 ${of((round) => round.p50Ms).toFixed(0)} ms, answered after ${of((round) => round.answeredMs!).toFixed(0)} ms; bare: one small frame to all, p50 ${of((round) => round.p50Ms, frames).toFixed(0)} ms`,
          });
        }
      }
      if (wants('quietEdit')) {
        const { ms, note } = await quietEdit(server);
        report('quietEdit', { value: ms, note });
      }
      if (wants('publishMemory')) {
        await later(2_000);
        const before = await server.ask('collect');
        for (let n = 0; n < PUBLISHES; n++) await publish(server, fleet, connected);
        const at = await server.ask('facts');
        await later(3_000);
        const after = await server.ask('collect');
        report('publishMemory', {
          value: (after.rss - before.rss) / 1e6,
          note: `resident ${mb(before.rss)} before, ${mb(at.rss)} then, ${mb(after.rss)} MB after 3 s; objects and buffers ${mb(before.held)}, ${mb(after.held)} MB`,
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

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
