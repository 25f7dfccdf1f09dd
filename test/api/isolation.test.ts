/** Two workspaces on one server never see any data of each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { type Endpoint, isList } from '../../shared/contract/endpoint.ts';
import { type Answer, callAs, must } from '../people.ts';
import {
  bodyIn,
  NOWHERE,
  nowhere,
  paramNames,
  paramsIn,
  pathWith,
  queryIn,
  rightful,
  send,
  takesJson,
} from './examples.ts';
import type { Room } from './site.ts';
import { nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();

/** Endpoints for releases of the server. A release belongs to the server, not to a workspace. */
const OF_RELEASES: ReadonlySet<string> = new Set(['startRollout', 'installServerUpdate']);
/**
 * Returns whether the endpoint belongs to a workspace. Accounts belong to the platform, a rollout names screens of any
 * workspace, and an invite belongs to its e-mail address. Other tests cover the access to these.
 */
const OF_A_WORKSPACE = (e: Endpoint) =>
  !e.path.startsWith('/api/auth/') && !OF_RELEASES.has(e.name) && e.access.kind !== 'public';
const tokenFor = (e: Endpoint) => (e.access.kind === 'token' ? walk.store.tokens.full : rightful(walk.store, e));
const headersOf = ({ headers }: Answer) =>
  [...headers.keys()].filter((name) => name !== 'x-request-id' && name !== 'date').toSorted();
const alike = (theirs: Answer, nobodys: Answer) =>
  theirs.status === nobodys.status &&
  JSON.stringify(theirs.body) === JSON.stringify(nobodys.body) &&
  headersOf(theirs).join() === headersOf(nobodys).join();

test('path with a record of another workspace gives the same 404 as a path with an unknown id', async () => {
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter((e) => OF_A_WORKSPACE(e) && paramNames(e).length > 0)) {
    const mine = paramsIn(endpoint, walk.store.a);
    const theirs = paramsIn(endpoint, walk.store.b);
    for (const name of paramNames(endpoint)) {
      const ask = (id: string | number) =>
        send(walk.store, endpoint, { token: tokenFor(endpoint), params: { ...mine, [name]: id } });
      const [other, nobody] = [await ask(theirs[name]!), await ask(nowhere(name, mine[name]!))];
      if (other.status !== 404 || !/^[A-Z][A-Za-z -]* not found$/.test(other.body.error) || !alike(other, nobody))
        problems.push(`${nameOf(endpoint)} ${name}: ${shown(other)}; nobody’s ${shown(nobody)}`);
    }
  }
  assert.deepEqual(problems, []);
});

test('token of a workspace gives no access to another workspace of the same organization', async () => {
  const inSecond = must(
    await walk.store.site.call('POST', '/api/auth/switch-workspace', {
      token: walk.store.people.owner.token,
      body: { workspace_id: walk.store.a2 },
    }),
  ).token;
  const token = must(
    await walk.store.site.call('POST', '/api/tokens', { token: inSecond, body: { name: 'second', scope: 'full' } }),
    201,
  ).token;
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter((e) => e.access.kind === 'token' && paramNames(e).length > 0)) {
    for (const credential of [token, inSecond]) {
      const answer = await send(walk.store, endpoint, { token: credential });
      if (answer.status !== 404) problems.push(`${nameOf(endpoint)}: ${shown(answer)}`);
    }
  }
  assert.deepEqual(problems, []);
});

/** Returns the id of a workspace's record for each reference field of a body. */
const REFERENCE: Record<string, (r: Room) => string> = {
  content_id: (r) => r.image,
  default_content_id: (r) => r.image,
  logo_content_id: (r) => r.image,
  logo_dark_content_id: (r) => r.image,
  widget_id: (r) => r.widget,
  zone_id: (r) => r.zone,
  device_id: (r) => r.device,
  leader_device_id: (r) => r.device,
  group_id: (r) => r.group,
  without_group_id: (r) => r.group,
  layout_id: (r) => r.layout,
  playlist_id: (r) => r.playlist,
  folder_id: (r) => r.folder,
  parent_id: (r) => r.folder,
  plan_id: (r) => r.plan,
  store_id: (r) => r.store,
  campaign_id: (r) => r.campaign,
};
/**
 * Endpoints whose body must contain exactly one of these fields. Other endpoints accept several reference fields at
 * once.
 */
const ONE_OF: Record<string, readonly string[]> = { checkPlayback: ['content_id', 'playlist_id', 'layout_id'] };
/** Field that a body must not contain together with the key's field. */
const INSTEAD_OF: Record<string, string> = {
  widget_id: 'content_id',
  content_id: 'widget_id',
  group_id: 'device_id',
  device_id: 'group_id',
};

