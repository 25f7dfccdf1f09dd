/** Lists of contents by owner use an index, regardless of the number of contents. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ContentQuery } from '../../../shared/contract/content/content.ts';
import { tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { content } from '../../db/schema.ts';
import { ofOwner } from '../records.store.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { ContentStore } from './content.store.ts';

const [ALL, HELD] = [10_000, 30];

const openPlenty = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  t.after(() => db.close());
  addWorkspace(db, 'w');
  db.write(() => {
    const insert = db.raw.prepare(
      "INSERT INTO content (id, workspace_id, filename, mime_type, kind, created_at, updated_at) VALUES (?, 'w', ?, 'image/png', 'image', ?, 0)",
    );
    for (let i = 0; i < ALL; i++) insert.run(`c${i}`, `c${i}.png`, i);
    db.raw.exec(
      "INSERT INTO chain_links (workspace_id, store, name, address, headquarters, key, certificate, enrolled_at, enrolled_by) VALUES ('w', '', '', '', '', '', '', 0, '')",
    );
    const record = db.raw.prepare(
      "INSERT INTO chain_records (workspace_id, kind, id, campaign) VALUES ('w', 'content', ?, 'a')",
    );
    for (let i = 0; i < HELD; i++) record.run(`c${i * 3}`);
  });
  return { db, store: new ContentStore(db) };
};

test('a list of 10,000 contents filtered by owner uses keys and an index instead of a full scan', (t) => {
  const { db, store } = openPlenty(t);
  const listed = (owner: 'store' | 'headquarters', offset = 0) => {
    const query = { ...ContentQuery.parse({ owner, limit: '50', offset: String(offset) }), now: '', soon: '' };
    return { rows: store.list('w', query).map(({ id }) => id), total: store.countOf('w', query) };
  };
  const held = listed('headquarters');
  assert.deepEqual([held.rows.length, held.total, held.rows[0]], [HELD, HELD, `c${(HELD - 1) * 3}`]);
  const own = listed('store', ALL - HELD - 2);
  assert.deepEqual([own.total, own.rows], [ALL - HELD, ['c2', 'c1']]);
  const planOf = (owner: 'store' | 'headquarters') => {
    const where = ofOwner(content, 'content', { workspaceId: 'w', owner });
    const { sql, params } = db.orm.select().from(content).where(where).orderBy(content.created_at).limit(50).toSQL();
    const steps = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params) as { detail: string }[];
    return steps.map(({ detail }) => detail).join('; ');
  };
  assert.match(planOf('headquarters'), /^SEARCH content USING INDEX \S*content_1 \(id=\?\)/);
  assert.match(planOf('store'), /SEARCH r USING COVERING INDEX \S* \(kind=\? AND id=\?\)/);
  assert.doesNotMatch(planOf('store'), /SCAN|TEMP B-TREE/);
});
