/**
 * Tests that queries for programs read records of one workspace only, and return items in the order that people have
 * set.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../db/open.ts';
import { put } from '../db/testing/put.ts';
import { addDevice, addWorkspace } from '../features/reports/testing/plays.ts';
import { ProgramHistoryStore } from './program-history.store.ts';
import { ProgramsStore } from './programs.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());

/** Creates two workspaces with equal records. Each id starts with the name of the workspace. */
const setUp = () => {
  db.write(() =>
    db.raw.exec('DELETE FROM organizations; DELETE FROM layouts; DELETE FROM blobs; DELETE FROM settings'),
  );
  for (const workspace_id of ['our', 'their']) {
    addWorkspace(db, workspace_id);
    const id = (name: string) => `${workspace_id}-${name}`;
    for (const name of ['a', 'b']) addDevice(db, workspace_id, id(name));
    db.write(() => {
      put(db, 'blobs', { sha256: id('file'), mime: 'image/webp' });
      put(db, 'content', { id: id('content'), workspace_id, filename: 'Photo', mime_type: 'image/png', kind: 'image' });
      put(db, 'content', { id: id('stored'), workspace_id, mime_type: 'image/png', sha256: id('file'), kind: 'image' });
      put(db, 'widgets', { id: id('widget'), workspace_id, name: 'Clock', widget_type: 'clock', config: '{"a":1}' });
      put(db, 'playlists', { id: id('playlist'), workspace_id, name: 'P', published_transition: '{"kind":"cut"}' });
      put(db, 'playlists', { id: id('plain'), workspace_id, name: 'Q' });
      for (const [i, name] of ['widget', 'content', 'none'].entries())
        put(db, 'published_items', {
          ...{ id: workspace_id === 'our' ? 9 - i : 19 - i, playlist_id: id('playlist'), sort_order: i === 2 ? 1 : i },
          ...{ content_id: name === 'content' ? id(name) : null, widget_id: name === 'widget' ? id(name) : null },
          ...{ muted: i === 0 ? 1 : 0, blocks: '[]', transition: i === 0 ? '{"kind":"fade"}' : null },
        });
      put(db, 'layouts', { id: id('layout'), workspace_id, name: 'L' });
      for (const [i, name] of ['z2', 'z1', 'z0'].entries())
        put(db, 'zones', { id: id(name), layout_id: id('layout'), position: i === 0 ? 0 : 1 });
      put(db, 'groups', { id: id('group'), workspace_id, playlist_id: id('plain') });
      put(db, 'groups', { id: id('later'), workspace_id, default_content_id: id('content') });
      for (const [group, device] of [
        ['later', 'b'],
        ['group', 'a'],
        ['later', 'a'],
      ] as const)
        put(db, 'group_members', { group_id: id(group), device_id: id(device) });
      put(db, 'walls', { id: id('wall'), workspace_id, grid_cols: 2 });
      put(db, 'wall_members', { wall_id: id('wall'), device_id: id('a'), grid_row: 1, grid_col: 0 });
      put(db, 'wall_members', { wall_id: id('wall'), device_id: id('b'), grid_row: 0, grid_col: 1 });
      for (const [name, enabled, created_at] of [
        ['s2', 1, 5],
        ['s1', 1, 5],
        ['off', 0, 1],
        ['s3', 1, 4],
      ] as const) {
        put(db, 'plans', { id: id(name), workspace_id, revision: 7 });
        put(db, 'schedules', {
          id: id(name),
          plan_id: id(name),
          workspace_id,
          enabled,
          created_at,
          device_id: id('a'),
        });
      }
      for (const [campaign, created_at] of [
        ['y', 2],
        ['x', 2],
        ['z', 1],
      ] as const)
        put(db, 'campaign_plans', {
          workspace_id,
          campaign: id(campaign),
          created_at,
          screen_tags: '["mall"]',
          rank: 'must',
        });
      for (const tag of ['mall', 'door']) put(db, 'device_tags', { device_id: id('a'), tag });
      put(db, 'chain_slots', {
        workspace_id,
        id: id('slot'),
        campaign: id('x'),
        limits: '{"max_items":2}',
        playlist_id: id('playlist'),
      });
      put(db, 'chain_slots', { workspace_id, id: id('empty'), campaign: id('x'), limits: '{}' });
    });
  }
  db.write(() => put(db, 'layouts', { id: 'template', name: 'Of everybody' }));
  return new ProgramsStore(db);
};