test('body with a reference to another workspace gives the same 404 as a body with an unknown id', async () => {
  const problems: string[] = [];
  let seen = 0;
  for (const endpoint of walk.endpoints.filter((e) => OF_A_WORKSPACE(e) && takesJson(e))) {
    const members = Object.keys(
      (z.toJSONSchema(endpoint.body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as { properties?: object })
        .properties ?? {},
    );
    for (const member of members.filter(
      (m) => m.endsWith('_id') && m !== 'pip_id' && m !== 'pending_id' && !m.startsWith('provider_'),
    )) {
      assert.ok(REFERENCE[member], `no example for ${member} of ${nameOf(endpoint)}`);
      const others = ONE_OF[endpoint.name]?.filter((one) => one !== member) ?? [INSTEAD_OF[member] ?? ''];
      const body = Object.fromEntries(
        Object.entries(bodyIn(endpoint, walk.store.a)).filter(([name]) => !others.includes(name)),
      );
      const ask = (id: string) =>
        send(walk.store, endpoint, { token: tokenFor(endpoint), body: { ...body, [member]: id } });
      const [theirs, nobodys] = [await ask(REFERENCE[member]!(walk.store.b)), await ask(NOWHERE)];
      seen++;
      if (theirs.status !== 404 || !alike(theirs, nobodys))
        problems.push(`${nameOf(endpoint)} ${member}: ${shown(theirs)}; nobody’s ${shown(nobodys)}`);
    }
  }
  assert.ok(seen > 30, `only ${seen} references`);
  assert.deepEqual(problems, []);
});

test('screen of another workspace in a wall or plan gives 404, and ids of another workspace in an order give 400', async () => {
  const { a, b } = walk.store;
  const panels = (device_id: string) =>
    a.call('PUT', `/api/walls/${a.wall}/devices`, {
      devices: [
        { device_id: a.panel, grid_col: 0, grid_row: 0 },
        { device_id, grid_col: 1, grid_row: 0 },
      ],
    });
  const [theirs, nobodys] = [await panels(b.panel), await panels(NOWHERE)];
  assert.equal(theirs.status, 404);
  assert.ok(alike(theirs, nobodys));
  for (const [kind, id] of [
    ['device', b.device],
    ['group', b.group],
  ] as const)
    for (const [method, path] of [
      ['POST', '/api/plans'],
      ['POST', '/api/plans/preview'],
      ['PUT', `/api/plans/${a.plan}`],
    ] as const) {
      const meant = (target: string) =>
        a.call(method, path, {
          targets: [{ kind, id: target }],
          content_id: a.image,
          start_time: '2026-03-02T09:00',
          end_time: '2026-03-02T10:00',
        });
      const answer = await meant(id);
      assert.equal(answer.status, 404);
      assert.ok(alike(answer, await meant(NOWHERE)), `${method} ${path} ${kind}`);
    }
  for (const path of [`/api/playlists/${a.playlist}/items/reorder`, `/api/assignments/device/${a.device}/reorder`]) {
    for (const order of [
      [a.item, b.item],
      [a.item, a.secondItem, b.item],
    ])
      assert.equal((await a.call('POST', path, { order })).status, 400, path);
  }
});

test('ids of another workspace in a query find nothing, like unknown ids', async () => {
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter((e) => e.method === 'GET' && OF_A_WORKSPACE(e))) {
    for (const member of Object.keys(endpoint.query.shape).filter((m) => m.endsWith('_id'))) {
      const ask = (id: string) => send(walk.store, endpoint, { token: tokenFor(endpoint), query: `${member}=${id}` });
      const [theirs, nobodys] = [await ask(REFERENCE[member]!(walk.store.b)), await ask(NOWHERE)];
      const nothing =
        member.startsWith('without_') || // without a foreign record, everything of the own workspace is listed
        theirs.status === 404 ||
        (theirs.status === 200 && theirs.body.plays === 0) ||
        // The total of the plan calendar counts all rows, because plan_id only selects the list page.
        (endpoint.path === '/api/plans/calendar' && member === 'plan_id' && theirs.body.length === 0) ||
        (theirs.status === 200 && typeof theirs.body === 'string' && theirs.body.trim().split('\n').length === 1) ||
        (theirs.status === 200 &&
          Array.isArray(theirs.body) &&
          theirs.body.length === 0 &&
          theirs.headers.get('x-total-count') === '0');
      if (!nothing || !alike(theirs, nobodys))
        problems.push(`${nameOf(endpoint)} ${member}: ${shown(theirs)}; nobody’s ${shown(nobodys)}`);
    }
  }
  assert.deepEqual(problems, []);
});

