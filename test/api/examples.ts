/** A good request for every endpoint: what its path names in a room, and a body that would be taken. */

import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { type Endpoint, isMultipart } from '../../shared/contract/endpoint.ts';
import { type Answer, fromAnywhere } from '../people.ts';
import { connectPlayer, DEVICE, hashOf } from '../player-client.ts';
import { upload } from '../uploads.ts';
import { campaign } from './campaigns.ts';
import { picture } from './media.ts';
import { type Room, type Store, WATCHED_RESTORE } from './site.ts';

export type Params = Readonly<Record<string, string | number>>;

/** Which record a path member stands for, by the segment before it. */
const RECORD: Record<string, (room: Room) => string | number> = {
  content: (r) => r.image,
  folders: (r) => r.folder,
  playlists: (r) => r.playlist,
  items: (r) => r.item,
  assignments: (r) => r.item,
  device: (r) => r.device,
  devices: (r) => r.device,
  'copy-to': (r) => r.panel,
  layouts: (r) => r.layout,
  zones: (r) => r.zone,
  groups: (r) => r.group,
  schedules: (r) => r.schedule,
  plans: (r) => r.plan,
  walls: (r) => r.wall,
  'device-config': (r) => r.panel,
  widgets: (r) => r.widget,
  kiosk: (r) => r.kiosk,
  messages: (r) => r.message,
  views: (r) => r.view,
  stores: (r) => r.store,
  orders: (r) => r.order,
  campaigns: (r) => r.campaign,
  slots: (r) => r.slot,
  'chain/campaigns': (r) => r.stayed,
  saved: (r) => r.report,
  bin: (r) => r.bin,
  places: (r) => r.playlist,
  versions: (r) => r.version,
  'publish-requests': (r) => r.request,
  users: (r) => r.member.id,
  workspaces: (r) => r.workspaceId,
  organizations: (r) => r.organizationId,
  members: (r) => r.member.id,
  invites: (r) => r.invite,
  'accept-invite': (r) => r.invite,
  tokens: (r) => r.token,
  programs: (r) => r.program,
  backups: (r) => r.backup,
  restores: () => WATCHED_RESTORE,
  assets: (r) => r.asset,
  releases: (r) => r.release,
  rollouts: (r) => r.rollout,
  files: (r) => r.releaseFile,
  sticks: () => 1,
};

export const paramNames = (endpoint: Pick<Endpoint, 'path'>): string[] =>
  [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);

export const paramsIn = (endpoint: Pick<Endpoint, 'path'>, room: Room): Params => {
  const segments = endpoint.path.split('/');
  return Object.fromEntries(
    segments.flatMap((segment, i) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      const record = RECORD[segments.slice(i - 2, i).join('/')] ?? RECORD[segments[i - 1]!];
      if (name && !record) throw new Error(`no example for ${endpoint.path}`);
      return name && record ? [[name, record(room)]] : [];
    }),
  );
};

export const pathWith = (endpoint: Pick<Endpoint, 'path'>, params: Params, query = ''): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))) +
  (query && `?${query}`);

type Body = Record<string, unknown>;
const overlay = (r: Room) => ({ device_id: r.device, type: 'image', uri: 'http://till.store.test/note.png' });
const wallMember = (r: Room) => ({ device_id: r.panel, grid_col: 0, grid_row: 0, rotation: 90 });
const block = { days: [1, 2], start: '08:00', end: '12:00' };