test('query returns screens, groups and walls of one workspace, the oldest membership and top left panel first', () => {
  const store = setUp();
  assert.deepEqual(
    store
      .devices('our')
      .map(({ id }) => id)
      .sort(),
    ['our-a', 'our-b'],
  );
  db.raw.exec(`UPDATE devices SET opening_hours = '[{"days":[1]}]' WHERE id = 'our-a'`);
  assert.deepEqual([store.device('our-a')!.opening_hours, store.device('our-b')!.opening_hours], [[{ days: [1] }], []]);
  assert.equal(store.device('gone'), undefined);
  const member = (device: string, group: string) => ({
    ...{ device_id: `our-${device}`, group_id: `our-${group}` },
    ...{ playlist_id: group === 'group' ? 'our-plain' : null },
    ...{ default_content_id: group === 'later' ? 'our-content' : null },
  });
  const all = [member('b', 'later'), member('a', 'group'), member('a', 'later')];
  assert.deepEqual([store.memberships('our'), store.membershipsOf('our-a')], [all, all.slice(1)]);
  assert.deepEqual(store.memberIds('our-later').sort(), ['our-a', 'our-b']);
  assert.deepEqual(
    [store.group('our', 'our-group')?.playlist_id, store.group('their', 'our-group')],
    ['our-plain', undefined],
  );
  assert.deepEqual([store.workspaceDefault('our'), store.workspaceDefault('gone')], [null, null]);
  assert.deepEqual(
    store.walls('our').map(({ id }) => id),
    ['our-wall'],
  );
  assert.deepEqual([store.wall('our', 'our-wall')?.grid_cols, store.wall('their', 'our-wall')], [2, undefined]);
  const panels = (members: readonly { device_id: string }[]) => members.map(({ device_id }) => device_id);
  assert.deepEqual(panels(store.wallMembers('our')), ['our-b', 'our-a']);
  assert.deepEqual(panels(store.membersOfWall('our-wall')), ['our-b', 'our-a']);
  assert.deepEqual(
    store
      .tags('our')
      .map(({ device_id, tag }) => `${device_id} ${tag}`)
      .sort(),
    ['our-a door', 'our-a mall'],
  );
  assert.deepEqual([store.tagsOf('our-a').sort(), store.tagsOf('our-b')], [['door', 'mall'], []]);
});

test('query returns only the enabled schedules and the campaigns of the workspace, the oldest first', () => {
  const store = setUp();
  assert.deepEqual(
    store.schedules('our').map(({ id, revision }) => [id, revision]),
    [
      ['our-s3', 7],
      ['our-s1', 7],
      ['our-s2', 7],
    ],
  );
  assert.equal(store.schedule('our', 'our-s1')?.plan_id, 'our-s1');
  assert.deepEqual([store.schedule('their', 'our-s1'), store.schedule('our', 'our-off')], [undefined, undefined]);
  assert.deepEqual(
    store.campaigns('our').map(({ id, screen_tags }) => [id, screen_tags]),
    [
      ['our-z', ['mall']],
      ['our-x', ['mall']],
      ['our-y', ['mall']],
    ],
  );
  const slot = { limits: { max_items: 2 }, playlist_id: 'our-playlist', transition: { kind: 'cut' } };
  assert.deepEqual([store.slot('our', 'our-slot'), store.slot('their', 'our-slot')], [slot, undefined]);
  assert.deepEqual(store.slot('our', 'our-empty'), { limits: {}, playlist_id: null, transition: null });
});

