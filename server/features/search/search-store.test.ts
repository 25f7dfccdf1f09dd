import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SearchKind } from '../../../shared/contract/server/search.ts';
import { openDatabase } from '../../db/open.ts';
import { put as insert } from '../../db/testing/put.ts';
import { Bus } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { Names } from './names.ts';
import { SearchService } from './search.service.ts';
import { type KeptKind, type NameRow, SearchStore, type WordKind } from './search.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const put = (table: string, row: Record<string, unknown>) => insert(db, table, row);
const aged = (created_at = 0) => ({ created_at, updated_at: 0 });

/**
 * Makes a workspace with some records of each kind, whose ids end with the id of the workspace. The older of two
 * records has the later id.
 */
const furnish = (w: string) => {
  addWorkspace(db, w);
  const own = (name: string) => `${name}-${w}`;
  put('folders', { id: own('folder'), workspace_id: w, name: 'Spring', created_at: 0 });
  put('blobs', { sha256: own('thumb'), size: 1, mime: 'image/webp', created_at: 0 });
  for (const [id, name, age, more] of [
    ['c3', 'Apple pie.gif', 1, { thumbnail: own('thumb'), folder_id: own('folder'), folder: 'label' }],
    ['c2', 'Apple.gif', 2, { folder: 'label' }],
    ['c1', 'Pear apple.mp4', 2, { kind: 'video' }],
  ] as const)
    put('content', {
      id: own(id),
      workspace_id: w,
      filename: name,
      search_name: name.toLowerCase(),
      mime_type: 'x',
      kind: 'image',
      ...aged(age),
      ...more,
    });
  for (const id of ['d2', 'd1']) addDevice(db, w, own(id));
  for (const [device, tag] of [
    ['d1', 'till'],
    ['d2', 'till'],
    ['d1', 'door'],
  ] as const)
    put('device_tags', { device_id: own(device), tag });
  for (const [id, devices] of [
    ['g2', ['d1', 'd2']],
    ['g1', ['d1']],
  ] as const) {
    put('groups', { id: own(id), workspace_id: w, name: own(id), created_at: 0 });
    for (const device of devices) put('group_members', { group_id: own(id), device_id: own(device) });
  }
  put('playlists', { id: own('p2'), workspace_id: w, name: 'Offers', description: 'weekly', ...aged() });
  put('playlists', { id: own('p1'), workspace_id: w, name: 'Own', owner_device_id: own('d1'), ...aged() });
  for (const [content_id, sort_order] of [
    [own('c3'), 2],
    [own('c2'), 1],
  ] as const)
    put('playlist_items', { playlist_id: own('p2'), content_id, sort_order, duration_sec: 1 });
  put('widgets', { id: own('w1'), workspace_id: w, name: 'Clock', widget_type: 'clock', config: '{}', ...aged() });
  put('layouts', { id: own('l1'), workspace_id: w, name: 'Halves', width: 1, height: 1, ...aged() });
  put('walls', { id: own('a1'), workspace_id: w, name: 'Wall', created_at: 0 });
  put('wall_members', { device_id: own('d1'), wall_id: own('a1'), grid_col: 0, grid_row: 0 });
  put('kiosk_pages', { id: own('k1'), workspace_id: w, name: 'Till', config: '{}', ...aged() });
  for (const [id, shown] of [
    ['s1', { title: 'Titled', playlist_id: own('p2') }],
    ['s2', { playlist_id: own('p2') }],
    ['s3', { content_id: own('c2') }],
    ['s4', { widget_id: own('w1') }],
    ['s5', { layout_id: own('l1') }],
    ['s6', {}],
  ] as const)
    put('plans', { id: own(id), workspace_id: w, start_time: '', end_time: '', timezone: 'UTC', ...aged(), ...shown });
  put('users', { id: own('u1'), email: `bea@${w}`, name: 'Bea', plan_id: '', created_at: 0 });
  put('workspace_members', { workspace_id: w, user_id: own('u1'), role: 'workspace_editor', created_at: 0 });
};

const WORKSPACES = ['w', 'v'];
const store = new SearchStore(db);
for (const id of WORKSPACES) furnish(id);
put('layouts', {
  id: 'template',
  workspace_id: null,
  name: 'Template',
  width: 1,
  height: 1,
  is_template: 1,
  ...aged(),
});

