/** Measures start, memory, lists, small answers and writes of the server. */
import { join } from 'node:path';
import { type Child, startBare, startServer } from './child.ts';
import { hammer, type Load, type LoadResult, someoneElse } from './load.ts';
import { type Group, median, must, times } from './row.ts';
import {
  addContents,
  addDevices,
  addPlaylist,
  addStore,
  contentId,
  millionPlays,
  PLAYLIST,
  seed,
  TOKEN,
} from './seed.ts';

const bareOf = async <T>(kind: string, more: string[], measure: (bare: Child) => Promise<T>): Promise<T> => {
  const bare = await startBare(kind, ...more);
  try {
    return await measure(bare);
  } finally {
    await bare.stop();
  }
};

const only = (result: LoadResult, status: number): LoadResult => {
  must(
    result.statuses.size === 1 && result.statuses.has(status),
    `answered ${[...result.statuses].map(([s, n]) => `${s} (${n} times)`).join(', ')} instead of ${status}`,
  );
  return result;
};

export const startRows: Group = {
  rows: [
    {
      key: 'start',
      what: 'start to first answer, 1,000,000 plays stored',
      unit: 'ms',
      budget: 160,
      better: 'less',
      bareThere: 64,
    },
    {
      key: 'startCpu',
      what: 'the same, time of the processor',
      unit: 'ms',
      budget: 220,
      better: 'less',
    },
    { key: 'rss', what: 'RSS idle', unit: 'MB', budget: 90, better: 'less', bareThere: 63 },
  ],
  async run({ folder, wants, report }) {
    const data = millionPlays(folder);
    const once = async (start: () => Promise<Child>) => {
      const child = await start();
      await child.stop();
      return child.startMs;
    };
    const rss = async (child: Child) => {
      // Waits until the server has released the memory that only its start needs.
      await new Promise((later) => setTimeout(later, 3000));
      const facts = await child.ask('facts');
      await child.stop();
      return facts.rss / 1e6;
    };
    await once(() => startServer(data));
    if (wants('start')) {
      const ours = await times(5, () => once(() => startServer(data, { probe: false })));
      const bare = await times(5, () => once(() => startBare('small')));
      report('start', { value: median(ours), bare: median(bare), note: `worst ${Math.round(Math.max(...ours))}` });
    }
    if (wants('startCpu')) {
      const cpu = async (start: () => Promise<Child>) => {
        const child = await start();
        const { cpuMs } = await child.ask('facts');
        await child.stop();
        return cpuMs;
      };
      const [ours, bare] = [
        await times(5, () => cpu(() => startServer(data))),
        await times(5, () => cpu(() => startBare('small'))),
      ];
      report('startCpu', { value: median(ours), bare: median(bare), note: 'of all threads, until the first answer' });
    }
    if (wants('rss'))
      report('rss', {
        value: await rss(await startServer(data)),
        bare: await rss(await startBare('small')),
        note: 'bare: node:http, ws and better-sqlite3 loaded',
      });
  },
};