test('content query returns items and zones of the workspace in order, and the type of a file from its bytes', () => {
  const store = setUp();
  assert.deepEqual(store.playlist('our', 'our-playlist')?.published_transition, { kind: 'cut' });
  assert.deepEqual(
    [store.playlist('our', 'our-plain')?.published_transition, store.playlist('their', 'our-plain')],
    [null, undefined],
  );
  const items = store.published('our-playlist');
  assert.deepEqual(
    items.map(({ id, widget_id, content_id, name, muted, transition, widget_config }) => [
      ...[id, widget_id ?? content_id, name, muted, transition, widget_config],
    ]),
    [
      [9, 'our-widget', 'Clock', true, { kind: 'fade' }, { a: 1 }],
      [7, null, null, false, null, null],
      [8, 'our-content', 'Photo', false, null, null],
    ],
  );
  assert.deepEqual(
    [store.content('our', 'our-content')?.mime_type, store.content('their', 'our-content')],
    ['image/png', undefined],
  );
  assert.equal(store.content('our', 'our-stored')?.mime_type, 'image/webp', 'whatever people call it');
  assert.deepEqual(
    [store.widget('our', 'our-widget')?.widget_config, store.widget('their', 'our-widget')],
    [{ a: 1 }, undefined],
  );
  const zones = (layout: string, workspace = 'our') => store.layout(workspace, layout)?.zones.map(({ id }) => id);
  assert.deepEqual(
    [zones('our-layout'), zones('template'), zones('our-layout', 'their')],
    [['our-z2', 'our-z0', 'our-z1'], [], undefined],
  );
  assert.deepEqual([store.hasZone('our-z0'), store.hasZone('gone')], [true, false]);
});

test('planned program of a screen ends when a new program begins, and spans in the future are removed', () => {
  setUp();
  const history = new ProgramHistoryStore(db);
  assert.deepEqual([history.devices('our').sort(), history.everyDevice().length], [['our-a', 'our-b'], 4]);
  assert.equal(history.archived('sha'), undefined);
  const [first, second] = ['sha', 'other'].map((sha256) => history.archive(sha256, Buffer.from(sha256), 1)) as [
    number,
    number,
  ];
  assert.deepEqual([history.archived('sha'), history.archived('other')], [first, second]);
  const of = (id: string) => ({ id, workspaceId: id.split('-')[0]! });
  const begin = (program: number, since: number, ...ids: string[]) =>
    history.begin({ devices: ids.map(of), program, timezone: 'UTC', since });
  const spans = (device: string) =>
    db.raw.prepare('SELECT program, since, until FROM program_spans WHERE device_id = ? ORDER BY id').raw().all(device);
  begin(first, 10, 'our-a', 'our-b', 'their-a');
  history.end(['our-a'], 20);
  begin(second, 20, 'our-a');
  assert.deepEqual(spans('our-a'), [
    [first, 10, 20],
    [second, 20, null],
  ]);
  assert.deepEqual([spans('our-b'), spans('their-a')], [[[first, 10, null]], [[first, 10, null]]]);
  assert.deepEqual(history.lasting(['our-a', 'their-a', 'their-b']), [
    { device_id: 'our-a', sha256: 'other', timezone: 'UTC' },
    { device_id: 'their-a', sha256: 'sha', timezone: 'UTC' },
  ]);
  assert.equal(
    db.raw.prepare("SELECT workspace_id FROM program_spans WHERE device_id = 'their-a'").pluck().get(),
    'their',
  );
  history.end(['our-a', 'our-b'], 30);
  assert.deepEqual(history.lasting(['our-a', 'our-b']), []);
  assert.deepEqual([spans('our-a').at(-1), spans('our-b')], [[second, 20, 30], [[first, 10, 30]]]);
  history.end(['our-a'], 40);
  assert.deepEqual(spans('our-a').at(-1), [second, 20, 30], 'it had ended before');
  history.end(['our-a', 'our-b'], 20);
  assert.deepEqual([spans('our-a'), spans('our-b')], [[[first, 10, 20]], [[first, 10, 20]]]);
  history.end(['our-a'], 15);
  assert.deepEqual(spans('our-a'), [[first, 10, 15]]);
  history.beginAt(5);
  history.beginAt(9);
  assert.equal(db.raw.prepare("SELECT value FROM settings WHERE key = 'planned_since'").pluck().get(), '5');
});
