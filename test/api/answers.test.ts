/** Every endpoint answers a valid request as it declares: status, schema (checked by the server in tests), headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type Endpoint, isStream, statusesOf } from '../../shared/contract/endpoint.ts';
import { type Answer, fromAnywhere, must, register } from '../people.ts';
import { upload } from '../uploads.ts';
import { ACCOUNTS, ADDED, type Listed, RESOURCES } from './documents.ts';
import { codeOnScreen, rightful, send } from './examples.ts';
import { clip } from './media.ts';
import { brokenAnswer, nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();
const { each } = walk;

const accessOf = ({ access }: Endpoint) => (access.kind === 'token' ? access.scope : access.kind);

test('every endpoint in the two contract documents exists and needs the credential that the documents state', () => {
  const bound = new Map(walk.endpoints.map((e) => [nameOf(e), accessOf(e)]));
  const wrong = (listed: readonly Listed[], base: string) =>
    listed
      .filter(([method, path, access]) => bound.get(`${method} ${base}${path}`) !== access)
      .map(([method, path]) => `${method} ${base}${path}: ${bound.get(`${method} ${base}${path}`) ?? 'missing'}`);
  assert.equal(RESOURCES.length, 95);
  assert.equal(ACCOUNTS.length, 21);
  assert.deepEqual([...wrong(RESOURCES, '/api'), ...wrong(ACCOUNTS, '/api/auth'), ...wrong(ADDED, '/api')], []);
});

test('reading needs scope read, changing scope write, commands and overlays scope full, and administration a session', () => {
  for (const e of walk.endpoints.filter(({ access }) => access.kind === 'token')) {
    const isMessage = e.path.startsWith('/api/messages') && e.method !== 'GET' && !e.path.endsWith('/preview');
    const commands = /\/(command|identify)$/.test(e.path) || e.path.startsWith('/api/pip') || isMessage;
    // Endpoints that change nothing. Two of them have a request body.
    const asks = e.method === 'GET' || e.name === 'previewPlan' || e.name === 'checkPlayback';
    assert.equal(accessOf(e), commands ? 'full' : asks ? 'read' : 'write', nameOf(e));
  }
});

/**
 * Role that an endpoint for sessions needs. Endpoints that are not listed accept every signed-in user, and tests of the
 * features check their limits.
 */
const OF_A_ROLE: Readonly<Record<string, readonly string[]>> = {
  editor: [
    ...['createOrder', 'listPendingPlayers', 'pairDevice', 'takeBackOrder'],
    ...[
      'createCampaign',
      'deleteCampaign',
      'refuseCampaign',
      'rollBack',
      'startCampaign',
      'startDryRun',
      'stopCampaign',
    ],
    ...['updateCampaign', 'fetchStoreStick', 'takeStoreStick', 'writeStoreStick'],
  ],
  viewer: [
    ...['countStores', 'getStore', 'listStoreIncidents', 'listStorePlaces', 'listStores', 'getStoreStick'],
    ...['getOrder', 'listOrderStores', 'listOrders'],
    ...['getStoreRollout', 'getStoreSoftware', 'listRolloutStores', 'listStoreRollouts'],
    ...['getCampaign', 'getDryRun', 'listCampaignNeeds', 'listCampaignStores', 'listCampaigns', 'listEditions'],
    ...['exportStoreValues', 'getStoreValues', 'listCampaignValues', 'listValueNames'],
    ...['exportChainPlays', 'listChainPlays', 'sumChainPlays', 'totalChainPlays'],
  ],
  manager: [
    ...['createToken', 'deleteFromBin', 'emptyBin', 'listTokens', 'revokeToken'],
    ...['createStore', 'deleteStore', 'makeEnrolmentCode', 'seeStoreIncidents', 'updateStore'],
    ...['importStoreValues', 'setStoreValues'],
    ...['createStoreRollout', 'endStoreRollout', 'leaveOutOfRollout', 'pauseStoreRollout', 'previewStoreRollout'],
    'resumeStoreRollout',
    ...['enrolStore', 'getChain', 'leaveChain', 'letHeadquarters', 'limitFetching', 'dropCampaign'],
    ...['enrolByFile', 'getChainStick', 'writeChainStick', 'fetchChainStick', 'takeChainStick'],
  ],
  admin: ['listUsers', 'makePasswordLink', 'resetUserPassword'],
  org_admin: ['createWorkspace', 'deleteWorkspace'],
  platform_admin: [
    ...[
      'abortRollout',
      'deleteRelease',
      'getRollout',
      'getServerUpdate',
      'installServerUpdate',
      'letHeadquartersUpdate',
      'listReleases',
      'listRollouts',
      'pauseRollout',
      'resumeRollout',
      'returnServerUpdate',
      'startRollout',
      'uploadRelease',
    ],
    ...[
      'getConnections',
      'getServerSettings',
      'testMail',
      'testProvider',
      'updateConnections',
      'updateServerSettings',
      'bringInBackup',
      'confirmClock',
      'deleteBackup',
      'downloadBackup',
      'restoreBackup',
      'testBackup',
      'ticketForBackup',
    ],
    ...['getServerStatus', 'getUpkeepSettings', 'listBackups', 'makeBackup', 'testNotices', 'updateUpkeepSettings'],
    ...['confirmUserPassword', 'deleteUser', 'releaseIdentities', 'setUserRole'],
  ],
};