/** By the endpoint's name. */
const BODY: Record<string, (room: Room) => Body> = {
  register: () => ({
    email: `new-${randomBytes(4).toString('hex')}@store.test`,
    password: 'correct horse',
    name: 'New',
  }),
  login: (r) => ({ email: r.member.email, password: 'correct horse' }),
  resendVerification: () => ({ email: 'nobody@store.test' }),
  totpEnable: () => ({ code: '123456' }),
  totpDisable: () => ({ code: '123456' }),
  totpRegenerateRecoveryCodes: () => ({ code: '123456' }),
  totpVerify: () => ({ mfa_token: 'mfa', code: '123456' }),
  signInWithProviderA: () => ({ credential: 'a.b.c' }),
  signInWithProviderB: () => ({ access_token: 'token' }),
  updateMe: () => ({ name: 'Anna', email_alerts: 1, language: 'de' }),
  switchWorkspace: (r) => ({ workspace_id: r.workspaceId }),
  setUserRole: () => ({ role: 'user' }),
  spendPasswordLink: () => ({ token: 'vtl_unknown', password: 'another horse' }),
  resetUserPassword: () => ({ password: 'another horse' }),
  updateServerSettings: () => ({ name: 'Vitrine', language: 'en' }),
  updateConnections: () => ({ mail_from: 'store@store.test', allowed_hosts: ['nas.store.test:8080'] }),
  testProvider: () => ({ provider: 'provider_a' }),
  makeBackup: () => ({ complete: false }),
  restoreBackup: () => ({ password: 'correct horse' }),
  confirmClock: () => ({ doubt: 'x' }),
  installServerUpdate: (r) => ({ release_id: r.release, password: 'correct horse' }),
  returnServerUpdate: () => ({ password: 'correct horse' }),
  updateUpkeepSettings: () => ({
    plays_days: 400,
    telemetry_days: 30,
    activity_days: 400,
    logs_days: 14,
    backup_daily: 1,
    backup_hour: 3,
    backup_keep: 7,
    backup_folder: '',
    dark_minutes: 15,
    dark_mail: 1,
    webhook_url: '',
    webhook_secret: '',
    webhook_plays: 0,
    mqtt_url: '',
    mqtt_username: '',
    mqtt_password: '',
    mqtt_topic: 'vitrine',
    mqtt_plays: 0,
  }),
  createWorkspace: () => ({ name: 'Third' }),
  updateWorkspace: () => ({ name: 'Aurora', approval: 0 }),
  updateMember: (r) => ({
    role: 'workspace_viewer',
    duty: 'upload',
    folder_ids: [r.folder],
    group_ids: [r.group],
    approves: false,
  }),
  setOrganizationRole: () => ({ role: 'org_admin' }),
  createInvite: () => ({ email: 'guest@store.test', role: 'workspace_viewer' }),
  createToken: () => ({ name: 'Till', scope: 'read' }),
  createRemoteContent: () => ({ url: 'http://pictures.invalid/a.png', name: 'A', mime_type: 'image/png' }),
  createVideoSiteContent: () => ({ url: 'https://youtu.be/aaaaaaaaaaa', name: 'A' }),
  updateContent: (r) => ({ filename: 'b.gif', mime_type: 'image/gif', folder: 'spring', folder_id: r.folder }),
  createFolder: (r) => ({ name: 'F', parent_id: r.folder }),
  updateFolder: () => ({ name: 'G', parent_id: null }),
  updateDevice: (r) => ({
    name: 'Door',
    notes: 'left',
    timezone: 'Europe/Berlin',
    orientation: '90',
    opening_hours: [block],
    default_content_id: r.image,
    layout_id: r.layout,
    tags: ['window'],
  }),
  tagDevices: (r) => ({ device_ids: [r.device], add: ['window'], remove: ['door'] }),
  changeDevices: (r) => ({
    changes: [
      { device_ids: [r.device], set: { name: 'Door', layout_id: r.layout, playlist_id: r.playlist, tags: ['window'] } },
      { device_ids: [r.panel], set: { default_content_id: r.image }, join: r.group },
    ],
  }),
  commandDevices: (r) => ({ device_ids: [r.device], command: { type: 'screen_on', payload: {} } }),
  identifyDevices: (r) => ({ device_ids: [r.device], seconds: 30 }),
  commandDevice: () => ({ type: 'screen_on', payload: {} }),
  identifyDevice: () => ({ seconds: 30 }),
  createPlaylist: () => ({ name: 'P', description: 'd' }),
  updatePlaylist: () => ({ name: 'Q', description: 'e' }),
  addPlaylistItem: (r) => ({ content_id: r.image, zone_id: r.zone, sort_order: 0, duration_sec: 5 }),
  reorderPlaylistItems: (r) => ({ order: [r.secondItem, r.item] }),
  updatePlaylistItem: (r) => ({ sort_order: 0, duration_sec: 5, zone_id: r.zone }),
  replacePlaylistItemSchedules: () => ({ blocks: [block] }),
  assignPlaylist: (r) => ({ device_id: r.device }),
  askToPublish: () => ({ note: 'For the weekend' }),
  approvePublishRequest: () => ({ answer: 'Nice' }),
  refusePublishRequest: () => ({ answer: 'Not so' }),
  addAssignment: (r) => ({ content_id: r.image, zone_id: r.zone, sort_order: 0, duration_sec: 5 }),
  reorderAssignments: (r) => ({ order: [r.secondItem, r.item] }),
  copyAssignments: () => ({ replace: true }),
  updateAssignment: (r) => ({ sort_order: 0, duration_sec: 5, zone_id: r.zone, muted: true }),
  createLayout: () => ({ name: 'L', width: 100, height: 100, zones: [{ name: 'Z', width_percent: 50 }] }),
  updateLayout: (r) => ({ name: 'M', width: 100, height: 100, zones: [{ id: r.zone, name: 'Z' }] }),
  addZone: () => ({
    name: 'Z',
    x_percent: 0,
    y_percent: 0,
    width_percent: 50,
    height_percent: 50,
    z_index: 1,
    zone_type: 'content',
    fit_mode: 'contain',
    background_color: '#000000',
  }),
  updateZone: () => ({ name: 'Y', z_index: 2 }),
  duplicateLayout: () => ({ name: 'Copy' }),
  duplicatePlaylist: () => ({ name: 'Copy' }),
  setDeviceLayout: (r) => ({ layout_id: r.layout }),
  createGroup: () => ({ name: 'G', color: '#112233', rule_tags: ['window'] }),
  updateGroup: () => ({ name: 'H', color: '#112233', rule_tags: null }),
  addGroupDevice: (r) => ({ device_id: r.panel }),
  assignGroupContent: (r) => ({ content_id: r.image, duration_sec: 5 }),
  assignGroupPlaylist: (r) => ({ playlist_id: r.playlist }),
  commandGroup: () => ({ type: 'screen_on', payload: {} }),
  identifyGroup: () => ({ seconds: 30 }),
  createSchedule: (r) => ({
    device_id: r.device,
    playlist_id: r.playlist,
    zone_id: r.zone,
    layout_id: r.layout,
    title: 'S',
    start_time: '2026-03-02T09:00',
    end_time: '2026-03-02T10:00',
    timezone: 'Europe/Berlin',
    recurrence: 'FREQ=DAILY',
    recurrence_end: '2026-04-01',
    color: '#112233',
    priority: 1,
    enabled: 1,
  }),
  createPlan: (r) => ({
    targets: [
      { kind: 'device', id: r.device },
      { kind: 'group', id: r.group },
      { kind: 'tag', id: 'window' },
    ],
    playlist_id: r.playlist,
    title: 'S',
    start_time: '2026-03-02T09:00',
    end_time: '2026-03-02T10:00',
    recurrence: 'FREQ=DAILY',
    recurrence_end: '2026-04-01',
    color: '#112233',
    priority: 1,
    enabled: 1,
  }),
  checkPlayback: (r) => ({ playlist_id: r.playlist, targets: [{ kind: 'device', id: r.device }] }),
  previewPlan: (r) => ({
    targets: [{ kind: 'device', id: r.device }],
    playlist_id: r.playlist,
    start_time: '2026-03-02T09:00',
    end_time: '2026-03-02T10:00',
    plan_id: r.plan,
  }),
  updatePlan: (r) => ({ targets: [{ kind: 'device', id: r.device }], title: 'T', priority: 2 }),
  updateSchedule: () => ({ title: 'T', priority: 2 }),
  createWall: (r) => ({
    name: 'W',
    grid_cols: 3,
    grid_rows: 1,
    bezel_h_mm: 5,
    bezel_v_mm: 5,
    screen_w_mm: 500,
    screen_h_mm: 300,
    sync_mode: 'clock',
    content_id: r.image,
    playlist_id: r.playlist,
  }),
  updateWall: (r) => ({ name: 'X', content_id: r.image, playlist_id: r.playlist, leader_device_id: r.panel }),
  replaceWallDevices: (r) => ({ devices: [wallMember(r)] }),
  setWallContent: (r) => ({ content_id: r.image }),
  sendMessage: (r) => ({
    template: 'alarm',
    title: 'Till 2 opens',
    text: 'Please come over',
    colors: { background: '#112233', text: '#FFFFFF' },
    position: 'top',
    duration: 60,
    targets: [
      { kind: 'device', id: r.device },
      { kind: 'group', id: r.group },
      { kind: 'tag', id: 'tills' },
    ],
  }),
  markAlerts: (r) => ({ ids: ['none'], acknowledged: true, assigned_to: r.member.id, muted_until: null }),
  updateAlertDigest: () => ({ enabled: true, hour: 7, when_nothing: false }),
  updateAlertRule: () => ({
    kind: 'screen_cpu',
    enabled: true,
    threshold: 90,
    minutes: 5,
    mail: false,
    webhook: true,
    mqtt: false,
  }),
  createSavedReport: (r) => ({
    name: 'Cola',
    filters: { content_id: [r.image], group_id: r.group },
    language: 'de',
    recipients: ['cola@example.com'],
  }),
  updateSavedReport: () => ({ name: 'Fizz', recipients: [] }),
  updateView: () => ({ name: 'Doors', query: { tag: 'door' } }),
  createStore: () => ({
    name: `Store ${randomBytes(4).toString('hex')}`,
    region: 'South',
    tags: ['mall'],
    note: 'N',
    latitude: 52.52,
    longitude: 13.405,
  }),
  updateStore: () => ({ region: 'West', tags: ['mall'], note: 'M', latitude: 48.137, longitude: 11.575 }),
  createOrder: (r) => ({ command: { type: 'screen_on' }, stores: { which: 'named', ids: [r.store] } }),
  setStoreValues: () => ({ values: { price: '3.99' } }),
  importStoreValues: (r) => ({ table: `Store;price\n${r.store};2.99` }),
  limitFetching: () => ({
    rate_kb: 500,
    hours: [{ days: [1, 2, 3, 4, 5], start: '22:00', end: '06:00', start_date: null, end_date: null }],
  }),
  createCampaign: (r) => ({ ...campaign(`Campaign ${randomBytes(4).toString('hex')}`, r), note: 'N' }),
  startCampaign: () => ({ lacking: true }),
  refuseCampaign: () => ({ answer: 'Not so' }),
  updateCampaign: () => ({ note: 'M', rank: 'default' }),
  rollBack: () => ({ edition: 1 }),
  previewStoreRollout: (r) => ({
    version: '9.0.0',
    waves: [
      { name: 'First', stores: { which: 'named', ids: [r.store] } },
      { name: 'All', stores: { which: 'rest' } },
    ],
  }),
  createStoreRollout: () => ({
    version: '9.0.0',
    waves: [{ name: 'Ten', stores: { which: 'count', count: 10 } }],
    healthy_minutes: 15,
  }),
  leaveOutOfRollout: (r) => ({ store_id: r.store }),
  letHeadquartersUpdate: () => ({ lets_update: true }),
  fillSlot: (r) => ({ playlist_id: r.playlist }),
  letHeadquarters: () => ({ may: 'workspace_viewer' }),
  enrolByFile: () => ({
    ...{ address: 'https://127.0.0.1:1', code: '0'.repeat(24), store: 'mill', name: 'Mill', headquarters: 'HQ' },
    ...{ key: '0'.repeat(64), seal_key: '0'.repeat(64), sticks: { taken: 0, written: 0 } },
  }),
  enrolStore: () => ({ address: 'https://127.0.0.1:1', code: '0'.repeat(24) }),
  createView: () => ({ name: 'Windows', query: { tag: 'window', view: 'table' } }),
  previewMessage: () => ({ template: 'offer', title: '1,99', text: 'Apples' }),
  showOverlay: (r) => ({
    ...overlay(r),
    position: 'center',
    width: 100,
    height: 100,
    duration: 60,
    title: 'T',
    title_color: '#112233',
    background_color: '#112233',
    opacity: 0.5,
    border_radius: 5,
    close_button: true,
  }),
  deleteOverlay: (r) => ({ device_id: r.device }),
  clearOverlay: (r) => ({ device_id: r.device }),
  createWidget: () => ({ widget_type: 'clock', name: 'C', config: {} }),
  previewWidget: () => ({ widget_type: 'clock', config: {} }),
  previewKioskPage: () => ({ config: {} }),
  updateWidget: () => ({ name: 'D', config: {} }),
  createKioskPage: () => ({ name: 'K', config: {} }),
  updateKioskPage: () => ({ name: 'L', config: {} }),
  pairDevice: () => ({ code: 'ZZZZZZ', name: 'New' }),
  startRollout: (r) => ({ release_id: r.release, first_device_id: r.device, group_ids: [r.group], minutes: 5 }),
};