test('no answer, export, log or page of a workspace contains an id, name or address of another workspace', async () => {
  const { a, b, people } = walk.store;
  const traces = [
    'Boreas',
    'boreas',
    people.owner && b.owner.email,
    b.owner.id,
    ...Object.values(b).filter((v): v is string => typeof v === 'string' && v.length > 20),
  ];
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter(
    (e) =>
      e.method === 'GET' &&
      !['getOpenApi', 'getHealth'].includes(e.name) &&
      (e.access.kind !== 'session' || e.access.role !== 'platform_admin'),
  )) {
    const answer = await send(walk.store, endpoint, {
      token: rightful(walk.store, endpoint),
      query: queryIn(endpoint, a),
    });
    const text = JSON.stringify(answer.body);
    const found = traces.filter((trace) => trace && text.includes(trace));
    if (found.length > 0) problems.push(`${nameOf(endpoint)} shows ${found.join(', ')}`);
  }
  assert.deepEqual(problems, []);
});

test('change in one workspace never changes a list, count or ETag of another workspace', async () => {
  const { a, b } = walk.store;
  // Devices are left out, because their uptime changes as time passes.
  const lists = walk.endpoints.filter(
    (e) =>
      e.method === 'GET' &&
      isList(e) &&
      e.access.kind === 'token' &&
      paramNames(e).length === 0 &&
      !['listDevices', 'reportUptime'].includes(e.name),
  );
  const look = async () =>
    Promise.all(
      lists.map(async (e) =>
        (({ body, headers }) => [nameOf(e), headers.get('x-total-count'), JSON.stringify(body)])(
          await a.call('GET', pathWith(e, {}, queryIn(e, a))),
        ),
      ),
    );
  const before = await look();
  must(await b.call('POST', '/api/playlists', { name: 'Noise' }), 201);
  must(await b.call('POST', `/api/playlists/${b.playlist}/publish`));
  must(await b.call('POST', '/api/folders', { name: 'Noise' }), 201);
  must(await b.call('POST', '/api/groups', { name: 'Noise' }), 201);
  must(await b.call('POST', `/api/groups/${b.group}/command`, { type: 'screen_on' }));
  must(await b.call('PUT', `/api/devices/${b.device}`, { name: 'Noise' }));
  assert.deepEqual(await look(), before);
});

test('commands and overlays for a group reach only members of the group, and no player of another workspace', async () => {
  const { a, b } = walk.store;
  const heard = b.player.client.heard.length + b.panelPlayer.client.heard.length;
  const command = must(await a.call('POST', `/api/groups/${a.group}/command`, { type: 'screen_off' }));
  assert.deepEqual(command.results.map((r: { device_id: string }) => r.device_id).includes(b.device), false);
  const shown = must(
    await a.call('POST', '/api/pip', { device_id: a.group, type: 'image', uri: 'http://till.store.test/a.png' }),
  );
  assert.equal(shown.target, 'group');
  assert.equal(
    shown.results.some((r: { device_id: string }) => r.device_id === b.device),
    false,
  );
  must(await a.call('POST', '/api/pip/clear', { device_id: a.group }));
  assert.equal(b.player.client.heard.length + b.panelPlayer.client.heard.length, heard);
});

test('player fetches only its own program and files', async () => {
  const { a, b, site } = walk.store;
  const fetchAs = (path: string, token: string) => site.call('GET', path, { token });
  assert.equal((await fetchAs(`/api/player/assets/${a.asset}`, a.player.credential)).status, 200);
  for (const path of [`/api/player/assets/${b.asset}`, `/api/player/programs/${b.program}`])
    assert.equal((await fetchAs(path, a.player.credential)).status, 404, path);
});

test('user of two workspaces works in one workspace at a time', async () => {
  const { a, a2, site, people } = walk.store;
  const second = must(
    await site.call('POST', '/api/auth/switch-workspace', { token: people.owner.token, body: { workspace_id: a2 } }),
  ).token;
  const call = callAs(site, second);
  assert.deepEqual(must(await call('GET', '/api/playlists')), []);
  const made = must(await call('POST', '/api/playlists', { name: 'Second only' }), 201);
  assert.equal(made.workspace_id, a2);
  assert.equal((await a.call('GET', `/api/playlists/${made.id}`)).status, 404);
});