/** Expected names of each kind in a workspace, oldest first. */
const namesIn = (w: string): Record<Exclude<KeptKind, WordKind>, string[]> => ({
  device: [`d2-${w} d2-${w}`, `d1-${w} d1-${w}`],
  folder: [`folder-${w} Spring`],
  group: [`g2-${w} g2-${w}`, `g1-${w} g1-${w}`],
  playlist: [`p2-${w} Offers`, `p1-${w} Own unlisted`],
  widget: [`w1-${w} Clock`],
  layout: [`l1-${w} Halves`, 'template Template'],
  wall: [`a1-${w} Wall`],
  kiosk: [`k1-${w} Till`],
  plan: ['Titled', 'Offers', 'Apple.gif', 'Clock', 'Halves', ''].map((name, i) => `s${i + 1}-${w} ${name}`),
  person: [`u1-${w} Bea bea@${w}`],
});

test('names of each kind are read per workspace, with templates, in the order of creation', () => {
  const said = (rows: readonly NameRow[]) =>
    rows.map(({ id, name, also, unlisted }) => `${id} ${name}${also ? ` ${also}` : ''}${unlisted ? ' unlisted' : ''}`);
  for (const workspace of WORKSPACES) {
    const expected = namesIn(workspace);
    for (const kind of Object.keys(expected) as (keyof typeof expected)[]) {
      const all = store.names(workspace, kind, -1, 100);
      assert.deepEqual(said(all), expected[kind], kind);
      assert.deepEqual(store.names(workspace, kind, -1, 1), all.slice(0, 1));
      assert.deepEqual(store.names(workspace, kind, all[0]!.rowid, 100), all.slice(1));
      const ids = WORKSPACES.flatMap((id) => store.names(id, kind, -1, 100)).map(({ id }) => id);
      assert.deepEqual(said(store.namesOf(workspace, kind, ids)).toSorted(), expected[kind].toSorted(), kind);
      assert.deepEqual(store.namesOf(workspace, kind, []), []);
    }
    assert.deepEqual(
      store.words(workspace, 'tag').map(({ id, name }) => [id, name]),
      [
        ['door', 'door'],
        ['till', 'till'],
      ],
    );
    assert.deepEqual(store.words(workspace, 'label'), [{ id: 'label', name: 'label' }]);
  }
});

test('contents are found per workspace by words of their names, newest first, and by prefix, in order of names', () => {
  for (const w of WORKSPACES) {
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id.split('-')[0]);
    assert.deepEqual(ids(store.newestContents(w, 9)), ['c2', 'c1', 'c3'], 'of one age the later id');
    assert.deepEqual(ids(store.newestContents(w, 2)), ['c2', 'c1']);
    assert.equal(store.countContents(w), 3);
    assert.deepEqual(ids(store.contentsOf(w, ['c1-w', 'c1-v', 'none'])), ['c1']);
    assert.deepEqual(ids(store.contentsBeginning(w, 'apple', 9)), ['c3', 'c2'], '“apple ” comes before “apple.”');
    assert.deepEqual(ids(store.contentsBeginning(w, 'apple', 1)), ['c3']);
    assert.deepEqual(ids(store.contentsBeginning(w, 'apple.gif', 9)), ['c2']);
    const found = (...words: string[]) => {
      const { newest, total } = store.contentsWith(w, words);
      assert.equal(total, newest.length);
      return ids(newest);
    };
    assert.deepEqual(
      [found('apple'), found('apple', 'p'), found('pie', 'apple'), found('pie', 'pear')],
      [['c2', 'c1', 'c3'], ['c2', 'c1', 'c3'], ['c3'], []],
    );
  }
});