const QUERY: Record<string, (room: Room) => string> = {
  listPlaces: () => 'kind=playlist',
  listHindrances: (r) => `kind=screen&ids=${r.device}`,
  weekOfSchedules: (r) => `device_id=${r.device}`,
  proveServerIdentity: () => `nonce=${'ab'.repeat(16)}`,
};

export const takesJson = (endpoint: Endpoint): boolean => endpoint.body !== null && !isMultipart(endpoint.body);
export const queryIn = (endpoint: Endpoint, room: Room): string => QUERY[endpoint.name]?.(room) ?? '';
export const bodyIn = (endpoint: Endpoint, room: Room): Body => {
  const make = BODY[endpoint.name];
  if (!make) throw new Error(`no example body for ${endpoint.name}`);
  return make(room);
};

/** A code that a player shows right now. */
export const codeOnScreen = async (t: TestContext, store: Store): Promise<string> => {
  const client = await connectPlayer(t, store.site);
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(randomBytes(32).toString('hex')), device: DEVICE });
  return (await client.next('pairing'))['code'];
};

/** Who may call it in room A: a token of just the scope asked for, a session, the player, nobody. */
export const rightful = ({ people, tokens, a }: Store, { access }: Endpoint): string | undefined => {
  if (access.kind === 'public') return undefined;
  if (access.kind === 'device') return a.player.credential;
  if (access.kind === 'token') return tokens[access.scope];
  return access.role === 'platform_admin' ? people.staff.token : people.owner.token;
};