test('each endpoint for sessions needs the role that the list OF_A_ROLE states', () => {
  const found: Record<string, string[]> = {};
  for (const { access, name } of walk.endpoints)
    if (access.kind === 'session' && access.role !== 'user') found[access.role] = [...(found[access.role] ?? []), name];
  const sorted = (lists: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(lists).map(([role, names]) => [role, names.toSorted()]));
  assert.deepEqual(sorted(found), sorted(OF_A_ROLE));
});

test('creation answers 201, everything else 200', () => {
  const creates = new Set([
    '/api/content',
    '/api/content/remote',
    '/api/content/videosite',
    '/api/folders',
    '/api/playlists',
    '/api/playlists/{id}/duplicate',
    '/api/playlists/{id}/items',
    '/api/playlists/{id}/publish-request',
    '/api/assignments/device/{deviceId}',
    '/api/layouts',
    '/api/layouts/{id}/zones',
    '/api/layouts/{id}/duplicate',
    '/api/widgets/{id}/duplicate',
    '/api/kiosk/{id}/duplicate',
    '/api/groups/{id}/duplicate',
    '/api/plans/{id}/duplicate',
    '/api/groups',
    '/api/groups/{id}/devices',
    '/api/schedules',
    '/api/plans',
    '/api/walls',
    '/api/widgets',
    '/api/kiosk',
    '/api/views',
    '/api/messages',
    '/api/messages/{id}/again',
    '/api/reports/saved',
    '/api/auth/register',
    '/api/tokens',
    '/api/workspaces',
    '/api/workspaces/{id}/invites',
    '/api/devices/pair',
    '/api/server/backups',
    '/api/server/backups/brought-in',
    '/api/stores',
    '/api/stores/{id}/code',
    '/api/stores/orders',
    '/api/stores/rollouts',
    '/api/campaigns',
    '/api/campaigns/{id}/dry-run',
    '/api/chain',
    '/api/chain/offline',
    '/api/chain/sticks',
    '/api/stores/{id}/sticks',
    '/api/updates/releases',
    '/api/updates/rollouts',
  ]);
  for (const e of walk.endpoints) {
    const status = e.method === 'POST' && creates.has(e.path) ? 201 : e.name === 'verifyEmail' ? 302 : 200;
    assert.equal(e.status, status, nameOf(e));
  }
});

test('every endpoint declares a summary, a tag and a unique name, and repeats no error that follows from its access', () => {
  const names = walk.endpoints.map((e) => e.name);
  assert.equal(new Set(names).size, names.length);
  for (const e of walk.endpoints) {
    assert.ok(e.summary && e.tag, nameOf(e));
    const follow = statusesOf({ ...e, errors: [] });
    assert.deepEqual(
      e.errors.filter((status) => follow.includes(status)),
      [],
      nameOf(e),
    );
  }
});

/**
 * Endpoints that need more than the request of their example, or that are not called here but tested beside their
 * feature.
 */
