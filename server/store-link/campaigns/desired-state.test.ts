/**
 * Tests that a campaign of headquarters reaches the screens either complete or not at all, and that nobody in the store
 * can change the campaign.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CampaignDoc, desiredText } from '../../../shared/chain/campaign.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { Bus } from '../../kernel/bus.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { Incidents } from '../membership/incidents.ts';
import { newKey } from '../testing/journal.ts';
import { CampaignsStore } from './campaigns.store.ts';
import { DesiredState } from './desired-state.ts';

const NOON = Date.UTC(2026, 10, 2, 12);
const SPKI = '302a300506032b6570032100';
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const FILE = { sha256: sha256('picture'), size: 7, mime: 'image/png' };

const doc = (more: Partial<CampaignDoc> = {}): CampaignDoc => ({
  vitrine: 'campaign',
  version: 1,
  id: 'advent',
  name: 'Advent',
  edition: 1,
  made_ms: NOON,
  rank: 'must',
  screen_tags: [],
  start_time: '2026-11-02T18:00:00',
  end_time: '2026-12-24T20:00:00',
  recurrence: null,
  recurrence_end: null,
  begins: 'whole',
  playlist_id: 'advent-list',
  layout_id: null,
  contents: [
    {
      id: 'star',
      filename: 'Star.png',
      mime_type: 'image/png',
      kind: 'image',
      duration_sec: null,
      width: 16,
      height: 9,
      remote_url: null,
      file: FILE,
      thumbnail: null,
      valid_from: null,
      valid_until: null,
    },
  ],
  widgets: [],
  playlists: [
    {
      id: 'advent-list',
      name: 'Advent',
      description: '',
      published_ms: NOON,
      transition: null,
      items: [
        {
          content_id: 'star',
          widget_id: null,
          zone_id: null,
          duration_sec: 10,
          muted: false,
          blocks: [],
          transition: null,
          valid_from: null,
          valid_until: null,
        },
      ],
    },
  ],
  layouts: [],
  ...more,
});

const setUp = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'store.db'));
  t.after(() => db.close());
  addWorkspace(db, 'w');
  const clock = new TestClock(NOON);
  const hq = newKey();
  const said: string[] = [];
  const activity = { add: ({ details }: { details: string }) => void said.push(details) };
  const parts = { db, bus: new Bus((_, error) => assert.fail(String(error))), clock, activity };
  const links = new ChainStore(db);
  db.write(() =>
    links.insert({
      workspace_id: 'w',
      store: 'store-1',
      name: 'Mill',
      address: 'https://hq.test:1',
      headquarters: 'HQ',
      key: SPKI + hq.key,
      certificate: '',
      enrolled_at: 1,
      enrolled_by: 'Olga',
      may: null,
      lets_update: 0,
      ...{ seal_key: null, stick_in: 0, stick_out: 0 },
    }),
  );
  const incidents = new Incidents({ ...parts, store: links });
  const store = new CampaignsStore(db);
  const open = () =>
    new DesiredState({
      ...parts,
      store,
      incidents,
      workspaceId: 'w',
      storeRef: 'store-1',
      key: SPKI + hq.key,
      timezone: () => 'UTC',
    });
  const desired = open();
  let rev = 0;
  const want = (
    docs: readonly CampaignDoc[],
    more: object = {},
    { key = hq, asked, of = desired }: { key?: typeof hq; asked?: number; of?: DesiredState } = {},
  ) => {
    const campaigns = docs.map((one) => {
      const text = JSON.stringify(one);
      return { id: one.id, edition: one.edition, sha256: sha256(text), bytes: text.length };
    });
    const state = { vitrine: 'desired', version: 1, store: 'store-1', rev: ++rev, issued_ms: NOON, campaigns, ...more };
    const text = JSON.stringify(state);
    return of.accept({ text, signature: key.sign(desiredText(text)) }, asked);
  };
  const give = (one: CampaignDoc, to = desired) => to.documentCame(one.id, Buffer.from(JSON.stringify(one)));
  const rows = (sql: string) => db.raw.prepare(sql).all() as Record<string, unknown>[];
  const kinds = () => db.raw.prepare('SELECT kind FROM chain_incidents ORDER BY id').pluck().all();
  const details = () => db.raw.prepare('SELECT details FROM chain_incidents ORDER BY at DESC').pluck().get() as string;
  return { db, clock, desired, open, store, want, give, rows, kinds, details, said, hq, links };
};

test('campaign is applied when all files are present, and removed when headquarters no longer wants it', (t) => {
  const { desired, want, give, rows, said } = setUp(t);
  assert.equal(want([doc()]), true);
  assert.deepEqual(
    desired.missing().map(({ what }) => what),
    ['document'],
  );
  give(doc());
  assert.deepEqual(desired.missing(), [{ what: 'file', campaign: 'advent', file: FILE }]);
  assert.deepEqual(rows('SELECT * FROM playlists'), [], 'nothing half');
  desired.fileCame(FILE);
  assert.deepEqual(rows('SELECT name, status FROM playlists'), [{ name: 'Advent', status: 'published' }]);
  assert.deepEqual(rows('SELECT content_id FROM published_items'), [{ content_id: 'star' }]);
  assert.deepEqual(rows('SELECT rank, playlist_id, start_time FROM campaign_plans'), [
    { rank: 'must', playlist_id: 'advent-list', start_time: '2026-11-02T18:00:00' },
  ]);
  want([]);
  for (const table of ['playlists', 'content', 'campaign_plans', 'chain_records', 'chain_campaigns', 'chain_files'])
    assert.deepEqual(rows(`SELECT * FROM ${table}`), [], table);
  assert.deepEqual(said, ['Advent (1)', 'Advent']);
});

test('newer edition replaces the older edition in one write transaction, as soon as all its files are present', (t) => {
  const { desired, want, give, rows } = setUp(t);
  want([doc()]);
  give(doc());
  desired.fileCame(FILE);
  const other = { ...FILE, sha256: sha256('other') };
  const [content] = doc().contents;
  const second = doc({ edition: 2, made_ms: NOON + 1, contents: [{ ...content!, filename: 'Tree.png', file: other }] });
  want([second]);
  give(second);
  assert.deepEqual(rows('SELECT filename FROM content'), [{ filename: 'Star.png' }]);
  desired.fileCame(other);
  assert.deepEqual(rows('SELECT filename, sha256 FROM content'), [{ filename: 'Tree.png', sha256: other.sha256 }]);
  assert.deepEqual(rows('SELECT edition FROM campaign_plans'), [{ edition: 2 }]);
});

test('edition that headquarters made again with the same number is not reported as applied before its files arrive', (t) => {
  const { desired, want, give } = setUp(t);
  want([doc()]);
  give(doc());
  desired.fileCame(FILE);
  const [content] = doc().contents;
  const other = { ...FILE, sha256: sha256('other') };
  const again = doc({ made_ms: NOON + 1, contents: [{ ...content!, file: other }] });
  const applied = () => desired.progress().map((one) => one.applied);
  assert.deepEqual(applied(), [1]);
  want([again]);
  assert.deepEqual(applied(), [null], 'not its document');
  give(again);
  assert.deepEqual(applied(), [null], 'not its file');
  desired.fileCame(other);
  assert.deepEqual(applied(), [1]);
});

test('campaign that may start incomplete shows the files that are present at its start, and others when they arrive', async (t) => {
  const { db, desired, want, give, rows, clock } = setUp(t);
  const [star] = doc().contents;
  const tree = { ...star!, id: 'tree', filename: 'Tree.png', file: { ...FILE, sha256: sha256('tree') } };
  const [list] = doc().playlists;
  const items = [...list!.items, { ...list!.items[0]!, content_id: 'tree' }];
  const parts = doc({ begins: 'parts', contents: [star!, tree], playlists: [{ ...list!, items }] });
  want([parts]);
  give(parts);
  desired.fileCame(FILE);
  assert.deepEqual(rows('SELECT id FROM content'), [], 'not before it begins');
  clock.advance(6 * 3_600_000);
  desired.carryOut();
  assert.deepEqual(rows('SELECT content_id FROM published_items'), [{ content_id: 'star' }]);
  await db.durable();
  const before = rows('SELECT * FROM playlists');
  clock.advance(60_000);
  desired.carryOut();
  assert.deepEqual(rows('SELECT * FROM playlists'), before, 'nothing more has come: nothing is done anew');
  desired.fileCame(tree.file);
  assert.deepEqual(rows('SELECT content_id FROM published_items ORDER BY sort_order'), [
    { content_id: 'star' },
    { content_id: 'tree' },
  ]);
});

test('complete campaign is applied while another campaign still waits for files', (t) => {
  const { desired, want, give, rows } = setUp(t);
  const [star] = doc().contents;
  const easter = doc({
    id: 'easter',
    name: 'Easter',
    start_time: '2026-11-02T13:00:00',
    playlist_id: null,
    contents: [{ ...star!, id: 'egg', file: { ...FILE, sha256: sha256('egg') } }],
    playlists: [],
  });
  want([doc(), easter]);
  give(doc());
  give(easter);
  assert.deepEqual(
    desired.missing().map(({ campaign }) => campaign),
    ['easter', 'advent'],
    'what begins first comes first',
  );
  desired.fileCame(FILE);
  assert.deepEqual(rows('SELECT name FROM playlists'), [{ name: 'Advent' }]);
  assert.deepEqual(
    desired.progress().map(({ id, applied, lacking }) => [id, applied, lacking.map((file) => file.sha256)]),
    [
      ['advent', 1, []],
      ['easter', null, [sha256('egg')]],
    ],
  );
});

test('nextStart returns the start of the next campaign in the time zone of the store', (t) => {
  const { desired, want, give, clock } = setUp(t);
  assert.equal(desired.nextStart, Number.POSITIVE_INFINITY);
  want([doc()]);
  give(doc());
  assert.equal(desired.nextStart, NOON + 6 * 3_600_000);
  clock.advance(6 * 3_600_000);
  assert.equal(desired.nextStart, Number.POSITIVE_INFINITY);
});

test('file that the store already has is not fetched', (t) => {
  const { db, desired, want, give, rows } = setUp(t);
  want([doc()]);
  give(doc());
  db.write(() =>
    db.raw
      .prepare('INSERT INTO blobs (sha256, size, mime, created_at) VALUES (?, 7, ?, 1)')
      .run(FILE.sha256, FILE.mime),
  );
  desired.carryOut();
  assert.deepEqual(desired.missing(), []);
  assert.deepEqual(rows('SELECT name FROM playlists'), [{ name: 'Advent' }]);
});

test('forged, outdated, unknown or another store’s desired states change nothing and add an incident', (t) => {
  const { clock, desired, want, give, rows, kinds, details } = setUp(t);
  want([doc()]);
  give(doc());
  desired.fileCame(FILE);
  const before = rows('SELECT * FROM campaign_plans');
  const wrongs = [
    [/not signed by headquarters/, { rev: 9 }, newKey()],
    [/has the revision 1, but this server already has the revision 5/, { rev: 1 }],
    [/for another store/, { rev: 9, store: 'store-2' }],
    [/comes from a newer version of Vitrine/, { rev: 9, version: 2 }],
    [/comes from a newer version of Vitrine/, { rev: 9, campaigns: 'all' }],
  ] as const;
  assert.equal(want([doc()], { rev: 5 }), true);
  for (const [why, more, key] of wrongs) {
    clock.advance(3_600_000); // within an hour, the incident would keep its more serious sentence
    assert.equal(want([], more, key && { key }), false);
    assert.equal(desired.rev, 5);
    assert.match(details(), why);
    assert.match(
      details(),
      /^The instructions from headquarters were not accepted: the document .* Screens keep their current content\.$/,
    );
  }
  assert.deepEqual(rows('SELECT * FROM campaign_plans'), before);
  assert.deepEqual(
    kinds(),
    wrongs.map(() => 'desired_refused'),
  );
  const second = doc({ edition: 2 });
  want([second], { rev: 10 });
  desired.documentCame('advent', Buffer.from(JSON.stringify({ ...second, name: 'Forged' })));
  assert.deepEqual(desired.missing()[0]?.what, 'document', 'other bytes than named are no document');
  assert.deepEqual(rows('SELECT edition FROM campaign_plans'), [{ edition: 1 }]);
});

test('answer older than a state pushed meanwhile is ignored, and an answer no newer than its request adds an incident', (t) => {
  const { desired, want, kinds } = setUp(t);
  assert.equal(want([doc()], { rev: 7 }), true);
  assert.equal(want([], { rev: 6 }, { asked: 5 }), false);
  assert.deepEqual([desired.rev, kinds()], [7, []]);
  assert.equal(want([], { rev: 5 }, { asked: 5 }), false);
  assert.deepEqual([desired.rev, kinds()], [7, ['desired_refused']]);
});

test('records of headquarters cannot be changed or deleted in the store, but the store can add its own records', (t) => {
  const { db, desired, want, give, rows } = setUp(t);
  want([doc()]);
  give(doc());
  desired.fileCame(FILE);
  const insertItem = (playlist: string) =>
    `INSERT INTO playlist_items (playlist_id, content_id, sort_order, duration_sec) VALUES ('${playlist}', 'star', 5, 5)`;
  for (const sql of [
    "UPDATE content SET filename = 'Mine.png'",
    'DELETE FROM content',
    "UPDATE playlists SET name = 'Mine'",
    'DELETE FROM playlists',
    'UPDATE playlist_items SET duration_sec = 99',
    'DELETE FROM playlist_items',
    'DELETE FROM published_items',
    insertItem('advent-list'),
  ])
    assert.throws(
      () => db.write(() => db.raw.prepare(sql).run()),
      (error) => error instanceof ApiError && error.status === 423 && /headquarters.*Advent/.test(error.message),
      sql,
    );
  assert.deepEqual(rows('SELECT name FROM playlists'), [{ name: 'Advent' }]);
  db.write(() => {
    db.raw.prepare("UPDATE content SET folder = 'Christmas'").run();
    db.raw
      .prepare(
        "INSERT INTO playlists (id, workspace_id, name, created_at, updated_at) VALUES ('own', 'w', 'Own', 1, 1)",
      )
      .run();
    db.raw.prepare(insertItem('own')).run();
  });
  db.write(() => db.raw.prepare("DELETE FROM workspaces WHERE id = 'w'").run());
  assert.deepEqual(rows('SELECT * FROM content'), [], 'a workspace goes with everything');
});

test('store that leaves headquarters keeps the content of applied campaigns as its own', (t) => {
  const { db, desired, want, give, rows, links } = setUp(t);
  want([doc()]);
  give(doc());
  desired.fileCame(FILE);
  db.write(() => links.delete('w'));
  assert.equal(rows('SELECT * FROM campaign_plans').length, 1);
  db.write(() => db.raw.prepare("UPDATE playlists SET name = 'Mine'").run());
  assert.deepEqual(rows('SELECT name FROM playlists'), [{ name: 'Mine' }]);
});

const widgetOf = (id: string, title: string) => ({
  ...{ id, widget_type: 'directory-board', name: id, config: { title } },
  ...{ valid_from: null, valid_until: null },
});
const priced = (more: Partial<CampaignDoc> = {}): CampaignDoc =>
  doc({
    version: 2,
    contents: [],
    playlists: [],
    playlist_id: null,
    widgets: [widgetOf('tag', 'Only {{price}}'), widgetOf('sign', '{{phone|Ask us}} {{{{'), widgetOf('plain', 'Bread')],
    ...more,
  });
const shownBy = (rows: (sql: string) => Record<string, unknown>[]) =>
  Object.fromEntries(
    rows('SELECT id, config, revision FROM widgets ORDER BY id').map(({ id, config, revision }) => [
      id,
      `${JSON.parse(config as string).title} ${revision}`,
    ]),
  );

test('widgets show the values (placeholder texts) of the store, and a change affects only widgets that use the value', (t) => {
  const { want, give, rows } = setUp(t);
  want([priced()], { values: { price: '3.99' } });
  give(priced());
  assert.deepEqual(shownBy(rows), { plain: 'Bread 1', sign: 'Ask us {{ 1', tag: 'Only 3.99 1' });
  want([priced()], { values: { price: '2.99' } });
  assert.deepEqual(shownBy(rows), { plain: 'Bread 1', sign: 'Ask us {{ 1', tag: 'Only 2.99 2' });
  want([priced()], { values: { phone: '112', price: '2.99' } });
  assert.deepEqual(shownBy(rows), { plain: 'Bread 1', sign: '112 {{ 2', tag: 'Only 2.99 2' });
  want([], {});
  assert.deepEqual(shownBy(rows), {});
  assert.equal(rows('SELECT store_values FROM chain_links')[0]?.['store_values'], '{"wanted":{},"applied":{}}');
});

test('campaign is refused when the store has no value for its placeholder, and screens keep the previous edition', (t) => {
  const { want, give, rows, desired, kinds } = setUp(t);
  want([priced()], { values: { phone: '112' } });
  give(priced());
  assert.deepEqual(shownBy(rows), {}, 'no braces, and nothing half');
  const why = () => desired.progress()[0]?.refused;
  assert.match(why() ?? '', /missing at headquarters: price\. Enter the values/);
  assert.deepEqual(kinds(), ['campaign_refused']);
  desired.carryOut();
  assert.deepEqual(kinds(), ['campaign_refused'], 'said once');

  want([priced()], { values: { phone: '112', price: '3.99' } });
  assert.equal(why(), null);
  assert.deepEqual(shownBy(rows), { plain: 'Bread 1', sign: '112 {{ 1', tag: 'Only 3.99 1' });

  const other = priced({ id: 'easter', name: 'Easter', widgets: [widgetOf('hare', '{{phone}}')] });
  want([priced(), other], { values: { phone: '110' } });
  give(other);
  assert.match(why() ?? '', /price/);
  assert.deepEqual(shownBy(rows), { hare: '110 1', plain: 'Bread 1', sign: '112 {{ 1', tag: 'Only 3.99 1' });
  const next = priced({ edition: 2, widgets: [widgetOf('tag', 'From {{price}}'), widgetOf('plain', 'Rolls')] });
  want([next], {});
  give(next);
  assert.deepEqual(shownBy(rows), { plain: 'Bread 1', sign: '112 {{ 1', tag: 'Only 3.99 1' }, 'the edition before');
  want([next], { values: { price: '1' } });
  assert.deepEqual(shownBy(rows), { plain: 'Rolls 2', tag: 'From 1 2' });
});

test('new value lifts the refusal of campaigns that lacked this value, also after a restart, and of no others', (t) => {
  const { db, want, give, desired, open, rows } = setUp(t);
  const why = (of = desired) => of.progress().map(({ refused }) => refused);
  want([priced()]);
  give(priced());
  assert.match(why()[0] ?? '', /price/);
  const restarted = open();
  want([priced()], { values: { price: '3.99' } }, { of: restarted });
  assert.deepEqual(why(restarted), [null]);
  assert.equal(shownBy(rows)['tag'], 'Only 3.99 1');

  addWorkspace(db, 'private');
  db.raw.exec(
    "INSERT INTO widgets (id, workspace_id, widget_type, name, config, created_at, updated_at) VALUES ('hare', 'private', 'clock', 'Hare', '{}', 1, 1)",
  );
  const other = priced({ id: 'easter', name: 'Easter', widgets: [widgetOf('hare', '{{price}}')] });
  want([priced(), other], { values: { price: '3.99' } }, { of: restarted });
  give(other, restarted);
  for (const price of ['3.99', '2.99']) {
    want([priced(), other], { values: { price } }, { of: restarted });
    const [advent, easter] = why(restarted);
    assert.equal(advent, null);
    assert.match(easter ?? '', /^hare has the id of something of another workspace/);
  }
  assert.equal(shownBy(rows)['tag'], 'Only 2.99 2');
});

test('desired state that was stored but not applied before a crash is applied at the next start', (t) => {
  const { want, give, rows, store, open } = setUp(t);
  want([priced()], { values: { price: '1' } });
  give(priced());
  const { sha256: hash, bytes } = store.all('w')[0]!;
  store.want('w', {
    rev: 9,
    values: { price: '2' },
    campaigns: [{ id: 'advent', edition: 1, sha256: hash, bytes }],
    at: 1,
  });
  open().carryOut();
  assert.equal(shownBy(rows)['tag'], 'Only 2 2');
  open().carryOut();
  assert.equal(shownBy(rows)['tag'], 'Only 2 2', 'once');
});

test('URL that becomes too long by the store’s values is refused with its own error, and nothing is applied in part', (t) => {
  const { want, give, rows, desired, db } = setUp(t);
  const page = {
    ...widgetOf('page', ''),
    widget_type: 'webpage',
    config: { url: `https://a.test/${'{{q}}'.repeat(20)}` },
  };
  const pages = priced({ widgets: [page, widgetOf('tag', '{{q}}')] });
  want([pages], { values: { q: '/'.repeat(100) } });
  give(pages);
  assert.match(desired.progress()[0]?.refused ?? '', /too long/);
  want([pages], { values: { q: '/' } });
  assert.equal(desired.progress()[0]?.refused, null);
  assert.equal(shownBy(rows)['tag'], '/ 1');
  db.raw.exec(
    "CREATE TRIGGER broken BEFORE UPDATE ON widgets WHEN NEW.id = 'page' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  assert.throws(() => want([pages], { values: { q: 'x' } }), /broken/);
  assert.equal(shownBy(rows)['tag'], '/ 1', 'all of it or nothing');
});

test('texts of a document of format version 1 are shown as written, and their placeholders are not replaced', (t) => {
  const { want, give, rows } = setUp(t);
  const plain = priced({ version: 1 });
  want([plain], { values: { price: '3.99' } });
  give(plain);
  assert.equal(shownBy(rows)['tag'], 'Only {{price}} 1');
});
