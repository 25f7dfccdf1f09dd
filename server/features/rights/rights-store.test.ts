import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { everything, on } from '../../../shared/contract/acts.ts';
import { endpointsOf, read, write } from '../../../shared/contract/endpoint.ts';
import { openDatabase } from '../../db/open.ts';
import { put as insert } from '../../db/testing/put.ts';
import type { Limits, WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { RightsService } from './rights.service.ts';
import { type Named, RightsStore } from './rights.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const store = new RightsStore(db);
const put = (table: string, row: Record<string, unknown>) => insert(db, table, row);
const made = { created_at: 0, updated_at: 0 };
const asContent = (id: string, workspace_id: string, folder_id: string | null = null) =>
  put('content', {
    id,
    workspace_id,
    folder_id,
    filename: `${id}.gif`,
    mime_type: 'image/gif',
    kind: 'image',
    ...made,
  });
const asWidget = (id: string, workspace_id: string, config = '{}') =>
  put('widgets', { id, workspace_id, name: id, widget_type: 'clock', config, ...made });
const asPlaylist = (id: string, workspace_id: string, owner_device_id: string | null = null) =>
  put('playlists', { id, workspace_id, name: id, owner_device_id, ...made });
const asItem = (id: number, playlist_id: string, shown: object, table = 'playlist_items') =>
  put(table, { id, playlist_id, sort_order: 0, duration_sec: 1, ...shown });
const asPlan = (id: string, workspace_id: string, shown: object) =>
  put('plans', { id, workspace_id, start_time: '', end_time: '', timezone: 'UTC', ...shown, ...made });
const asLayout = (id: string, workspace_id: string) =>
  put('layouts', { id, workspace_id, name: id, width: 1, height: 1, ...made });
const asZone = (id: string, layout_id: string, shown: object) =>
  put('zones', {
    id,
    layout_id,
    position: 0,
    name: id,
    x_percent: 0,
    y_percent: 0,
    width_percent: 1,
    height_percent: 1,
    ...shown,
  });

/** Two workspaces. Every kind of record exists once in each, with an id that ends with the workspace. */
const WORKSPACES = ['w', 'v'] as const;
type Workspace = (typeof WORKSPACES)[number];
/** First ids of items in each workspace. Ids of items are numbers. */
const FIRST = { w: 10, v: 20 } as const;
for (const w of WORKSPACES) {
  addWorkspace(db, w);
  const own = (name: string) => `${name}-${w}`;
  const folder = (id: string, parent_id: string | null) =>
    put('folders', { id: own(id), workspace_id: w, parent_id, name: own(id), created_at: 0 });
  folder('top', null);
  folder('mid', own('top'));
  folder('low', own('mid'));
  folder('side', null);
  asContent(own('deep'), w, own('low'));
  asContent(own('root'), w);
  for (const id of ['left', 'right', 'door']) addDevice(db, w, own(id));
  for (const [device, tag] of [
    ['left', 'Till'],
    ['right', 'till'],
    ['door', 'Door'],
  ] as const)
    put('device_tags', { device_id: own(device), tag });
  for (const [group, members, rule_tags] of [
    ['tills', ['left', 'right'], '["till","door"]'],
    ['doors', ['door'], '["door"]'],
  ] as const) {
    put('groups', { id: own(group), workspace_id: w, name: own(group), rule_tags, created_at: 0 });
    for (const member of members) put('group_members', { group_id: own(group), device_id: own(member) });
  }
  put('walls', { id: own('wall'), workspace_id: w, name: own('wall'), content_id: own('root'), created_at: 0 });
  put('walls', { id: own('bare'), workspace_id: w, name: own('bare'), created_at: 0 });
  for (const device of ['left', 'right'])
    put('wall_members', { device_id: own(device), wall_id: own('wall'), grid_col: 0, grid_row: 0 });
  asWidget(own('clock'), w, `{"page":"${own('till')}","picture":"${own('root')}"}`);
  put('kiosk_pages', {
    id: own('till'),
    workspace_id: w,
    name: own('till'),
    config: `{"x":"${own('clock')}"}`,
    ...made,
  });
  asPlaylist(own('list'), w);
  asPlaylist(own('own'), w, own('left'));
  asItem(FIRST[w], own('list'), { content_id: own('deep') });
  asItem(FIRST[w] + 1, own('own'), { content_id: own('deep') });
  asItem(FIRST[w] + 2, own('list'), { content_id: own('deep') });
  asItem(FIRST[w], own('list'), { content_id: own('deep'), slot_id: own('slot') }, 'published_items');
  asLayout(own('halves'), w);
  asZone(own('zone'), own('halves'), { content_id: own('deep') });
  asZone(own('other'), own('halves'), { widget_id: own('clock') });
  asPlan(own('plan'), w, { content_id: own('deep') });
  put('plan_targets', { plan_id: own('plan'), position: 0, kind: 'group', ref: own('tills') });
  put('schedules', {
    id: own('schedule'),
    workspace_id: w,
    plan_id: own('plan'),
    start_time: '',
    end_time: '',
    timezone: 'UTC',
    ...made,
  });
  put('publish_requests', {
    id: own('request'),
    workspace_id: w,
    playlist_id: own('list'),
    revision: 1,
    user_name: '',
    created_at: 0,
  });
  const targets = { ids: `${own('left')} ${own('right')}`, words: `[{"kind":"group","id":"${own('tills')}"}]` };
  put('messages', {
    id: own('message'),
    workspace_id: w,
    message: '{}',
    targets: JSON.stringify(targets),
    user_name: '',
    created_at: 0,
  });
  put('messages', {
    id: own('silent'),
    workspace_id: w,
    message: '{}',
    targets: '{"words":"[]"}',
    user_name: '',
    created_at: 0,
  });
  put('alerts', { id: own('alert'), workspace_id: w, kind: 'screen_offline', ref: own('left'), since: 0 });
  db.raw.exec(`
    UPDATE devices SET playlist_id = 'list-${w}' WHERE id = 'left-${w}';
    UPDATE devices SET layout_id = 'halves-${w}', default_content_id = 'deep-${w}' WHERE id = 'door-${w}';
    UPDATE "groups" SET default_content_id = 'root-${w}' WHERE id = 'doors-${w}'`);
}

/** Returns the answers that `workspace` gets about records of the workspace `of`. */
const asked = (workspace: Workspace, of: Workspace) => {
  const own = (name: string) => `${name}-${of}`;
  const kinds: [Named, string][] = [
    ['content', 'deep'],
    ['folder', 'low'],
    ['screen', 'left'],
    ['group', 'tills'],
    ['playlist', 'list'],
    ['layout', 'halves'],
    ['widget', 'clock'],
    ['kiosk', 'till'],
    ['wall', 'wall'],
  ];
  return {
    names: kinds.map(([kind, id]) => store.nameOf(kind, workspace, own(id))),
    folders: ['deep', 'root'].map((id) => store.folderOf(workspace, own(id))),
    parents: ['top', 'mid'].map((id) => store.parentOf(workspace, own(id))),
    within: ['top', 'mid', 'low', 'side'].map((id) => store.isWithin(workspace, own(id), [own('mid'), 'none'])),
    full: ['top', 'low', 'side'].map((id) => store.hasContents(workspace, own(id))),
    members: [...store.membersOf(workspace, [own('tills'), own('none')])].toSorted(),
    item: [0, 1, 2].map((n) => store.itemOf(workspace, FIRST[of] + n)),
    request: store.playlistOfRequest(workspace, own('request')),
    slot: store.playlistOfSlot(workspace, own('slot')),
    plan: store.plan(workspace, own('plan')),
    planOf: store.planOfSchedule(workspace, own('schedule')),
    message: ['message', 'silent'].map((id) => store.message(workspace, own(id))),
    alert: store.alert(workspace, own('alert')),
    naming: ['till', 'clock', 'root'].map((id) => store.naming(workspace, own(id))),
  };
};

test('queries return data of their own workspace, and nothing of another workspace', () => {
  for (const of of WORKSPACES) {
    const own = (name: string) => `${name}-${of}`;
    assert.deepEqual(asked(of, of), {
      names: ['deep', 'low', 'left', 'tills', 'list', 'halves', 'clock', 'till', 'wall'].map((id) =>
        id === 'deep' ? `${own(id)}.gif` : own(id),
      ),
      folders: [own('low'), null],
      parents: [null, own('top')],
      within: [false, true, true, false],
      full: [true, true, false],
      members: [own('left'), own('right')],
      item: [
        { playlistId: own('list'), owner: null, isPublished: 1 },
        { playlistId: own('own'), owner: own('left'), isPublished: 0 },
        { playlistId: own('list'), owner: null, isPublished: 0 },
      ],
      request: own('list'),
      slot: own('list'),
      plan: { content_id: own('deep'), widget_id: null, targets: [{ kind: 'group', id: own('tills') }] },
      planOf: own('plan'),
      message: [
        { deviceIds: [own('left'), own('right')], targets: [{ kind: 'group', id: own('tills') }] },
        { deviceIds: [], targets: [] },
      ],
      alert: { kind: 'screen_offline', ref: own('left') },
      naming: [
        { widgets: [own('clock')], kiosk: [], designs: [] },
        { widgets: [], kiosk: [own('till')], designs: [] },
        { widgets: [own('clock')], kiosk: [], designs: [] },
      ],
    });
    const nothing = { widgets: [], kiosk: [], designs: [] };
    assert.deepEqual(asked(of === 'w' ? 'v' : 'w', of), {
      names: Array(9).fill(undefined),
      folders: [undefined, undefined],
      parents: [undefined, undefined],
      within: [false, false, false, false],
      full: [false, false, false],
      members: [],
      item: [undefined, undefined, undefined],
      request: undefined,
      slot: undefined,
      plan: undefined,
      planOf: undefined,
      message: [undefined, undefined],
      alert: undefined,
      naming: [nothing, nothing, nothing],
    });
    const other = of === 'w' ? 'v' : 'w';
    assert.deepEqual(store.names('folder', of, [own('side'), `top-${other}`, 'none', own('top')]), [
      own('side'),
      own('top'),
    ]);
    assert.deepEqual(store.tagged(of, 'TILL').toSorted(), [own('left'), own('right')]);
    assert.deepEqual(store.ruleTags(of).toSorted(), ['door', 'till']);
    assert.deepEqual([store.tagsOf(own('left')), store.tagsOf(own('none'))], [['Till'], []]);
    assert.deepEqual(store.panels(own('wall')).toSorted(), [own('left'), own('right')]);
    assert.deepEqual([store.wallOf(own('left')), store.wallOf(own('door'))], [own('wall'), undefined]);
    assert.deepEqual(
      [store.assignedTo('playlist_id', own('list')), store.assignedTo('layout_id', own('halves'))],
      [[own('left')], [own('door')]],
    );
    assert.deepEqual(
      (['left', 'door'] as const).map((id) => store.fallbackOf('device', own(id))),
      [null, own('deep')],
    );
    assert.deepEqual(
      (['tills', 'doors', 'none'] as const).map((id) => store.fallbackOf('group', own(id))),
      [null, own('root'), null],
    );
    assert.deepEqual(
      ['wall', 'bare', 'none'].map((id) => store.contentOfWall(own(id))),
      [own('root'), null, null],
    );
    assert.deepEqual(
      ['zone', 'other', 'none'].map((id) => store.zone(own('halves'), own(id))),
      [{ content_id: own('deep'), widget_id: null }, { content_id: null, widget_id: own('clock') }, undefined],
    );
    assert.equal(store.zone(`halves-${other}`, own('zone')), undefined);
  }
});

test('contents and widgets count as used wherever a screen shows them, now or without another decision', () => {
  let n = 100;
  asPlaylist('draft-w', 'w');
  const campaign = (id: string, state: string) => ({
    ...{ id, workspace_id: 'w', name: id, rank: 'must', state, changed_by: '', created_at: 0, updated_at: 0 },
    body: JSON.stringify({ slots: [{ content_id: null }, { content_id: `slot-${state}` }] }),
  });
  const shown = { content: 'content_id', widget: 'widget_id' } as const;
  const places = (id: string, column: (typeof shown)[keyof typeof shown]): (() => unknown)[] => [
    () => asItem(n, 'own-w', { [column]: id }, 'published_items'),
    () => asZone(`${n}`, 'halves-w', { [column]: id }),
    () => asPlan(`${n}`, 'w', { [column]: id }),
    () => asItem(n, 'list-w', { [column]: id }),
    // The draft of a screen's own playlist is published by the next edit of the screen.
    () => asItem(n, 'own-w', { [column]: id }),
  ];
  const ofContent = (id: string) => [
    () => put('walls', { id: `${n}`, workspace_id: 'w', name: '', content_id: id, created_at: 0 }),
    ...['devices', '"groups"', 'workspaces'].map(
      (table) => () => db.raw.prepare(`UPDATE ${table} SET default_content_id = ?`).run(id),
    ),
    ...['logo_content_id', 'logo_dark_content_id'].map(
      (column) => () => db.raw.prepare(`UPDATE workspaces SET ${column} = ?`).run(id),
    ),
  ];
  for (const what of ['content', 'widget'] as const) {
    const count = places('', shown[what]).length + (what === 'content' ? ofContent('').length : 0);
    for (let place = 0; place < count; place++) {
      const id = `stands-${n++}`;
      if (what === 'content') asContent(id, 'w');
      else asWidget(id, 'w');
      assert.equal(store.stands(what, id), false);
      // A record in an ordinary draft is not used.
      asItem(1_000 + n, 'draft-w', { [shown[what]]: id });
      assert.equal(store.stands(what, id), false);
      [...places(id, shown[what]), ...ofContent(id)][place]!();
      assert.equal(store.stands(what, id), true, `${what} ${place}`);
    }
  }
  asContent('decided', 'w');
  db.raw.exec("UPDATE publish_requests SET state = 'refused'");
  asItem(++n, 'list-w', { content_id: 'decided' });
  assert.equal(store.stands('content', 'decided'), false);
  for (const state of ['waiting', 'running', 'draft', 'stopped']) {
    put('hq_campaigns', campaign(state, state));
    const isIn = state === 'waiting' || state === 'running';
    assert.equal(store.stands('content', `slot-${state}`), isIn, `a place of a campaign that is ${state}`);
  }
});

const NO_BIN = { concerns: () => undefined, usesOf: () => ({ shownIn: undefined, makers: [], earlier: [] }) };
const service = (shownOn: readonly string[] = []) =>
  new RightsService({ store, programs: { devicesMadeOf: () => [...shownOn] }, bin: NO_BIN });
const actor = { workspaceId: 'w', userId: 'u', limits: null, needsApproval: false } as unknown as WorkspaceActor;
const limitedTo = (limits: Partial<Limits>): WorkspaceActor => ({
  ...actor,
  limits: { duty: 'all', folderIds: null, groupIds: null, ...limits },
});

test('the list of refused records names each record outside any of the member’s rights, and no other record', () => {
  const codes = (
    who: WorkspaceActor,
    kind: 'content' | 'widget' | 'kiosk' | 'playlist' | 'screen',
    ids: string[],
    on: string[] = [],
  ) =>
    service(on)
      .hindrances(who, kind, ids)
      .map(({ id, code, reason }) => {
        assert.ok(reason);
        return `${id} ${code}`;
      });
  const [deep, root] = ['deep-w', 'root-w'];
  assert.deepEqual(codes(actor, 'content', [deep, root], ['door-w']), []);
  const inMid = limitedTo({ folderIds: ['mid-w'] });
  assert.deepEqual(codes(inMid, 'content', [deep, root, 'none', 'deep-v']), [`${root} outside_rights`]);
  const ofTills = limitedTo({ groupIds: ['tills-w'] });
  assert.deepEqual(codes(ofTills, 'content', [deep], ['left-w']), []);
  assert.deepEqual(codes(ofTills, 'content', [deep], ['left-w', 'door-w']), [`${deep} outside_rights`]);
  assert.deepEqual(codes(ofTills, 'screen', ['left-w', 'door-w']), ['door-w outside_rights']);
  const unapproved = { ...actor, needsApproval: true };
  asContent('unseen', 'w');
  asWidget('idle', 'w');
  assert.deepEqual(codes(unapproved, 'content', [deep, 'unseen'], ['door-w']), [`${deep} approval_required`]);
  assert.deepEqual(codes(unapproved, 'widget', ['clock-w', 'idle']), ['clock-w approval_required']);
  assert.deepEqual(codes(unapproved, 'kiosk', ['till-w']), ['till-w approval_required'], 'a widget has it in it');
  assert.deepEqual(codes(unapproved, 'playlist', ['list-w']), [], 'that is what is approved');
  const both = { ...inMid, needsApproval: true };
  assert.deepEqual(codes(both, 'content', [deep, root]), [`${deep} approval_required`, `${root} outside_rights`]);
  const broken = new RightsService({
    store,
    programs: {
      devicesMadeOf: () => {
        throw new Error('no programs');
      },
    },
    bin: NO_BIN,
  });
  assert.throws(() => broken.hindrances(ofTills, 'content', [deep]), /no programs/);
});

test('a reading endpoint is not checked, and a writing endpoint is checked for each declared act and shown record', () => {
  const endpoint = endpointsOf('Test');
  const declared = {
    name: 'x',
    summary: '',
    acts: () => [on('screen', 'left-w'), everything],
    shows: () => [{ by: 'itself' as const }],
  };
  const asked = { params: {}, query: {}, body: undefined };
  const status = (at: Parameters<RightsService['require']>[0], who: Partial<WorkspaceActor>) => {
    try {
      service().require(at, { ...actor, ...who }, asked);
      return 'may';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  const reading = endpoint('GET /api/x', { ...declared, access: read } as never);
  const writing = endpoint('POST /api/x', { ...declared, access: write });
  const one = endpoint('POST /api/x', {
    ...declared,
    access: write,
    acts: () => [on('screen', 'left-w')],
    shows: () => [],
  });
  const { limits } = limitedTo({ groupIds: ['tills-w'] });
  assert.deepEqual([status(reading, { limits, needsApproval: true }), status(writing, {})], ['may', 'may']);
  assert.deepEqual(
    [
      status(writing, { limits }),
      status(writing, { needsApproval: true }),
      status(one, { limits, needsApproval: true }),
    ],
    ['outside_rights', 'approval_required', 'may'],
  );
  const nowhere = { workspaceId: null, limits, needsApproval: true } as never;
  assert.equal(status(writing, nowhere), 'may', 'who is in no workspace is stopped elsewhere');
});