const ELSEWHERE = new Set([
  'totpEnable',
  'totpDisable',
  'totpRegenerateRecoveryCodes',
  'totpVerify',
  'signInWithProviderA',
  'signInWithProviderB',
  'logout',
  'deleteWorkspace',
  'acceptInvite',
  // Fails here because a rollout is in progress already.
  'startRollout',
  // Fails here because nothing would start this server again after the restore.
  'restoreBackup',
  // Fails here because the uploaded file must be a backup of another server.
  'bringInBackup',
  // Fails here because this server does not run as a service, so it cannot start another version.
  'installServerUpdate',
  'returnServerUpdate',
  // Fails here because the server trusts its clock, so there is nothing to confirm.
  'confirmClock',
  // Fail here because there is no headquarters (see test/chain).
  'enrolStore',
  'enrolByFile',
  'writeChainStick',
  'fetchChainStick',
  'takeChainStick',
  // Fail here because no store is enrolled (see test/chain/transfer-files.test.ts).
  'writeStoreStick',
  'fetchStoreStick',
  'takeStoreStick',
  'leaveChain',
  'letHeadquarters',
  'letHeadquartersUpdate',
  'limitFetching',
  // Fails here because no store is enrolled (see server/headquarters/rollouts/rollouts.test.ts).
  'createStoreRollout',
]);

/** Order of the deletions: no deletion removes a record that a later deletion needs. */
const DELETES_LAST = [
  'deleteFromBin',
  'emptyBin',
  'removePlaylistItem',
  'removeAssignment',
  'deleteZone',
  'removeGroupDevice',
  'revokeToken',
  'deleteInvite',
  'deleteSchedule',
  'deleteWall',
  'deleteGroup',
  'clearDevicePlaylist',
  'deleteKioskPage',
  'deleteWidget',
  'deletePlaylist',
  'deleteLayout',
  'deleteDevice',
  'deleteContent',
  'deleteFolder',
  'removeMember',
  'deleteUser',
  'deleteRelease',
  'deleteCampaign',
  'deleteStore',
  'dropCampaign',
];

test('every list carries X-Total-Count', async () => {
  const lists = (e: Endpoint) => (e.response as { def?: { type?: string } }).def?.type === 'array';
  const counted = ({ status, body, headers }: Answer, whole: boolean) => {
    const total = headers.get('x-total-count');
    if (status !== 200) return 'not 200';
    if (total === null) return 'no X-Total-Count';
    return (
      (whole ? Number(total) !== body.length : Number(total) < body.length) && `counts ${total}, lists ${body.length}`
    );
  };
  const { a } = walk.store;
  const order = async (path: string) => ({
    order: must(await a.call('GET', path)).map((item: { id: number }) => item.id),
  });
  const bodies: Record<string, () => Promise<unknown>> = {
    reorderAssignments: () => order(`/api/assignments/device/${a.device}`),
    reorderPlaylistItems: () => order(`/api/playlists/${a.playlist}/items`),
  };
  await each(
    lists,
    async (e) => send(walk.store, e, { token: rightful(walk.store, e), body: await bodies[e.name]?.() }),
    (answer, e) => counted(answer, !('limit' in e.query.shape)),
  );
  // The query parameters limit and offset do not change the total.
  for (const page of ['limit=1', 'limit=1&offset=1', 'offset=100000']) {
    await each(
      (e) => lists(e) && 'limit' in e.query.shape,
      async (e) => {
        const token = rightful(walk.store, e);
        const [whole, part] = [await send(walk.store, e, { token }), await send(walk.store, e, { token, query: page })];
        return {
          ...part,
          body: whole.headers.get('x-total-count') === part.headers.get('x-total-count') ? part.body : 'another total',
        };
      },
      (answer) => answer.body === 'another total' && `${page} changes the total`,
    );
  }
});