export const listRows: Group = {
  rows: [
    {
      key: 'devices',
      what: 'list of 500 devices with telemetry, a year of history',
      unit: '/s',
      budget: 1000,
      better: 'more',
      bareThere: 14_000,
    },
    { key: 'devices304', what: 'the same, unchanged (304)', unit: '/s', budget: 1000, better: 'more' },
    { key: 'contents', what: 'list of 500 contents', unit: '/s', budget: 2000, better: 'more' },
    { key: 'playlist', what: 'one playlist of 50 items', unit: '/s', budget: 5000, better: 'more' },
    {
      key: 'small',
      what: 'small answer, 32 connections',
      unit: '/s',
      budget: 20_000,
      better: 'more',
      bareThere: 105_000,
    },
    { key: 'items', what: 'add a playlist item (durable), 32 connections', unit: '/s', budget: 2000, better: 'more' },
    { key: 'itemsP99', what: 'the same, p99', unit: 'ms', budget: 25, better: 'less' },
    {
      key: 'itemAlone',
      what: 'add a playlist item (durable), one after the other',
      unit: '/s',
      budget: 1500,
      better: 'more',
    },
    { key: 'search', what: 'a search in 10,000 contents, 32 at once', unit: 'ms', budget: 2, better: 'less' },
    { key: 'searchWait', what: 'others wait meanwhile, p99', unit: 'ms', budget: 20, better: 'less' },
  ],
  async run({ folder, wants, report }) {
    const data = join(folder, 'lists');
    const PLAYLISTS = 200;
    seed(data, (db) => {
      addStore(db);
      addContents(db, 500);
      addPlaylist(db, 50);
      for (let n = 0; n < PLAYLISTS; n++) addPlaylist(db, 20, `bench-playlist-${n}`);
      addDevices(db, 500, { history: true, playlist: PLAYLIST });
    });
    const server = await startServer(data);
    try {
      const { port } = server;
      const get = (path: string, more: Partial<Load> = {}) => hammer({ port, path, token: TOKEN, ...more });
      const bytesAt = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { Authorization: `Bearer ${TOKEN}` },
        });
        must(answer.status === 200, `${path} answered ${answer.status}`);
        return { bytes: (await answer.arrayBuffer()).byteLength, etag: answer.headers.get('etag') ?? '' };
      };
      const lists = [
        { key: 'devices', path: '/api/devices?limit=500' },
        { key: 'contents', path: '/api/content?limit=500' },
        { key: 'playlist', path: `/api/playlists/${PLAYLIST}` },
      ];
      for (const { key, path } of lists) {
        if (!wants(key)) continue;
        const { bytes } = await bytesAt(path);
        const ours = only(await get(path), 200);
        const bare = await bareOf('ready', [String(bytes)], ({ port }) => hammer({ port, path: '/' }));
        const made = await bareOf('stringify', [String(bytes)], ({ port }) => hammer({ port, path: '/', ms: 1000 }));
        report(key, {
          value: ours.perSecond,
          bare: bare.perSecond,
          note: `${Math.round(bytes / 1000)} kB, p99 ${ours.p99Ms.toFixed(1)} ms; bare: ready bytes, stringified ${Math.round(made.perSecond)}/s`,
        });
      }
      if (wants('devices304')) {
        const { etag } = await bytesAt('/api/devices?limit=500');
        report('devices304', {
          value: only(await get('/api/devices?limit=500', { headers: { 'If-None-Match': etag } }), 304).perSecond,
        });
      }
      if (wants('small')) {
        const ours = only(await get('/api/folders'), 200);
        const piped = only(await get('/api/folders', { pipeline: 16 }), 200);
        const bare = await bareOf('small', [], ({ port }) => hammer({ port, path: '/' }));
        const barePiped = await bareOf('small', [], ({ port }) => hammer({ port, path: '/', pipeline: 16 }));
        report('small', {
          value: piped.perSecond,
          bare: barePiped.perSecond,
          note: `with a token, 16 in a pipeline; one at a time ${Math.round(ours.perSecond)}/s, bare ${Math.round(bare.perSecond)}/s`,
        });
      }
      if (wants('items') || wants('itemsP99')) {
        let n = 0;
        // Adds items to 32 playlists at once, as several users would. Each playlist grows to a few dozen items.
        const paths = Array.from({ length: 32 }, (_, c) => `/api/playlists/bench-playlist-${c}/items`);
        const body = () => JSON.stringify({ content_id: contentId(n++ % 500) });
        const all = await Promise.all(
          paths.map((path) => hammer({ port, path, method: 'POST', token: TOKEN, body, connections: 1, ms: 3000 })),
        );
        for (const each of all) only(each, 201);
        const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0);
        const p99 = Math.max(...all.map((each) => each.p99Ms));
        const bare = await bareOf('insert', [folder], ({ port }) =>
          hammer({ port, path: '/', method: 'POST', body: '{}' }),
        );
        const note = `p50 ${median(all.map((each) => each.p50Ms)).toFixed(1)} ms; bare: one commit for each`;
        if (wants('items')) report('items', { value: perSecond, bare: bare.perSecond, note });
        if (wants('itemsP99')) report('itemsP99', { value: p99, bare: bare.p99Ms });
      }
      if (wants('itemAlone')) {
        const alone = { method: 'POST', connections: 1 } as const;
        // Fills one playlist after the other, since a full playlist accepts no more items.
        let n = 0;
        const path = () => `/api/playlists/bench-playlist-${n++ % PLAYLISTS}/items`;
        const body = JSON.stringify({ content_id: contentId(1) });
        const ours = only(await hammer({ ...alone, port, path, token: TOKEN, body }), 201);
        const bare = await bareOf('insert', [folder], ({ port }) => hammer({ ...alone, port, path: '/', body: '{}' }));
        report('itemAlone', { value: ours.perSecond, bare: bare.perSecond, note: `p99 ${ours.p99Ms.toFixed(1)} ms` });
      }
    } finally {
      await server.stop();
    }
    if (wants('search') || wants('searchWait')) {
      const many = join(folder, 'search');
      seed(many, (db) => {
        addStore(db);
        addContents(db, 10_000);
      });
      const searched = await startServer(many);
      try {
        const other = someoneElse({ port: searched.port, path: '/api/folders', token: TOKEN });
        // Searches for a different text each time, as while typing, so that the server cannot reuse an answer.
        let n = 0;
        const path = () => `/api/content?q=OFFER%20${n++ % 100_000}&limit=50`;
        const ours = only(await hammer({ port: searched.port, path, token: TOKEN }), 200);
        const wait = await other.stop();
        report('search', { value: 1000 / ours.perSecond, note: `${Math.round(ours.perSecond)}/s` });
        report('searchWait', { value: wait.p99Ms });
      } finally {
        await searched.stop();
      }
    }
  },
};
