/**
 * What each endpoint that writes says of itself, held against members who may not do everything: whatever it is sent,
 * it is refused, or it says that there is nothing to refuse. A new endpoint must be entered here where it says so.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { type Act, isAdministering } from '../../shared/contract/acts.ts';
import { type Asked, type Endpoint, isWrite } from '../../shared/contract/endpoint.ts';
import { type Answer, callAs, colleague, must, type Person } from '../people.ts';
import { bodyIn, paramsIn, queryIn, send, takesJson } from './examples.ts';
import { nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();

/** Roles that nobody has who is narrowed: whoever has them counts as an administrator. */
const ADMINISTER = ['manager', 'org_admin', 'platform_admin'];
const reachable = (e: Endpoint) => isWrite(e) && !(e.access.kind === 'session' && ADMINISTER.includes(e.access.role));

/** One's own account, and what a service lets only administrators do, of whatever workspace the path names. */
const OWN = [
  'acceptInvite',
  'createInvite',
  'createView',
  'deleteInvite',
  'deleteView',
  'logout',
  'makePasswordLink',
  'removeMember',
  'removeOrganizationRole',
  'resetUserPassword',
  'setOrganizationRole',
  'switchWorkspace',
  'totpDisable',
  'totpEnable',
  'totpRegenerateRecoveryCodes',
  'totpSetup',
  'updateAlertDigest',
  'updateAlertRule',
  'updateMe',
  'updateMember',
  'updateView',
  'updateWorkspace',
];
/** They store nothing. */
const PREVIEWS = ['previewImport', 'previewKioskPage', 'previewMessage', 'previewWidget', 'startDryRun'];
/** What is made is on no screen yet. */
const MAKE = [
  'createKioskPage',
  'createLayout',
  'createPlaylist',
  'createWall',
  'createWidget',
  'duplicateKioskPage',
  'duplicateLayout',
  'duplicatePlaylist',
  'duplicateWidget',
];
const LIBRARY = [
  'cancelConversion',
  'createFolder',
  'createRemoteContent',
  'createVideoSiteContent',
  'deleteFolder',
  'updateFolder',
  'uploadContent',
];

const askedOf = (e: Endpoint): Asked => {
  const { a } = walk.store;
  const text = Object.fromEntries(Object.entries(paramsIn(e, a)).map(([name, value]) => [name, String(value)]));
  return {
    params: e.params.parse(text),
    query: e.query.parse(Object.fromEntries(new URLSearchParams(queryIn(e, a)))),
    body: (takesJson(e) ? (e.body as z.ZodType).parse(bodyIn(e, a)) : undefined) as undefined,
  };
};
/** Acts on records. What else an endpoint administers, the services leave to roles. */
const actsOf = (e: Endpoint): readonly Act[] => (e.acts?.(askedOf(e)) ?? []).filter((act) => !isAdministering(act));
const sorted = (endpoints: readonly Endpoint[]) => endpoints.map(({ name }) => name).sort();

const narrowed = async (rights: object): Promise<Person> => {
  const { site, a } = walk.store;
  const one = await colleague(site, a.owner, `n${JSON.stringify(rights).length}@a.test`, 'workspace_editor');
  const path = `/api/workspaces/${a.workspaceId}/members/${one.id}`;
  must(await a.call('PUT', path, { role: 'workspace_editor', ...rights }));
  return one;
};
const refusal = (code: string) => (answer: Answer) =>
  (answer.status !== 403 || answer.body.code !== code) && `not refused as ${code}`;

/** Puts everything that can be changed onto the screen of A. */
const putOnScreens = async (): Promise<void> => {
  const { a } = walk.store;
  const page = must(
    await a.call('POST', '/api/widgets', {
      widget_type: 'webpage',
      name: 'Page',
      config: { url: `/api/kiosk/${a.kiosk}/render` },
    }),
    201,
  ).id;
  for (const widget_id of [a.widget, page])
    must(await a.call('POST', `/api/playlists/${a.playlist}/items`, { widget_id }), 201);
  must(await a.call('POST', `/api/playlists/${a.playlist}/publish`));
  must(await a.call('PUT', `/api/layouts/device/${a.device}`, { layout_id: a.layout }));
  const [{ playlist_id }] = must(await a.call('GET', '/api/publish-requests'));
  must(await a.call('POST', `/api/playlists/${playlist_id}/assign`, { device_id: a.panel }));
};
let done: Promise<void> | undefined;
const onScreens = () => (done ??= putOnScreens());

test('every endpoint by which an editor writes says what it changes, and what it shows that nobody has approved', () => {
  const silent = walk.endpoints.filter((e) => reachable(e) && !(e.acts && e.shows));
  assert.deepEqual(silent.map(nameOf), []);
  const nothing = walk.endpoints.filter((e) => reachable(e) && actsOf(e).length === 0);
  assert.deepEqual(sorted(nothing), [...OWN, ...PREVIEWS].sort());
});

test('who only uploads, and has no folder, changes nothing at all', async () => {
  const { token } = await narrowed({ duty: 'upload', folder_ids: [] });
  await walk.each(
    (e) => reachable(e) && actsOf(e).length > 0,
    (e) => send(walk.store, e, { token }),
    refusal('outside_rights'),
  );
});

