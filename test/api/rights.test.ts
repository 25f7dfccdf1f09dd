/**
 * Calls each writing endpoint as a member with limited rights. The endpoint must refuse the request, unless the endpoint
 * declares that it changes nothing that rights limit. A new endpoint with such a declaration must be added to the lists
 * in this file.
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

/** Roles without limits: limits of rights do not apply to members with these roles. */
const ADMINISTER = ['manager', 'org_admin', 'platform_admin'];
const reachable = (e: Endpoint) => isWrite(e) && !(e.access.kind === 'session' && ADMINISTER.includes(e.access.role));

/** Endpoints of the user's own account, and endpoints that only administrators of the named workspace may use. */
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
  'updateBrand',
  'updateMe',
  'updateMember',
  'updateView',
  'updateWorkspace',
];
/** Endpoints that store nothing. */
const PREVIEWS = ['previewImport', 'previewKioskPage', 'previewMessage', 'previewWidget', 'startDryRun'];
/** Endpoints that create a record which no screen shows yet. */
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
/**
 * Returns the changes of records that an endpoint declares. Changes in administration are left out, because roles limit
 * them.
 */
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

/** Shows every record that can be changed on the screen of workspace A. */
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

test('every endpoint for editors declares what it changes, and what it shows on screens without approval', () => {
  const silent = walk.endpoints.filter((e) => reachable(e) && !(e.acts && e.shows));
  assert.deepEqual(silent.map(nameOf), []);
  const nothing = walk.endpoints.filter((e) => reachable(e) && actsOf(e).length === 0);
  assert.deepEqual(sorted(nothing), [...OWN, ...PREVIEWS].sort());
});

test('member who may only upload, but into no folder, cannot change anything', async () => {
  const { token } = await narrowed({ duty: 'upload', folder_ids: [] });
  await walk.each(
    (e) => reachable(e) && actsOf(e).length > 0,
    (e) => send(walk.store, e, { token }),
    refusal('outside_rights'),
  );
});

test('member with rights for no group can change only records that no screen shows', async () => {
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
  // There is no alert in this store, so this endpoint refuses nothing. The tests of the alerts feature cover alerts.
  must(await send(walk.store, walk.endpoints.find(({ name }) => name === 'markAlerts')!, { token }));
});

test('member with rights for no folder can neither change nor add content', async () => {
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

/** Endpoints that an editor may use without approval on the records of the examples, because no screen shows them. */
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

test('editor cannot bypass the approval of publications', async () => {
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
  // An administrator needs no approval, so the publication of the example succeeds.
  const publish = walk.endpoints.find(({ name }) => name === 'publishPlaylist')!;
  const done = await send(walk.store, publish, { token: people.admin.token });
  assert.equal(done.status, 200, shown(done));
  must(await workspace(0));
  must(await callAs(walk.store.site, people.editor.token)('POST', `/api/playlists/${a.playlist}/publish`));
});
