/** Tests the SQL for links with headquarters: rows are separate for each workspace, limited in number, and in order. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CampaignDoc } from '../../../shared/chain/campaign.ts';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { addDevice, addWorkspace } from '../../features/reports/testing/plays.ts';
import { CampaignsStore, Taken } from '../campaigns/campaigns.store.ts';
import { combine } from '../campaigns/combined.ts';
import { ManagedStore } from '../campaigns/managed.store.ts';
import { adventOf, contentOf, itemOf } from '../testing/held.ts';
import { ChainStore, type LinkRow, type NewLink } from './chain.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());

/** Creates two workspaces of one server, each with a link. */
const setUp = () => {
  db.write(() => db.raw.exec('DELETE FROM organizations; DELETE FROM blobs; DELETE FROM settings; DELETE FROM users'));
  const chain = new ChainStore(db);
  const linkOf = (workspace_id: string): NewLink => ({
    ...{ workspace_id, store: `${workspace_id} store`, name: workspace_id, address: 'https://a', headquarters: 'HQ' },
    ...{ key: 'k', certificate: 'c', enrolled_at: 1, enrolled_by: 'anna', may: null, lets_update: 0, seal_key: null },
    ...{ stick_in: 0, stick_out: 0 },
  });
  for (const workspace of ['our', 'their']) {
    addWorkspace(db, workspace);
    chain.insert(linkOf(workspace));
  }
  return { chain, linkOf };
};

test('changing or deleting a link affects only its own workspace', () => {
  const { chain, linkOf } = setUp();
  const theirs = chain.find('their');
  assert.deepEqual(
    [chain.find('our'), chain.find('none')],
    [{ ...chain.find('our'), ...linkOf('our'), fetch_rate: null, fetch_hours: [] }, undefined],
  );
  assert.deepEqual(
    chain.links().map(({ workspace_id }) => workspace_id),
    ['our', 'their'],
  );
  chain.setNames('our', { name: 'Mill', headquarters: 'Main', seal_key: 's' });
  chain.setMay('our', 'workspace_editor');
  const hours = [{ days: [1], from: '22:00', to: '05:00' }] as unknown as LinkRow['fetch_hours'];
  chain.setFetching('our', { fetch_rate: 9, fetch_hours: hours });
  chain.setLetsUpdate('our', 1);
  chain.setPlace('our', { address: 'https://b', certificate: 'd' });
  assert.deepEqual([chain.nextStick('our'), chain.nextStick('our')], [1, 2]);
  const { workspace_id: _, store: __, key, enrolled_at, enrolled_by, ...said } = linkOf('our');
  assert.deepEqual(
    { ...chain.find('our'), ...{ key, enrolled_at, enrolled_by } },
    {
      ...chain.find('our'),
      ...said,
      ...{
        name: 'Mill',
        headquarters: 'Main',
        seal_key: 's',
        may: 'workspace_editor',
        fetch_rate: 9,
        fetch_hours: hours,
      },
      ...{ lets_update: 1, address: 'https://b', certificate: 'd', stick_out: 2 },
    },
  );
  chain.setStickTaken('our', 3, 9);
  assert.deepEqual([chain.find('our')!.stick_in, chain.nextStick('our')], [3, 10], 'no number is given twice');
  chain.setStickTaken('our', 4, 2);
  assert.deepEqual([chain.find('our')!.stick_in, chain.nextStick('our')], [4, 11]);
  const proof = { code: 'first' } as unknown as Parameters<ChainStore['setProof']>[1];
  chain.setProof('our', proof);
  chain.setProof('our', { ...proof, version: '2' });
  chain.setProof('their', proof);
  assert.deepEqual([chain.proof('our'), chain.proof('their')], [{ ...proof, version: '2' }, proof]);
  chain.deleteProof('our');
  assert.deepEqual([chain.proof('our'), chain.proof('their')], [undefined, proof]);
  assert.equal(chain.updateOrder('our'), null);
  chain.setUpdateOrder('our', '{}');
  assert.deepEqual(
    [chain.updateOrder('our'), chain.updateOrder('their'), chain.updateOrder('none')],
    ['{}', null, null],
  );
  assert.deepEqual([chain.workspaceName('our'), chain.find('their')], ['our', theirs]);
  assert.deepEqual([chain.delete('our'), chain.delete('our'), chain.find('our')], [true, false, undefined]);
  assert.deepEqual(chain.find('their'), theirs);
});

