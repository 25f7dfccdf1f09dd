/**
 * The effects of each user action: its entry in the activity log, and the records that open browser windows are told to
 * reload.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import WebSocket from 'ws';
import { Bus, type Change } from '../../server/kernel/bus.ts';
import { colleague, must } from '../people.ts';
import { openShops, type Shop } from '../shop.ts';

const shops = openShops();

interface Heard {
  readonly topic: string;
  readonly ids?: readonly string[];
  readonly by: string | null;
}

/** Collects the live announcements to another user's browser window until the returned function is called. */
const listen = async (t: TestContext, { site, owner, call, make }: Shop): Promise<() => Promise<Heard[]>> => {
  const { token } = await colleague(site, owner, `ear-${owner.id}@store.test`, 'workspace_viewer');
  const { id: marker } = await make('/api/folders', { name: 'Marker' });
  const socket = new WebSocket(`${site.origin.replace('http', 'ws')}/api/live`);
  t.after(() => socket.terminate());
  const heard: Heard[] = [];
  let marked = () => {};
  const ready = new Promise<void>((done) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.type === 'ready') done();
      if (message.type !== 'stale' || message.topic === 'activity') return;
      if (message.ids?.[0] === marker) marked();
      else heard.push(message);
    });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token }));
  await ready;
  return async () => {
    const seen = new Promise<void>((done) => {
      marked = done;
    });
    must(await call('PUT', `/api/folders/${marker}`, { name: 'Marker' }));
    await seen;
    return heard.splice(0);
  };
};

const plan = { content_id: '{content}', start_time: '2026-03-10T09:00', end_time: '2026-03-10T10:00' };
const sale = { device_id: '{group}', type: 'image', uri: 'http://x.test/a.png', title: 'Sale' };
const inWall = { devices: [{ device_id: '{one}', grid_col: 0, grid_row: 0 }] };
const guest = { email: 'guest@store.test', role: 'workspace_viewer' };

type Act = readonly [
  as: string,
  request: string,
  body: unknown,
  action: string,
  details: string,
  told: readonly string[],
];
/**
 * Each row: a name for the created record that later rows use, the request, the action and the record's name in the
 * activity log, and the announced changes. `?` is a record that no earlier row has named, such as a screen's own
 * playlist. `unseen` marks a change that screens do not show, so the server computes no new program for them.
 */
