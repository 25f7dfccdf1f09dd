/** Measures all kinds of load at once, like the busiest day of a store. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { startBare, startServer } from './child.ts';
import { startFleet } from './fleet-driver.ts';
import { hammer, someoneElse } from './load.ts';
import type { Group } from './row.ts';
import { recording, upload } from './rows-files.ts';
import { readExport, summaryMs } from './rows-reports.ts';
import { addDevices, addPlaylist, contentId, millionPlays, PLAYLIST, seed, TOKEN } from './seed.ts';

const MS = 12_000;
const PLAYERS = 2000;

/** Repeats until the time is over. Returns the number of repetitions. */
const repeat = async (until: number, pauseMs: number, what: () => Promise<unknown>): Promise<number> => {
  let count = 0;
  for (; performance.now() < until; count++) {
    await what();
    await new Promise((later) => setTimeout(later, pauseMs));
  }
  return count;
};

export const allRows: Group = {
  rows: [{ key: 'loop', what: 'event-loop delay p99 under all of it at once', unit: 'ms', budget: 20, better: 'less' }],
  async run({ folder, report }) {
    const data = join(folder, 'all');
    cpSync(millionPlays(folder), data, { recursive: true });
    seed(data, (db) => {
      addPlaylist(db, 20, 'bench-other');
      addDevices(db, PLAYERS, { playlist: PLAYLIST, first: 100 });
    });
    const server = await startServer(data);
    const idle = await startBare('small');
    const fleet = startFleet();
    try {
      const { port } = server;
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${TOKEN}`,
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
        await answer.arrayBuffer();
      };
      await fleet.order({ do: 'connect', url: `ws://127.0.0.1:${port}/api/player`, first: 0, count: PLAYERS });
      const file = recording(8e6);
      const served = (await upload(port, '/api/content', 'served.wav', 'audio/wav', file)).body.id as string;
      await Promise.all([server.ask('watch'), idle.ask('watch')]);
      const other = someoneElse({ port, path: '/api/folders', token: TOKEN });
      const until = performance.now() + MS;
      const [, uploads, exports, summaries, publishes] = await Promise.all([
        fleet.order({ do: 'traffic', ms: MS }),
        repeat(until, 100, () => upload(port, '/api/content', 'noise.wav', 'audio/wav', recording(50e6))),
        repeat(until, 100, () => readExport(port)),
        repeat(until, 100, () => summaryMs(port)),
        repeat(until, 1000, () => call('POST', `/api/playlists/${PLAYLIST}/publish`)),
        repeat(until, 50, () => call('GET', '/api/devices?limit=500')),
        repeat(until, 20, () => call('POST', '/api/playlists/bench-other/items', { content_id: contentId(1) })),
        hammer({
          port,
          path: `/api/content/${served}/file`,
          token: TOKEN,
          connections: 4,
          ms: MS * 0.8,
          headers: { Range: 'bytes=0-1048575' },
        }),
      ]);
      const { p99Ms, maxMs } = await other.stop();
      const [ours, quiet] = await Promise.all([server.ask('facts'), idle.ask('facts')]);
      report('loop', {
        value: ours.loopP99Ms,
        bare: quiet.loopP99Ms,
        note: `worst ${ours.loopMaxMs.toFixed(0)}; somebody else waits p99 ${p99Ms.toFixed(0)} ms, worst ${maxMs.toFixed(0)}; ${PLAYERS} players, ${uploads} uploads of 50 MB, ${exports} exports, ${summaries} summaries, ${publishes} publishings; bare: a process that does nothing meanwhile`,
      });
    } finally {
      fleet.end();
      await server.stop();
      await idle.stop();
    }
  },
};