test('visitor from headquarters becomes one local user and is listed among the members of the workspace', () => {
  const { chain } = setUp();
  db.write(() => {
    for (const id of ['u1', 'u2', 'own']) put(db, 'users', { id, email: id });
    for (const [workspace_id, user_id] of [
      ['our', 'u1'],
      ['their', 'u2'],
      ['our', 'own'],
    ] as const)
      put(db, 'workspace_members', { workspace_id, user_id, role: 'workspace_editor' });
    chain.insertVisitor('v1', 'u1');
    chain.insertVisitor('v2', 'u2');
  });
  assert.deepEqual([chain.visitor('v1'), chain.visitor('v2'), chain.visitor('v3')], ['u1', 'u2', undefined]);
  assert.deepEqual([chain.visitorsIn('our'), chain.visitorsIn('their')], [['u1'], ['u2']]);
});

test('cursors are stored per workspace and epoch, and also the ends of the last 10,000 segments', () => {
  const { chain } = setUp();
  const move = (workspace: string, epoch: string, through: number) =>
    chain.putCursor(workspace, { epoch, through, head: `${epoch}${through}` });
  for (const [workspace, epoch, through] of [
    ['our', 'a', 1],
    ['our', 'b', 2],
    ['their', 'a', 9],
    ['our', 'a', 3],
  ] as const)
    move(workspace, epoch, through);
  const cursors = (workspace: string) =>
    chain
      .cursors(workspace)
      .map(({ head }) => head)
      .sort();
  assert.deepEqual([cursors('our'), cursors('their')], [['a3', 'b2'], ['a9']]);
  const end = (workspace: string, epoch: string, through: number, head = String(through)) =>
    chain.addEnd(workspace, { epoch, through, head });
  end('our', 'a', 5);
  end('our', 'a', 8, 'first');
  end('our', 'a', 8, 'again');
  end('our', 'b', 7);
  end('their', 'a', 6);
  const before = (number: number, epoch = 'a', workspace = 'our') => chain.endBefore(workspace, epoch, number)?.head;
  assert.deepEqual([before(4), before(5), before(7), before(8), before(99)], [undefined, '5', '5', 'again', 'again']);
  assert.deepEqual([before(9, 'b'), before(9, 'a', 'their')], ['7', '6']);
  db.write(() =>
    db.raw.exec(`WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 10006)
      INSERT INTO chain_segments (workspace_id, epoch, last, head) SELECT 'our', 'a', i, 'h' FROM n`),
  );
  end('our', 'a', 10_007);
  assert.deepEqual([before(7), before(8)], [undefined, 'again'], 'ten thousand stay');
  assert.deepEqual([before(9, 'b'), before(9, 'a', 'their')], ['7', '6']);
});

test('workspace keeps its last 200 incidents, and each counts as unsent until headquarters has its newest details', () => {
  const { chain } = setUp();
  const add = (workspace: string, id: string, details = id) =>
    chain.putIncident(workspace, { id, kind: 'forked', details, at: 1 } as Parameters<ChainStore['putIncident']>[1]);
  for (const id of ['b', 'a', 'c']) add('our', id);
  add('their', 'd');
  const listed = (workspace: string, limit = 9) => chain.incidents(workspace, limit).map(({ id }) => id);
  const untold = (limit = 9) => chain.untold('our', limit).map(({ details }) => details);
  assert.deepEqual([listed('our'), listed('our', 2), listed('their')], [['c', 'b', 'a'], ['c', 'b'], ['d']]);
  assert.deepEqual(
    [untold(), untold(2)],
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
    ],
  );
  chain.setTold(['a', 'b']);
  assert.deepEqual(untold(), ['c']);
  add('our', 'b', 'more');
  assert.deepEqual(untold(), ['more', 'c']);
  for (let n = 0; n < 198; n++) add('our', `n${n}`);
  assert.deepEqual([listed('our', 999).length, listed('our', 999).at(-1), listed('their')], [200, 'b', ['d']]);
});