const ACTS: readonly Act[] = [
  ['', 'PUT /api/content/{content}', { filename: 'b.gif' }, 'content.updated', 'b.gif', ['content: content']],
  ['', 'PUT /api/playlists/{playlist}', { name: 'Q' }, 'playlist.updated', 'Offers', ['unseen playlists: playlist']],
  [
    'twin',
    'POST /api/playlists/{playlist}/duplicate',
    { name: 'Twin' },
    'playlist.created',
    'Twin',
    ['unseen playlists: twin'],
  ],
  ['', 'DELETE /api/playlists/{twin}', undefined, 'playlist.deleted', 'Twin', ['playlists: twin']],
  ['empty', 'POST /api/playlists', { name: 'E' }, 'playlist.created', 'E', ['unseen playlists: empty']],
  [
    'item',
    'POST /api/playlists/{playlist}/items',
    { content_id: '{content}' },
    'playlist.edited',
    'Q',
    ['unseen playlists: playlist'],
  ],
  [
    '',
    'PUT /api/playlists/{playlist}/items/{item}',
    { duration_sec: 5 },
    'playlist.edited',
    'Q',
    ['unseen playlists: playlist'],
  ],
  [
    '',
    'PUT /api/playlists/{playlist}/items/{item}',
    { muted: true },
    'playlist.edited',
    'Q',
    ['unseen playlists: playlist'],
  ],
  ['', 'POST /api/playlists/{playlist}/publish', undefined, 'playlist.published', 'Q', ['playlists: playlist']],
  [
    '',
    'DELETE /api/playlists/{playlist}/items/{item}',
    undefined,
    'playlist.edited',
    'Q',
    ['unseen playlists: playlist'],
  ],
  ['', 'POST /api/playlists/{playlist}/discard', undefined, 'playlist.discarded', 'Q', ['unseen playlists: playlist']],
  [
    '',
    'POST /api/playlists/{playlist}/assign',
    { device_id: '{one}' },
    'playlist.assigned',
    'Q',
    ['devices: one', 'unseen playlists: playlist'],
  ],
  [
    'own',
    'POST /api/assignments/device/{two}',
    { content_id: '{content}' },
    'assignment.changed',
    'Hall',
    ['devices: two', 'playlists: ?'],
  ],
  [
    '',
    'PUT /api/assignments/{own}',
    { duration_sec: 7 },
    'assignment.changed',
    'Hall',
    ['devices: two', 'playlists: ?'],
  ],
  [
    '',
    'POST /api/assignments/device/{one}/copy-to/{two}',
    {},
    'assignment.changed',
    'Hall',
    ['devices: two', 'playlists: ?'],
  ],
  ['', 'DELETE /api/assignments/{own}', undefined, 'assignment.changed', 'Hall', ['devices: two', 'playlists: ?']],
  ['layout', 'POST /api/layouts', { name: 'L', zones: [{}] }, 'layout.created', 'L', ['unseen layouts: layout']],
  ['', 'PUT /api/layouts/{layout}', { name: 'M' }, 'layout.updated', 'L', ['layouts: layout']],
  ['zone', 'POST /api/layouts/{layout}/zones', {}, 'layout.updated', 'M', ['layouts: layout']],
  ['', 'PUT /api/layouts/{layout}/zones/{zone}', { name: 'Z' }, 'layout.updated', 'M', ['layouts: layout']],
  ['', 'DELETE /api/layouts/{layout}/zones/{zone}', undefined, 'layout.updated', 'M', ['layouts: layout']],
  ['copy', 'POST /api/layouts/{layout}/duplicate', {}, 'layout.created', 'M (copy)', ['unseen layouts: copy']],
  ['', 'PUT /api/layouts/device/{one}', { layout_id: '{layout}' }, 'device.layout_changed', 'M', ['devices: one']],
  ['', 'DELETE /api/layouts/{copy}', undefined, 'layout.deleted', 'M (copy)', ['layouts: copy']],
  ['folder', 'POST /api/folders', { name: 'F' }, 'folder.created', 'F', ['folders: folder']],
  [
    '',
    'PUT /api/content/{content}',
    { folder_id: '{folder}' },
    'content.updated',
    'b.gif',
    ['unseen content: content'],
  ],
  ['', 'PUT /api/folders/{folder}', { name: 'G' }, 'folder.updated', 'G', ['folders: folder']],
  [
    '',
    'DELETE /api/folders/{folder}',
    undefined,
    'folder.deleted',
    'G',
    ['folders: folder', 'unseen content: content'],
  ],
  ['group', 'POST /api/groups', { name: 'G' }, 'group.created', 'G', ['unseen groups: group']],
  ['', 'PUT /api/groups/{group}', { name: 'Ground' }, 'group.updated', 'Ground', ['unseen groups: group']],
  [
    '',
    'POST /api/groups/{group}/devices',
    { device_id: '{one}' },
    'group.device_added',
    'Door: Ground',
    ['groups: group'],
  ],
  [
    '',
    'POST /api/groups/{group}/assign-playlist',
    { playlist_id: '{playlist}' },
    'group.playlist_assigned',
    'Ground',
    ['groups: group'],
  ],
  [
    '',
    'POST /api/groups/{group}/assign-content',
    { content_id: '{content}' },
    'group.content_assigned',
    'Ground',
    ['devices: one', 'playlists: ?', 'unseen groups: group'],
  ],
  ['', 'POST /api/groups/{group}/command', { type: 'screen_on' }, 'group.command', 'screen_on: Ground', []],
  ['', 'POST /api/groups/{group}/identify', {}, 'group.identify', 'Ground', []],
  ['', 'POST /api/devices/{one}/command', { type: 'screen_on' }, 'device.command', 'screen_on: Door', []],
  ['', 'POST /api/devices/{one}/identify', {}, 'device.identify', 'Door', []],
  [
    'schedule',
    'POST /api/schedules',
    { group_id: '{group}', ...plan },
    'schedule.created',
    'b.gif: Ground',
    ['plans: schedule', 'schedules: schedule'],
  ],
  [
    '',
    'PUT /api/schedules/{schedule}',
    { title: 'T' },
    'schedule.updated',
    'T: Ground',
    ['plans: schedule', 'schedules: schedule'],
  ],
  [
    '',
    'DELETE /api/schedules/{schedule}',
    undefined,
    'schedule.deleted',
    'T: Ground',
    ['plans: schedule', 'schedules: schedule'],
  ],
  [
    'plan',
    'POST /api/plans',
    { targets: [{ kind: 'group', id: '{group}' }], ...plan },
    'plan.created',
    'b.gif: Ground',
    ['plans: plan', 'schedules: plan'],
  ],
  ['', 'PUT /api/plans/{plan}', { title: 'T' }, 'plan.updated', 'T: Ground', ['plans: plan', 'schedules: plan']],
  ['', 'DELETE /api/plans/{plan}', undefined, 'plan.deleted', 'T: Ground', ['plans: plan', 'schedules: plan']],
  [
    'schedule2',
    'POST /api/schedules',
    { device_id: '{one}', ...plan },
    'schedule.created',
    'b.gif',
    ['plans: schedule2', 'schedules: schedule2'],
  ],
  ['', 'POST /api/pip', sale, 'overlay.shown', 'Sale: Ground', ['overlays: one']],
  ['', 'POST /api/pip/clear', { device_id: '{one}' }, 'overlay.cleared', 'Door', ['overlays: one']],
  ['', 'PUT /api/alert-rules', { kind: 'screen_cpu', minutes: 5 }, 'alert.rule_changed', 'screen_cpu', ['alerts: all']],
  ['', 'PUT /api/alert-digest', { hour: 6 }, 'alert.rule_changed', 'digest', ['alerts: all']],
  ['report', 'POST /api/reports/saved', { name: 'Cola' }, 'report.saved', 'Cola', ['reports: report']],
  ['', 'PUT /api/reports/saved/{report}', { name: 'Fizz' }, 'report.updated', 'Cola', ['reports: report']],
  ['', 'DELETE /api/reports/saved/{report}', undefined, 'report.deleted', 'Fizz', ['reports: report']],
  // The screens of the message report their results, which adds further announcements.
  [
    'message',
    'POST /api/messages',
    { text: 'Closing', targets: [{ kind: 'group', id: '{group}' }] },
    'message.sent',
    'Closing: Ground',
    ['messages: message', 'overlays: one', 'messages by the system: message'],
  ],
  [
    '',
    'DELETE /api/messages/{message}',
    undefined,
    'message.withdrawn',
    'Closing: Ground',
    ['messages: message', 'overlays: one', 'messages by the system: message'],
  ],
  [
    '',
    'DELETE /api/groups/{group}/devices/{one}',
    undefined,
    'group.device_removed',
    'Door: Ground',
    ['groups: group'],
  ],
  ['', 'DELETE /api/groups/{group}', undefined, 'group.deleted', 'Ground', ['groups: group']],
  ['cellar', 'POST /api/groups', { name: 'Cellar' }, 'group.created', 'Cellar', ['unseen groups: cellar']],
  [
    '',
    'POST /api/groups/{cellar}/devices',
    { device_id: '{one}' },
    'group.device_added',
    'Door: Cellar',
    ['groups: cellar'],
  ],
  [
    'schedule3',
    'POST /api/schedules',
    { group_id: '{cellar}', ...plan },
    'schedule.created',
    'b.gif: Cellar',
    ['plans: schedule3', 'schedules: schedule3'],
  ],
  [
    '',
    'DELETE /api/groups/{cellar}',
    undefined,
    'group.deleted',
    'Cellar',
    ['plans: schedule3', 'groups: cellar', 'unseen schedules: all'],
  ],
  ['wall', 'POST /api/walls', { name: 'W' }, 'wall.created', 'W', ['unseen walls: wall']],
  ['', 'PUT /api/walls/{wall}', { name: 'X' }, 'wall.updated', 'W', ['walls: wall']],
  ['', 'PUT /api/walls/{wall}/devices', inWall, 'wall.devices_replaced', 'X', ['walls: wall']],
  ['', 'PUT /api/walls/{wall}/content', { content_id: '{content}' }, 'wall.content_changed', 'X', ['walls: wall']],
  ['wall2', 'POST /api/walls', { name: 'Y' }, 'wall.created', 'Y', ['unseen walls: wall2']],
  ['', 'PUT /api/walls/{wall2}/devices', inWall, 'wall.devices_replaced', 'Y', ['walls: wall', 'walls: wall2']],
  ['', 'DELETE /api/walls/{wall2}', undefined, 'wall.deleted', 'Y', ['walls: wall2']],
  ['', 'DELETE /api/walls/{wall}', undefined, 'wall.deleted', 'X', ['walls: wall']],
  [
    'widget',
    'POST /api/widgets',
    { name: 'C', widget_type: 'clock', config: {} },
    'widget.created',
    'C',
    ['unseen widgets: widget'],
  ],
  ['', 'PUT /api/widgets/{widget}', { name: 'D' }, 'widget.updated', 'D', ['widgets: widget']],
  ['', 'DELETE /api/widgets/{widget}', undefined, 'widget.deleted', 'D', ['widgets: widget']],
  ['kiosk', 'POST /api/kiosk', { name: 'K', config: {} }, 'kiosk.created', 'K', ['unseen kiosk: kiosk']],
  ['', 'PUT /api/kiosk/{kiosk}', { name: 'L' }, 'kiosk.updated', 'L', ['unseen kiosk: kiosk']],
  ['', 'DELETE /api/kiosk/{kiosk}', undefined, 'kiosk.deleted', 'L', ['kiosk: kiosk']],
  ['', 'POST /api/bin/{binned}/restore', undefined, 'bin.restored', 'L', ['kiosk: kiosk', 'bin: binned']],
  ['', 'PUT /api/devices/{one}', { name: 'Gate' }, 'device.updated', 'Door', ['unseen devices: one']],
  [
    '',
    'POST /api/devices/tags',
    { device_ids: ['{one}', '{two}'], add: ['window'] },
    'device.tagged',
    '+window (2)',
    ['unseen devices: one two'],
  ],
  [
    '',
    'POST /api/devices/bulk',
    { changes: [{ device_ids: ['{one}'], set: { notes: 'left' } }] },
    'device.updated',
    'Gate',
    ['unseen devices: one'],
  ],
  ['', 'DELETE /api/devices/{one}/playlist', undefined, 'device.playlist_cleared', 'Gate', ['devices: one']],
  ['token', 'POST /api/tokens', { name: 'T' }, 'token.created', 'T (read)', ['tokens: token']],
  ['', 'DELETE /api/tokens/{token}', undefined, 'token.revoked', 'T', ['tokens: token']],
  [
    'invite',
    'POST /api/workspaces/{workspace}/invites',
    guest,
    'invite.created',
    'guest@store.test (workspace_viewer)',
    ['members: all'],
  ],
  [
    '',
    'DELETE /api/workspaces/{workspace}/invites/{invite}',
    undefined,
    'invite.deleted',
    'guest@store.test (workspace_viewer)',
    ['members: all'],
  ],
  [
    '',
    'PUT /api/workspaces/{workspace}',
    { name: 'Main street' },
    'workspace.updated',
    'Main street',
    ['brand: workspace', 'settings: all'],
  ],
  ['', 'DELETE /api/layouts/{layout}', undefined, 'layout.deleted', 'M', ['unseen devices: one', 'layouts: layout']],
  [
    '',
    'POST /api/playlists/{playlist}/versions/{version}/return',
    undefined,
    'playlist.returned',
    'Q',
    ['unseen playlists: playlist'],
  ],
  ['', 'DELETE /api/playlists/{playlist}', undefined, 'playlist.deleted', 'Q', ['playlists: playlist']],
  [
    '',
    'DELETE /api/content/{content}',
    undefined,
    'content.deleted',
    'b.gif',
    ['content: content', 'unseen playlists: ? ?', 'unseen schedules: schedule2 schedule3'],
  ],
  ['', 'DELETE /api/bin/{binned}', undefined, 'bin.deleted', 'b.gif', ['bin: binned']],
  ['', 'DELETE /api/bin', undefined, 'bin.emptied', '', ['bin: all']],
  ['', 'DELETE /api/devices/{one}', undefined, 'device.deleted', 'Gate', ['devices: one', 'unseen playlists: ?']],
];