test('record has an ETag, and an edit with a stale If-Match gives 412 with a message about the change', async () => {
  const edits = (e: Endpoint) => e.errors.includes(412);
  for (const tag of ['"0"', 'W/"0"', 'nonsense', '"0", "x"']) {
    await each(
      edits,
      (e) => send(walk.store, e, { token: rightful(walk.store, e), headers: { 'If-Match': tag } }),
      ({ status, body }) =>
        !(status === 412 && /^(The|One of the) [a-z ]+ was changed by somebody else/.test(body.error)) &&
        `${tag} is not 412`,
    );
  }
  const records = [
    'content/{id}',
    'playlists/{id}',
    'devices/{id}',
    'layouts/{id}',
    'walls/{id}',
    'widgets/{id}',
    'kiosk/{id}',
  ].map((path) => `/api/${path}`);
  for (const path of records) {
    const get = walk.endpoints.find((e) => e.method === 'GET' && e.path === path);
    const put = walk.endpoints.find((e) => e.method === 'PUT' && e.path === path);
    assert.ok(get?.etag && put?.etag && put.errors.includes(412), path);
    const etag = (await send(walk.store, get, { token: rightful(walk.store, get) })).headers.get('etag');
    assert.ok(etag, `${path} has no ETag`);
    const edited = await send(walk.store, put, { token: rightful(walk.store, put), headers: { 'If-Match': etag } });
    assert.equal(edited.status, 200, `${path}: ${shown(edited)}`);
    assert.notEqual(edited.headers.get('etag'), etag, path);
    assert.equal(
      (await send(walk.store, put, { token: rightful(walk.store, put), headers: { 'If-Match': etag } })).status,
      412,
      path,
    );
    const unchanged = await send(walk.store, get, { token: rightful(walk.store, get) });
    assert.equal(unchanged.headers.get('etag'), edited.headers.get('etag'), `${path} is changed by what is refused`);
    assert.equal(
      (await send(walk.store, put, { token: rightful(walk.store, put), headers: { 'If-Match': '*' } })).status,
      200,
      path,
    );
  }
});

/** Returns fields of an answer that are not declared, such as a database column. */
const undeclared = (endpoint: Endpoint, body: unknown): string | false => {
  if (isStream(endpoint.response)) return false;
  const parsed = (endpoint.response as z.ZodType).safeParse(body);
  return !parsed.success
    ? 'not as declared'
    : !isDeepStrictEqual(parsed.data, body) && 'holds members that are not declared';
};

