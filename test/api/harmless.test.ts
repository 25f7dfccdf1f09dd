/** A body that is empty, or whose field names are all misspelt, must clear nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { must } from '../people.ts';
import { bodyIn, rightful, send, takesJson } from './examples.ts';
import { nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();

/** Endpoints that create or copy something, whatever their body contains. */
const MAKES = (e: Endpoint) => e.status === 201 || e.name === 'copyAssignments';
const editing = () => walk.endpoints.filter((e) => takesJson(e) && e.access.kind !== 'public' && !MAKES(e));

const RECORDS = [
  ...[
    'getContent',
    'getPlaylist',
    'getDevice',
    'getLayout',
    'getWall',
    'getWidget',
    'getKioskPage',
    'listGroups',
    'listGroupDevices',
    'listSchedules',
    'listFolders',
  ],
  ...[
    'listPlans',
    'listAssignments',
    'listPublishedPlaylistItems',
    'getMe',
    'listUsers',
    'listWorkspaces',
    'getBrand',
    'listMembers',
    'getServerSettings',
    'getConnections',
    'getUpkeepSettings',
  ],
];
/** Leaves out fields that a save may update although no other field has changed. */
const saved = (key: string, value: unknown) =>
  ['updated_at', 'revision', 'status', 'published_at', 'last_login_at'].includes(key) ? undefined : value;

const everything = async (): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const name of RECORDS) {
    const endpoint = walk.endpoints.find((e) => e.name === name);
    assert.ok(endpoint, name);
    found[name] = JSON.parse(
      JSON.stringify(must(await send(walk.store, endpoint, { token: rightful(walk.store, endpoint) })), saved),
    );
  }
  return found;
};

/** Gives a value to every field that a request body could clear. */
const fill = async () => {
  const { a, staff } = walk.store;
  const edit = async (path: string, body: unknown) => must(await a.call('PUT', path, body));
  await edit(`/api/walls/${a.wall}`, { content_id: a.image, playlist_id: a.playlist, leader_device_id: a.panel });
  await edit(`/api/devices/${a.device}`, {
    layout_id: a.layout,
    default_content_id: a.image,
    notes: 'n',
    opening_hours: [{ days: [1], start: '08:00', end: '20:00' }],
  });
  await edit(`/api/playlists/${a.playlist}`, { description: 'd' });
  await edit(`/api/playlists/${a.playlist}/items/${a.item}`, { zone_id: a.zone, duration_sec: 7 });
  await edit(`/api/playlists/${a.playlist}/items/${a.item}/schedules`, {
    blocks: [{ days: [1], start: '08:00', end: '20:00' }],
  });
  const inner = must(await a.call('POST', '/api/folders', { name: 'Inner', parent_id: a.folder }), 201).id;
  await edit(`/api/content/${a.image}`, { folder_id: inner, folder: 'label' });
  await edit(`/api/schedules/${a.schedule}`, {
    zone_id: a.zone,
    recurrence_end: '2027-01-01',
    color: '#112233',
    enabled: 1,
  });
  must(await a.call('POST', `/api/groups/${a.group}/assign-playlist`, { playlist_id: a.playlist }));
  must(
    await staff('PUT', '/api/server/connections', { mail_from: 'store@store.test', allowed_hosts: ['nas.store.test'] }),
  );
};

for (const [what, bodyOf] of [
  ['an empty body', () => ({})],
  [
    'a body of misspelt members',
    (e: Endpoint) =>
      Object.fromEntries(Object.entries(bodyIn(e, walk.store.a)).map(([member, value]) => [`${member}s`, value])),
  ],
] as const) {
  test(`request with ${what} is refused or changes nothing`, async () => {
    await fill();
    const problems: string[] = [];
    let before = await everything();
    for (const endpoint of editing()) {
      const answer = await send(walk.store, endpoint, {
        token: rightful(walk.store, endpoint),
        body: bodyOf(endpoint),
      });
      const after = await everything();
      const changed = Object.keys(after).filter((name) => !isDeepStrictEqual(after[name], before[name]));
      if (changed.length > 0 || answer.status >= 500)
        problems.push(`${nameOf(endpoint)} changes ${changed.join()}; ${shown(answer)}`);
      before = after;
    }
    assert.deepEqual(problems, []);
  });
}

test('content of a wall is cleared only by null, and a body with neither playlist nor content gives 400', async () => {
  const { a } = walk.store;
  const path = `/api/walls/${a.wall}`;
  const shows = async () =>
    (({ content_id, playlist_id }) => [content_id, playlist_id])(must(await a.call('GET', path)));
  const put = (body: unknown) => a.call('PUT', `${path}/content`, body);
  must(await put({ content_id: a.image, playlist_id: a.playlist }));
  for (const body of [
    {},
    { contentid: null },
    { content: a.image },
    { contentId: a.image },
    { playlist: null },
    { content_ids: [] },
    { id: a.image },
  ]) {
    const answer = await put(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error, /content_id/);
    assert.deepEqual(await shows(), [a.image, a.playlist], JSON.stringify(body));
  }
  must(await put({ content_id: null }));
  assert.deepEqual(await shows(), [null, a.playlist]);
  must(await put({ content_id: a.video }));
  must(await put({ playlist_id: null }));
  assert.deepEqual(await shows(), [a.video, null]);
  must(await put({ playlist_id: a.playlist, content_id: '' }));
  assert.deepEqual(await shows(), [null, a.playlist]);
});