test('each change is logged, and browser windows receive the changed records and their author', async (t) => {
  const shop = await shops.open(t);
  const { call, image, playlist, screen, get, owner } = shop;
  const told = await listen(t, shop);
  const content = await image('a.gif');
  const ids: Record<string, string> = {
    content,
    playlist: await playlist([content], 'Offers'),
    one: (await screen('Door')).deviceId,
    two: (await screen('Hall')).deviceId,
    workspace: owner.workspaceId!,
  };
  ids.version = (await get(`/api/playlists/${ids.playlist}/versions`))[0].id;
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name]!);
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? '?';
  const emit = t.mock.method(Bus.prototype, 'emit');
  const isUnseen = (topic: string) =>
    emit.mock.calls.some(({ arguments: [, said] }) => {
      const { topic: changed, screens } = (said ?? {}) as Partial<Change>;
      return changed === topic && screens === false;
    });
  const written = ({ topic, ids, by }: Heard) =>
    `${isUnseen(topic) ? 'unseen ' : ''}${topic}${by === owner.id ? '' : ' by the system'}: ${ids?.map(nameOf).join(' ') ?? 'all'}`;
  await told();
  for (const [as, request, body, action, details, expected] of ACTS) {
    emit.mock.resetCalls();
    const [method, path] = filled(request).split(' ') as [string, string];
    const answer = await call(method, path, body && JSON.parse(filled(JSON.stringify(body))));
    assert.ok(answer.status < 300, `${request}: ${JSON.stringify(answer.body)}`);
    if (as) ids[as] = String(answer.body.id);
    const [entry] = await get('/api/activity?limit=1');
    assert.deepEqual(
      [entry.action, entry.details, entry.user_id, (await told()).map(written)],
      [action, details, owner.id, expected],
      request,
    );
    const [binned] = await get('/api/bin?limit=1');
    if (binned) ids.binned = binned.id;
  }
});

test('GET requests leave no entry in the activity log and cause no announcement', async (t) => {
  const shop = await shops.open(t);
  const { call, get } = shop;
  const told = await listen(t, shop);
  await told();
  const count = async () => (await call('GET', '/api/activity')).headers.get('x-total-count');
  const before = await count();
  for (const path of ['/api/devices', '/api/content', '/api/playlists', '/api/activity']) await get(path);
  assert.equal(await count(), before);
  assert.deepEqual(await told(), []);
});