test('if more contents match, only the newest thousand are ranked, but all matches are counted', () => {
  addWorkspace(db, 'large');
  const add = (count: number) =>
    db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
         INSERT INTO content (id, workspace_id, filename, search_name, mime_type, kind, created_at, updated_at)
         SELECT 'm' || @count || i, 'large', 'm', 'm', 'x', 'image', i, 0 FROM n`,
      )
      .run({ count });
  const counts = () => {
    const { newest, total } = store.contentsWith('large', ['m']);
    return [newest.length, total];
  };
  add(999);
  assert.deepEqual(counts(), [999, 999]);
  add(1);
  assert.deepEqual(counts(), [1_000, 1_000]);
  add(2);
  assert.deepEqual(counts(), [1_000, 1_002]);
});

test('a search hit has details only from its own workspace', () => {
  for (const w of WORKSPACES) {
    const own = (id: string) => `${id}-${w}`;
    const thumbnail = `/api/content/${own('c3')}/thumbnail`;
    const told: Partial<Record<SearchKind, Record<string, object>>> = {
      device: { [own('d1')]: { hint: `g2-${w}, g1-${w}` }, [own('d2')]: { hint: `g2-${w}` } },
      group: { [own('g1')]: { screens: 1 }, [own('g2')]: { screens: 2 } },
      tag: { door: { screens: 1 }, till: { screens: 2 } },
      playlist: { [own('p2')]: { hint: 'weekly', thumbnail }, [own('p1')]: { hint: '', thumbnail: null } },
      content: {
        [own('c3')]: { hint: 'Spring', type: 'image', thumbnail },
        [own('c2')]: { hint: 'label', type: 'image', thumbnail: null },
        [own('c1')]: { hint: '', type: 'video', thumbnail: null },
      },
      widget: { [own('w1')]: { type: 'clock' } },
      layout: { [own('l1')]: { type: '' }, template: { type: 'template' } },
      wall: { [own('a1')]: { screens: 1 } },
      person: { [own('u1')]: { hint: `bea@${w}`, type: 'workspace_editor' } },
      kiosk: {},
    };
    for (const [kind, details] of Object.entries(told) as [SearchKind, Record<string, object>][]) {
      assert.deepEqual(Object.fromEntries(store.details(w, kind, Object.keys(details))), details, kind);
      assert.deepEqual([...store.details(w, kind, [])], []);
    }
    assert.deepEqual([...store.details(w, 'person', [`u1-${w === 'w' ? 'v' : 'w'}`])], []);
    assert.deepEqual([...store.membersOf([own('g1'), 'none'])], [own('d1')]);
    assert.deepEqual([...store.membersOf([own('g1'), own('g2')])].toSorted(), [own('d1'), own('d2')]);
  }
});

test('in a search of records to change, a member limited to groups finds only these groups and their screens', async () => {
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const service = new SearchService({ store, names: new Names({ db, bus, store }) });
  const actor = { workspaceId: 'w', via: 'session', limits: null } as WorkspaceActor;
  const limited = (groupIds: string[] | null): WorkspaceActor => ({
    ...actor,
    limits: { duty: 'all', folderIds: null, groupIds },
  });
  const kinds = ['device', 'group', 'tag', 'playlist', 'content'] as const;
  const found = async (who: WorkspaceActor, mine: boolean, q = '', limit = 9) => {
    const { hits, total } = await service.search(who, { q, kinds: [...kinds], ids: [], limit, mine });
    return { ids: hits.map(({ id }) => id.split('-')[0]), total };
  };
  const all = { ids: ['d1', 'd2', 'g1', 'g2', 'door', 'till', 'p2', 'c2', 'c1', 'c3'], total: 10 };
  for (const who of [actor, limited(null)]) assert.deepEqual(await found(who, true), all);
  assert.deepEqual(await found(limited(['g1-w']), false), all);
  assert.deepEqual(await found(limited(['g1-w']), true), { ids: ['d1', 'g1', 'p2', 'c2', 'c1', 'c3'], total: 6 });
  assert.deepEqual(await found(limited([]), true, '', 1), { ids: ['p2', 'c2'], total: 4 });
  assert.deepEqual(await found(limited(['g2-w']), true, 'd'), { ids: ['d1', 'd2'], total: 2 });
  assert.deepEqual(await found(limited(['g1-w']), true, 'd'), { ids: ['d1'], total: 1 });
  assert.deepEqual(await found(actor, false, '', 1), { ids: ['d1', 'g1', 'door', 'p2', 'c2'], total: 10 });
  assert.deepEqual(await found(actor, false, 'apple', 2), { ids: ['c3', 'c2'], total: 3 });
  const byId = await service.search(actor, {
    q: '',
    kinds: ['group', 'content', 'person'],
    ids: ['c1-w', 'g2-w', 'u1-w', 'g1-v', 'c1-v'],
    limit: 1,
    mine: false,
  });
  assert.deepEqual(
    [byId.hits.map(({ id, name }) => [id, name]), byId.total],
    [
      [
        ['g2-w', 'g2-w'],
        ['c1-w', 'Pear apple.mp4'],
        ['u1-w', 'Bea'],
      ],
      3,
    ],
  );
  const one = await service.search(actor, { q: '', kinds: ['group'], ids: ['g1-w'], limit: 9, mine: false });
  assert.deepEqual([one.hits.map(({ id }) => id), one.total], [['g1-w'], 1]);
  const people = { q: 'bea', kinds: ['device', 'person'] as SearchKind[], ids: [], limit: 9, mine: false };
  assert.equal((await service.search(actor, people)).total, 1);
  assert.equal((await service.search({ ...actor, via: 'token' }, people)).total, 0, 'people are for sessions');
  assert.equal((await service.search({ ...actor, via: 'token' }, { ...people, q: 'd' })).total, 2);
  const [hit] = byId.hits;
  assert.deepEqual(hit, { kind: 'group', id: 'g2-w', name: 'g2-w', hint: '', type: '', thumbnail: null, screens: 2 });
});
