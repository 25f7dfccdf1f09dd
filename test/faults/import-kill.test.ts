/** An import that is killed at any step continues when the same file is sent again, and every record exists once. */
// Suite: faults
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rawZip } from '../../server/features/exchange/testing/raw-zip.ts';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { ask, formWith, gone, startOwned, startServer } from './data-server.ts';
import { createFaults, whyNoFaults } from './hooks/faults.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const EXPORT = rawZip([
  {
    name: 'vitrine-export.json',
    bytes: Buffer.from(
      JSON.stringify({
        format: 'vitrine-export',
        version: 1,
        contents: many(20, (i) => ({
          id: i,
          filename: `${i}.gif`,
          file: `files/${i % 16}`,
          ...(i > 17 && { file: null, remote_url: `http://pictures.invalid/${i}.png`, mime_type: 'image/png' }),
        })),
        widgets: many(10, (i) => ({ id: i, widget_type: 'text', name: `W${i}`, config: { html: 'Hi' } })),
        kiosk_pages: many(5, (i) => ({ id: i, name: `K${i}`, config: { title: 'Hi' } })),
        layouts: many(5, (i) => ({ id: i, name: `L${i}`, zones: [{ id: `z${i}`, name: 'Z' }] })),
        playlists: many(15, (i) => ({
          id: i,
          name: `P${i}`,
          published: true,
          items: [{ content_id: i }, { widget_id: i % 10, zone_id: `z${i % 5}` }],
        })),
        groups: many(10, (i) => ({ id: i, name: `G${i}`, playlist_id: i })),
        schedules: many(15, (i) => ({
          group_id: i % 10,
          playlist_id: i,
          title: `S${i}`,
          start_time: '2026-03-02T09:00',
          end_time: '2026-03-02T10:00',
        })),
      }),
    ),
  },
  ...many(16, (i) => ({ name: `files/${i}`, bytes: picture(`file ${i}`) })),
]);
const ALL = { content: 20, widgets: 10, kiosk: 5, layouts: 5, playlists: 15, items: 30, groups: 10, schedules: 15 };

const counted = async (origin: string, token: string): Promise<typeof ALL> => {
  const list = async (path: string) =>
    (await ask(origin, 'GET', path, { token })).body as {
      id: string;
      workspace_id: string | null;
      item_count: number;
    }[];
  const of = async (path: string) => (await list(path)).filter((one) => one.workspace_id !== null).length;
  const playlists = await list('/api/playlists?limit=500');
  return {
    content: await of('/api/content?limit=500'),
    widgets: await of('/api/widgets'),
    kiosk: await of('/api/kiosk'),
    layouts: await of('/api/layouts'),
    playlists: playlists.length,
    items: playlists.reduce((sum, { item_count }) => sum + item_count, 0),
    groups: await of('/api/groups'),
    schedules: await of('/api/schedules'),
  };
};
const sum = (counts: typeof ALL): number => Object.values(counts).reduce((a, b) => a + b, 0);

test('import that is killed at any step and sent again adds everything exactly once and leaves no stray files', {
  skip: whyNoFaults,
  timeout: 120_000,
}, async (t) => {
  const base = tempFolder(t);
  const { server: first, token } = await startOwned(t, base);
  await first.stop();

  const faults = createFaults(t);
  const partly: number[] = [];
  for (const [where, step] of [
    ['media', 20],
    ['vitrine.db', 300],
    ['vitrine.db', 560],
    ['vitrine.db', 700],
  ] as const) {
    const data = tempFolder(t);
    cpSync(base, data, { recursive: true });
    const server = await startServer(t, data, faults.env);
    const take = (origin: string) =>
      ask(origin, 'POST', '/api/import', { token, body: formWith('export.zip', EXPORT) });
    faults.disk('kill', join(data, where), step);
    const killed = await take(server.origin);
    assert.equal(killed.status, 0, `${where} ${step} is a step of the import`);
    await gone(server.child);
    faults.mend();

    const again = await startServer(t, data);
    partly.push(sum(await counted(again.origin, token)));
    const answer = await take(again.origin);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.warnings, []);
    assert.deepEqual([answer.body.contents, answer.body.playlists, answer.body.schedules], [20, 15, 15]);
    assert.deepEqual(
      await counted(again.origin, token),
      ALL,
      `killed at ${where} ${step}, with ${partly.at(-1)} of ${sum(ALL)}`,
    );
    if (partly.length === 1) {
      // Imports the file again after the complete import. This adds every record a second time.
      assert.equal((await take(again.origin)).status, 200);
      assert.equal((await counted(again.origin, token)).playlists, 2 * ALL.playlists);
    }
    await again.stop();
  }
  t.diagnostic(`there before the second time, of ${sum(ALL)}: ${partly.join(', ')}`);
  assert.ok(partly.filter((count) => count > 0 && count < sum(ALL)).length >= 3, `${partly}`);
});