test('every endpoint answers a valid request with the declared status and fields', async (t) => {
  const { a, site } = walk.store;
  let nth = 0;
  /** Requests approval of a new playlist while approval is required. */
  const ask = async (): Promise<Answer> => {
    must(await a.call('PUT', `/api/workspaces/${a.workspaceId}`, { approval: 1 }));
    const { id } = must(await a.call('POST', '/api/playlists', { name: 'Asked for' }), 201);
    return a.call('POST', `/api/playlists/${id}/publish-request`, { note: 'For the weekend' });
  };
  const decide = (what: string) => async () =>
    a.call('POST', `/api/publish-requests/${must(await ask(), 201).id}/${what}`, { answer: 'So be it' });
  /** Makes an editor request the start of a campaign, and refuses the request. */
  const refused = async () => {
    must(await a.call('PUT', `/api/workspaces/${a.workspaceId}`, { approval: 1 }));
    const path = `/api/campaigns/${a.campaign}`;
    must(await a.call('PUT', path, { note: 'Ask for it' }));
    must(await site.call('POST', `${path}/start`, { token: walk.store.people.editor.token, body: {} }));
    return a.call('POST', `${path}/refuse`, { answer: 'So be it' });
  };
  const uploadClip = async () => upload(site, a.owner.token, await clip(1, `clip ${nth++}`), 'clip.mp4');
  /** Creates a content that keeps its original file, as after a conversion. */
  const converted = async (): Promise<string> => {
    const { id } = must(await uploadClip(), 201);
    const { db } = site.app;
    db.write(() => db.raw.prepare('UPDATE content SET original_sha256 = sha256 WHERE id = ?').run(id));
    return id;
  };
  const sends: Record<string, () => Promise<Answer>> = {
    askToPublish: ask,
    approvePublishRequest: decide('approve'),
    refusePublishRequest: decide('refuse'),
    withdrawPublishRequest: decide('withdraw'),
    refuseCampaign: refused,
    register: () => register(site, { email: 'someone-new@store.test', password: 'correct horse' }),
    spendPasswordLink: async () => {
      const { user } = must(await register(site, { email: 'forgetful@store.test', password: 'correct horse' }), 201);
      const make = `/api/auth/users/${user.id}/password-link`;
      const { token } = must(await site.call('POST', make, { token: walk.store.people.staff.token }));
      return site.call('POST', '/api/auth/password-link', { body: { token, password: 'another horse' } });
    },
    verifyEmail: () => site.call('GET', '/api/auth/verify-email?token=x', { headers: fromAnywhere() }),
    pairDevice: async () =>
      a.call('POST', '/api/devices/pair', { code: await codeOnScreen(t, walk.store), name: 'New' }),
    replaceWallDevices: () =>
      a.call('PUT', `/api/walls/${a.wall}/devices`, { devices: [{ device_id: a.panel, grid_col: 1, grid_row: 0 }] }),
    updateMe: () => a.call('PUT', '/api/auth/me', { name: 'Anna', email_alerts: false }),
    listPendingPlayers: () => a.call('GET', '/api/devices/pending'),
    removeGroupDevice: () => a.call('DELETE', `/api/groups/${a.group}/devices/${a.device}`),
    reorderAssignments: async () =>
      a.call('POST', `/api/assignments/device/${a.device}/reorder`, {
        order: must(await a.call('GET', `/api/assignments/device/${a.device}`))
          .map((item: { id: number }) => item.id)
          .toReversed(),
      }),
    reorderPlaylistItems: async () =>
      a.call('POST', `/api/playlists/${a.playlist}/items/reorder`, {
        order: must(await a.call('GET', `/api/playlists/${a.playlist}/items`))
          .map((item: { id: number }) => item.id)
          .toReversed(),
      }),
    restoreFromBin: async () => {
      const { id } = must(await a.call('POST', '/api/playlists', { name: 'Back' }), 201);
      must(await a.call('DELETE', `/api/playlists/${id}`));
      const [entry] = must(await a.call('GET', `/api/bin?ref=${id}`));
      return a.call('POST', `/api/bin/${entry.id}/restore`);
    },
    // Pauses the rollout, because without its only store it would be completed.
    endStoreRollout: async () => {
      site.app.db.write(() => site.app.db.raw.prepare("UPDATE hq_rollouts SET status = 'paused'").run());
      return a.call('POST', `/api/stores/rollouts/${a.rollout}/end`);
    },
    startConversion: async () => {
      const { id } = must(await uploadClip(), 201);
      return a.call('POST', `/api/content/${id}/convert`);
    },
    getOriginal: async () => a.call('GET', `/api/content/${await converted()}/original`),
    restoreOriginal: async () => a.call('POST', `/api/content/${await converted()}/original`),
    removeAssignment: () => a.call('DELETE', `/api/assignments/${a.secondItem}`),
  };
  const order = (e: Endpoint) =>
    e.method === 'GET' ? 0 : DELETES_LAST.includes(e.name) ? 2 + DELETES_LAST.indexOf(e.name) : 1;
  const problems: string[] = [];
  for (const endpoint of [...walk.endpoints]
    .filter((e) => !ELSEWHERE.has(e.name))
    .toSorted((x, y) => order(x) - order(y))) {
    const answer = await (sends[endpoint.name]?.() ??
      send(walk.store, endpoint, { token: rightful(walk.store, endpoint) }));
    const absent = endpoint.name === 'getContentThumbnail' && answer.status === 404;
    const found =
      brokenAnswer(answer) ||
      (answer.status !== endpoint.status && !absent && `not ${endpoint.status}`) ||
      (!absent && undeclared(endpoint, answer.body));
    // A backup contains the whole database, so only administrators of the server can download it.
    const mayName = ['getOpenApi', 'downloadBackup'].includes(endpoint.name);
    if (/password_hash|secret_hash|totp_secret|totp_last_step/.test(JSON.stringify(answer.body)) && !mayName)
      problems.push(`${nameOf(endpoint)} shows a secret`);
    if (found) problems.push(`${nameOf(endpoint)}: ${found}; ${shown(answer)}`);
  }
  assert.deepEqual(problems, []);
});