test('beginEpoch adds an epoch (numbering of plays) that starts at the given number', () => {
  const { chain } = setUp();
  const [before, newest] = [chain.epochs(), chain.newest()];
  chain.beginEpoch(1_000, newest + 5);
  assert.deepEqual([chain.epochs().slice(0, -1), chain.epochs().at(-1)!.first], [before, newest + 5]);
});

test('screens are listed by name with their tags, and the oldest play is searched in both tables of plays', () => {
  const { chain } = setUp();
  for (const [workspace, id] of [
    ['our', 'till'],
    ['our', 'door'],
    ['their', 'abroad'],
  ] as const)
    addDevice(db, workspace, id);
  db.write(() => {
    for (const tag of ['mall', 'window']) put(db, 'device_tags', { device_id: 'till', tag });
  });
  assert.deepEqual(
    chain.screens('our').map(({ id }) => id),
    ['door', 'till'],
  );
  assert.deepEqual(chain.taggedScreens('our'), [
    { id: 'door', name: 'door', tags: [] },
    { id: 'till', name: 'till', tags: ['mall', 'window'] },
  ]);
  assert.equal(chain.oldestPlay(), Number.MAX_SAFE_INTEGER, 'there is none');
});

test('slots and records of headquarters are listed per workspace, and only slots of current editions are listed', () => {
  setUp();
  const held = new ManagedStore(db);
  db.write(() => {
    for (const workspace_id of ['our', 'their']) {
      const id = (name: string) => `${workspace_id}-${name}`;
      put(db, 'chain_campaigns', { workspace_id, campaign: 'sale', name: 'Sale', wanted: 1, bytes: 5, applied: null });
      put(db, 'campaign_plans', {
        workspace_id,
        campaign: 'stayed',
        title: workspace_id === 'our' ? 'Stayed' : 'Another',
        edition: 2,
        rank: 'must',
        screen_tags: '["mall"]',
      });
      put(db, 'campaign_plans', {
        workspace_id,
        campaign: 'sale',
        title: 'Sale',
        edition: 1,
        rank: 'must',
        screen_tags: '[]',
      });
      for (const [name, published_ms] of [
        ['list', 5],
        ['own', null],
      ] as const)
        put(db, 'playlists', { id: id(name), workspace_id, name, published_ms });
      for (const [slot, campaign] of [
        ['s2', 'sale'],
        ['s1', 'stayed'],
        ['s0', 'sale'],
        ['unused', 'sale'],
      ] as const)
        put(db, 'chain_slots', { workspace_id, id: id(slot), campaign, limits: `{"name":"${slot}"}` });
      for (const slot of ['s2', 's1', 's0'])
        put(db, 'published_items', {
          playlist_id: id('list'),
          slot_id: id(slot),
          blocks: '[]',
          id: workspace_id === 'our' ? Number(slot[1]) + 1 : Number(slot[1]) + 11,
        });
      for (const [kind, name] of [
        ['playlists', 'list'],
        ['content', 'photo'],
      ] as const)
        put(db, 'chain_records', { workspace_id, kind, id: id(name), campaign: 'sale' });
    }
  });
  assert.deepEqual(held.records('our'), [
    { kind: 'content', id: 'our-photo', campaign: 'sale', campaign_name: 'Sale' },
    { kind: 'playlists', id: 'our-list', campaign: 'sale', campaign_name: 'Sale' },
  ]);
  const slots = held.slots('our');
  assert.deepEqual(
    slots.map(({ id, campaign_name, in_playlist }) => [id, campaign_name, in_playlist]),
    [
      ['our-s0', 'Sale', 'our-list'],
      ['our-s2', 'Sale', 'our-list'],
      ['our-s1', 'Stayed', 'our-list'],
    ],
  );
  assert.deepEqual([held.slot('our', 'our-s1'), held.slot('their', 'our-s1')], [slots[2], undefined]);
  held.fill('our', 'our-s2', 'our-own');
  held.fill('our', 'our-s0', 'our-own');
  assert.deepEqual(
    held.filledBy('our-own').map(({ id, playlist_name }) => [id, playlist_name]),
    [
      ['our-s0', 'own'],
      ['our-s2', 'own'],
    ],
  );
  assert.deepEqual(
    [held.slot('our', 'our-s1')!.playlist_id, held.slot('their', 'their-s2')!.playlist_id],
    [null, null],
  );
  assert.deepEqual(held.playlist('our', 'our-list'), {
    name: 'list',
    published_ms: 5,
    owner_device_id: null,
    is_held: 1,
  });
  assert.deepEqual([held.playlist('our', 'our-own')?.is_held, held.playlist('their', 'our-own')], [0, undefined]);
  const here = held.campaigns('our');
  assert.deepEqual(
    here.map(({ id, wanted, applied, is_whole, bytes, bytes_left, said }) => [
      ...[id, wanted, applied, is_whole, bytes, bytes_left, said?.rank, said?.screen_tags],
    ]),
    [
      ['sale', 1, null, false, 5, 5, undefined, undefined],
      ['stayed', null, 2, true, 0, 0, 'must', ['mall']],
    ],
  );
  assert.deepEqual([held.isLinked('our'), held.isLinked('none')], [true, false]);
  db.write(() => db.raw.exec('UPDATE chain_campaigns SET applied = 1, is_whole = 1'));
  assert.equal(held.campaigns('our')[0]!.is_whole, true);
  assert.deepEqual([held.drop('our', 'none'), held.drop('our', 'stayed')], [undefined, 'Stayed']);
  assert.deepEqual([held.slots('our').length, held.slots('their').length, held.campaigns('their').length], [2, 3, 2]);
});