export interface Sent {
  readonly token?: string | undefined;
  readonly params?: Params;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends an endpoint's example in room A, with what is given in place of its parts. */
export const send = async (
  store: Store,
  endpoint: Endpoint,
  { token, params = paramsIn(endpoint, store.a), query = queryIn(endpoint, store.a), body, headers }: Sent = {},
): Promise<Answer> => {
  const path = pathWith(endpoint, params, query);
  if (endpoint.body !== null && isMultipart(endpoint.body) && body === undefined) {
    const file =
      endpoint.name === 'importWorkspace' || endpoint.name === 'previewImport'
        ? Buffer.from('{"format": "vitrine-export", "version": 1}')
        : picture(randomBytes(4).toString('hex'));
    const name = endpoint.name === 'uploadRelease' ? 'Vitrine-9.9.9-linux-x64.tar.gz' : 'c.gif';
    return upload(store.site, token ?? '', file, name, { method: endpoint.method, path, headers });
  }
  const json = body ?? (takesJson(endpoint) ? bodyIn(endpoint, store.a) : undefined);
  return store.site.call(endpoint.method, path, {
    token,
    headers: { ...fromAnywhere(), ...headers },
    ...(json !== undefined && { body: json }),
  });
};

/** An id like ours that names nothing. */
export const NOWHERE = '01900000-0000-7000-8000-000000000000';
/** By the path member: an item's id is a number. */
export const nowhere = (name: string, like: string | number): string | number =>
  typeof like === 'number' ? 999_999_999 : name === 'sha256' || /^[0-9a-f]{64}$/.test(like) ? '0'.repeat(64) : NOWHERE;