test('who may change the screens of no group changes what no screen shows: the library’s order, and what is new', async () => {
  await onScreens();
  const { token } = await narrowed({ group_ids: [] });
  const isFree = (e: Endpoint) =>
    actsOf(e).every(({ on }) => ['new', 'content', 'place', 'folder', 'newFolder', 'emptied'].includes(on));
  const free = walk.endpoints.filter((e) => reachable(e) && isFree(e));
  assert.deepEqual(sorted(free), [...OWN, ...PREVIEWS, ...MAKE, ...LIBRARY].sort());
  await walk.each(
    (e) => reachable(e) && !isFree(e) && e.name !== 'markAlerts',
    (e) => send(walk.store, e, { token }),
    refusal('outside_rights'),
  );
  // There is none, so there is nothing to refuse: one of theirs is in the feature's own test.
  must(await send(walk.store, walk.endpoints.find(({ name }) => name === 'markAlerts')!, { token }));
});

test('who may change the contents of no folder changes none, and puts none anywhere', async () => {
  const { token } = await narrowed({ folder_ids: [] });
  const PLACES: readonly string[] = ['content', 'place', 'folder', 'newFolder'];
  const concerned = (e: Endpoint) => actsOf(e).some(({ on }) => PLACES.includes(on));
  assert.deepEqual(
    sorted(walk.endpoints.filter((e) => reachable(e) && concerned(e))),
    [
      ...LIBRARY,
      'deleteContent',
      'importWorkspace',
      'replaceContent',
      'restoreOriginal',
      'startConversion',
      'updateContent',
    ].sort(),
  );
  await walk.each(
    (e) => reachable(e) && concerned(e),
    (e) => send(walk.store, e, { token }),
    refusal('outside_rights'),
  );
});

/** What an editor still does alone where publishing needs approval, as the examples have it. */
const UNSHOWN = [
  'addPlaylistItem',
  'addZone',
  'askToPublish',
  'approvePublishRequest',
  'assignGroupPlaylist',
  'assignPlaylist',
  'addGroupDevice',
  'clearDevicePlaylist',
  'clearOverlay',
  'commandDevice',
  'commandDevices',
  'commandGroup',
  'createGroup',
  'createPlan',
  'createSchedule',
  'deleteContent',
  'deleteDevice',
  'deleteGroup',
  'deleteKioskPage',
  'deleteLayout',
  'deleteOverlay',
  'deletePlan',
  'deletePlaylist',
  'deleteSavedReport',
  'deleteSchedule',
  'deleteWall',
  'deleteWidget',
  'deleteZone',
  'discardPlaylist',
  'identifyDevice',
  'identifyDevices',
  'identifyGroup',
  'createSavedReport',
  'markAlerts',
  'pairDevice',
  'refusePublishRequest',
  'removeAssignment',
  'removeGroupDevice',
  'removePlaylistItem',
  'reorderPlaylistItems',
  'replacePlaylistItemSchedules',
  'replaceWallDevices',
  'restoreFromBin',
  'returnToPlaylistVersion',
  'duplicateGroup',
  'duplicatePlan',
  'fillSlot',
  'setDeviceLayout',
  'tagDevices',
  'takeBackOrder',
  'updateContent',
  'updateGroup',
  'updateLayout',
  'updatePlan',
  'updatePlaylist',
  'updatePlaylistItem',
  'updateSavedReport',
  'updateSchedule',
  'updateZone',
  'withdrawMessage',
  'withdrawPublishRequest',
  ...['createCampaign', 'deleteCampaign', 'refuseCampaign', 'startCampaign', 'stopCampaign', 'updateCampaign'],
  ...['takeStoreStick', 'writeStoreStick'],
];

test('where publishing needs approval an editor puts nothing on screens past it', async () => {
  await onScreens();
  const { a, people } = walk.store;
  const workspace = (approval: 0 | 1) => a.call('PUT', `/api/workspaces/${a.workspaceId}`, { approval });
  must(await workspace(1));
  const free = new Set([...OWN, ...PREVIEWS, ...MAKE, ...LIBRARY, ...UNSHOWN].filter((name) => name !== 'createWall'));
  const concerned = walk.endpoints.filter((e) => reachable(e) && !free.has(e.name));
  assert.deepEqual(sorted(concerned), [
    'addAssignment',
    'assignGroupContent',
    'changeDevices',
    'copyAssignments',
    'createOrder',
    'createWall',
    'importWorkspace',
    'publishPlaylist',
    'reorderAssignments',
    'repeatMessage',
    'replaceContent',
    'restoreOriginal',
    'rollBack',
    'sendMessage',
    'setWallContent',
    'showOverlay',
    'startConversion',
    'updateAssignment',
    'updateDevice',
    'updateKioskPage',
    'updateWall',
    'updateWidget',
  ]);
  await walk.each(
    (e) => concerned.includes(e),
    (e) => send(walk.store, e, { token: people.editor.token }),
    refusal('approval_required'),
  );
  // Whoever administers is asked nothing: the publishing of the example goes through.
  const publish = walk.endpoints.find(({ name }) => name === 'publishPlaylist')!;
  const done = await send(walk.store, publish, { token: people.admin.token });
  assert.equal(done.status, 200, shown(done));
  must(await workspace(0));
  must(await callAs(walk.store.site, people.editor.token)('POST', `/api/playlists/${a.playlist}/publish`));
});