test('campaign that is being fetched reports its missing bytes, and counts each file once', () => {
  setUp();
  const held = new ManagedStore(db);
  const file = (sha256: string, size: number) => ({ sha256, size, mime: 'image/png' });
  const doc = {
    ...{ rank: 'must', start_time: '2026-01-01T00:00:00' },
    contents: [
      { file: file('a', 10), thumbnail: file('t', 1) },
      { file: file('a', 10), thumbnail: null },
      { file: file('b', 100), thumbnail: file('t', 1) },
    ],
  };
  db.write(() => {
    put(db, 'blobs', { sha256: 'a', size: 10 });
    put(db, 'chain_campaigns', { workspace_id: 'our', campaign: 'sale', wanted: 1, doc: JSON.stringify(doc) });
  });
  const [{ bytes, bytes_left, said }] = held.campaigns('our') as [ReturnType<ManagedStore['campaigns']>[number]];
  assert.deepEqual([bytes, bytes_left, said?.start_time], [111, 101, '2026-01-01T00:00:00']);
});

test('applying campaigns inserts, updates and deletes exactly the records of these campaigns in the workspace', () => {
  setUp();
  const kept = new CampaignsStore(db);
  const fileOf = (letter: string) => ({ sha256: letter.repeat(64), size: 7, mime: 'image/png' });
  const [file, thumbnail] = [fileOf('a'), fileOf('b')];
  db.write(() => {
    for (const { sha256, size, mime } of [file, thumbnail]) put(db, 'blobs', { sha256, size, mime });
  });
  const docOf = (mark: string, more: Partial<CampaignDoc> = {}): CampaignDoc => {
    const base = adventOf(file, {}, mark);
    const [list] = base.playlists as [CampaignDoc['playlists'][number]];
    const [plain, ...rest] = list.items;
    const [layout] = base.layouts as [CampaignDoc['layouts'][number]];
    const second = { ...layout.zones[0]!, id: `a-zone${mark}`, name: 'Second' };
    return {
      ...base,
      screen_tags: ['mall'],
      recurrence: 'FREQ=DAILY',
      contents: [contentOf(`star${mark}`, file, { filename: 'Östern.gif', thumbnail, valid_from: '2026-03-01' })],
      playlists: [
        {
          ...list,
          transition: { kind: 'fade', ms: 5 } as never,
          items: [{ ...plain!, muted: true, transition: { kind: 'cut' } as never }, ...rest],
        },
      ],
      layouts: [{ ...layout, zones: [...layout.zones, second] }],
      ...more,
    };
  };
  const apply = (workspace: string, docs: readonly CampaignDoc[], at = 5, isWhole = true) =>
    db.write(() =>
      kept.apply(
        workspace,
        docs.map((doc) => ({ doc, text: JSON.stringify(doc), isWhole, values: { price: doc.id } })),
        combine(docs, () => true),
        { timezone: 'UTC', at },
      ),
    );
  const want = (workspace: string, docs: readonly CampaignDoc[]) =>
    db.write(() =>
      kept.want(workspace, {
        ...{ rev: 1, values: {}, at: 1 },
        campaigns: docs.map(({ id, edition }) => ({ id, edition, sha256: id, bytes: 1 })),
      }),
    );
  const rows = (sql: string) => db.raw.prepare(sql).raw().all();
  const advent = docOf('');
  for (const [workspace, doc] of [
    ['their', docOf('-t')],
    ['our', advent],
  ] as const) {
    want(workspace, [doc]);
    apply(workspace, [doc]);
  }
  const of = (table: string, columns: string) =>
    rows(`SELECT ${columns}, revision, updated_at FROM ${table} WHERE workspace_id = 'our' ORDER BY id`);
  const CONTENT = 'id, filename, search_name, file_size, sha256, thumbnail, valid_from';
  const star = ['star', 'Östern.gif', 'ostern.gif', 7, file.sha256, thumbnail.sha256, '2026-03-01'];
  assert.deepEqual(of('content', CONTENT), [[...star, 1, 5]]);
  assert.deepEqual(of('widgets', 'id, widget_type, config'), [['advent-clock', 'clock', '{}', 1, 5]]);
  const fade = '{"kind":"fade","ms":5}';
  assert.deepEqual(of('playlists', 'status, published_ms, transition, published_transition'), [
    ['published', 1_000, fade, fade, 1, 5],
  ]);
  assert.deepEqual(of('layouts', 'name, width'), [['Advent layout', 1920, 1, 5]]);
  assert.deepEqual(rows("SELECT id FROM zones WHERE layout_id = 'advent-layout' ORDER BY position"), [
    ['advent-zone'],
    ['a-zone'],
  ]);
  const places = () => rows("SELECT id FROM chain_slots WHERE workspace_id = 'our'");
  assert.deepEqual(places(), [['bakery']]);
  const items = (table: string) =>
    rows(
      `SELECT id, content_id, widget_id, muted, slot_id, transition FROM ${table} WHERE playlist_id = 'advent-list' ORDER BY sort_order`,
    );
  const shown = items('playlist_items');
  assert.deepEqual(
    shown.map((row) => (row as unknown[]).slice(1)),
    [
      ['star', null, 1, null, '{"kind":"cut"}'],
      ['star', null, 0, 'bakery', null],
      [null, 'advent-clock', 0, null, null],
    ],
  );
  assert.deepEqual(items('published_items'), shown);
  const plans = () =>
    rows(
      "SELECT campaign, edition, title, rank, screen_tags, timezone, recurrence FROM campaign_plans WHERE workspace_id = 'our'",
    );
  assert.deepEqual(plans(), [['advent', 1, 'Advent', 'must', '["mall"]', 'UTC', 'FREQ=DAILY']]);
  const records = (workspace: string) =>
    rows(`SELECT kind, id, campaign FROM chain_records WHERE workspace_id = '${workspace}' ORDER BY kind`);
  assert.deepEqual(records('our'), [
    ['content', 'star', 'advent'],
    ['layouts', 'advent-layout', 'advent'],
    ['playlists', 'advent-list', 'advent'],
    ['widgets', 'advent-clock', 'advent'],
  ]);
  const row = (campaign = 'advent') => {
    const found = kept.all('our').find((one) => one.campaign === campaign);
    return found && [found.wanted, found.applied, found.is_whole, found.applied_doc !== null];
  };
  assert.deepEqual([row(), kept.values('our').applied], [[1, 1, 1, true], { advent: { price: 'advent' } }]);

  apply('our', [advent], 6);
  assert.deepEqual([of('content', 'id'), of('widgets', 'id')], [[['star', 1, 5]], [['advent-clock', 1, 5]]]);
  assert.deepEqual([items('playlist_items'), items('published_items')], [shown, shown], 'whoever plays them goes on');
  assert.deepEqual([of('layouts', 'id'), of('playlists', 'id')], [[['advent-layout', 2, 6]], [['advent-list', 2, 6]]]);
  const [list] = advent.playlists as [CampaignDoc['playlists'][number]];
  const offered = docOf('', {
    ...{ edition: 2, rank: 'offer', layouts: [] },
    contents: [contentOf('star', file, { filename: 'New.gif' })],
    widgets: [{ ...advent.widgets[0]!, name: 'Watch' }],
    playlists: [{ ...list, items: [itemOf({ content_id: 'star' })] }],
  });
  apply('our', [offered], 7, false);
  assert.deepEqual(of('content', CONTENT), [['star', 'New.gif', 'new.gif', 7, file.sha256, null, null, 2, 7]]);
  assert.deepEqual(of('widgets', 'name'), [['Watch', 2, 7]]);
  assert.deepEqual([of('layouts', 'id'), plans(), items('published_items').length, places()], [[], [], 1, []]);
  assert.deepEqual(items('published_items'), items('playlist_items'));
  assert.deepEqual([row(), kept.values('our').applied], [[1, 2, 0, true], { advent: { price: 'advent' } }]);

  assert.throws(() => apply('our', [docOf('-t')]), Taken);
  const remote = docOf('', { contents: [contentOf('star', null, { remote_url: 'https://a.test' })] });
  apply('our', [remote], 8);
  assert.deepEqual(of('content', 'remote_url, file_size, sha256'), [['https://a.test', 0, null, 3, 8]]);
  const armed = () => kept.all('our')[0]!.armed_at;
  for (const [workspace, at] of [
    ['their', 2],
    ['our', 3],
    ['our', 4],
  ] as const)
    db.write(() => kept.setArmed(workspace, workspace === 'our' ? 'advent' : 'advent-t', at));
  assert.deepEqual([armed(), kept.values('none')], [3, { wanted: {}, applied: {} }]);
  const theirs = records('their');
  apply('our', []);
  assert.deepEqual([records('our'), of('content', 'id'), row()], [[], [], [1, null, 0, false]], 'it is wanted still');
  apply('our', [advent]);
  want('our', []);
  assert.deepEqual(row(), [null, 1, 1, true]);
  apply('our', [advent]);
  assert.deepEqual(row(), [null, 1, 1, true], 'screens have it until it is over there');
  apply('our', []);
  assert.deepEqual([row(), plans(), places()], [undefined, [], []]);
  assert.deepEqual([records('their'), theirs.length], [theirs, 4]);
  assert.equal(rows("SELECT 1 FROM campaign_plans WHERE workspace_id = 'their'").length, 1);
  assert.deepEqual(rows('SELECT * FROM chain_applying'), []);
});

