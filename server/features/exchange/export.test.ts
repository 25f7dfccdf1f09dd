/** Tests that an export is a snapshot of a workspace, made without delaying other requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite } from '../../../test/harness.ts';
import { longestTurn, MOST_TURN_MS, told } from '../../../test/longest-turn.ts';

test('a workspace of 40,000 contents and 100,000 items is exported without delaying requests', async (t) => {
  const { site, token } = await ownedSite(t);
  const workspace = (await site.call('GET', '/api/workspaces', { token })).body[0].id;
  const count = (n: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;
  site.app.db.write(() => {
    const run = (sql: string) => site.app.db.raw.exec(sql.replaceAll('$w', `'${workspace}'`));
    run(
      `${count(40_000)} INSERT INTO content (id, workspace_id, kind, filename, mime_type, file_size, remote_url, created_at, updated_at) SELECT 'c' || i, $w, 'web', 'page ' || i, 'text/html', 0, 'https://x.test/' || i, 0, 0 FROM n`,
    );
    run(
      `${count(1_000)} INSERT INTO playlists (id, workspace_id, name, created_at, updated_at) SELECT 'p' || i, $w, 'P' || i, 0, 0 FROM n`,
    );
    run(
      `${count(100_000)} INSERT INTO playlist_items (playlist_id, content_id, sort_order, duration_sec) SELECT 'p' || (1 + i % 1000), 'c' || (1 + i % 40000), i / 1000, 10 FROM n`,
    );
  });
  await site.app.db.durable();
  const exporting = (async () => {
    const response = await fetch(`${site.origin}/api/export`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(response.status, 200);
    return (await response.bytes()).length;
  })();
  const [held, bytes] = await Promise.all([longestTurn(exporting), exporting]);
  t.diagnostic(`${bytes} bytes; the longest turn: ${told(held)}`);
  assert.ok(bytes > 500_000);
  assert.ok(held.worked < MOST_TURN_MS, told(held));
});