test('files of a campaign stay recorded while its wanted or its applied edition needs them', () => {
  setUp();
  const kept = new CampaignsStore(db);
  const file = (sha256: string) => ({ sha256, size: 1, mime: 'image/png' });
  const want = (workspace: string, edition: number, campaigns = ['sale', 'more']) =>
    kept.want(workspace, {
      ...{ rev: edition, values: {}, at: 1 },
      campaigns: campaigns.map((id) => ({ id, edition, sha256: `${id}${edition}`, bytes: 1 })),
    });
  const come = (workspace: string, id: string, hashes: readonly string[]) =>
    kept.setDoc(workspace, { id, name: id } as CampaignDoc, JSON.stringify(hashes), hashes.map(file));
  const files = (workspace: string) =>
    db.raw
      .prepare("SELECT campaign || ' ' || sha256 FROM chain_files WHERE workspace_id = ? ORDER BY 1")
      .pluck()
      .all(workspace);
  db.write(() => {
    for (const workspace of ['our', 'their']) {
      want(workspace, 1);
      come(workspace, 'sale', ['first', 'both']);
      come(workspace, 'more', ['both']);
    }
  });
  const ALL = ['more both', 'sale both', 'sale first'];
  assert.deepEqual(files('our'), ALL);
  db.write(() => {
    db.raw.exec("UPDATE chain_campaigns SET applied = 1, applied_doc = doc WHERE campaign = 'sale'");
    want('our', 2);
  });
  assert.deepEqual(files('our'), ['sale both', 'sale first'], 'what screens have');
  db.write(() => {
    come('our', 'sale', ['second']);
    db.raw.exec(
      "UPDATE chain_campaigns SET applied_doc = doc, applied = 2 WHERE workspace_id = 'our' AND campaign = 'sale'",
    );
    come('our', 'more', ['both']);
    want('our', 2);
  });
  assert.deepEqual(files('our'), ['more both', 'sale second'], 'each campaign’s own');
  db.write(() => want('our', 3, ['sale']));
  assert.deepEqual([files('our'), files('their')], [['sale second'], ALL]);
});
