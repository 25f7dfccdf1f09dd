/**
 * A valid request for every endpoint: ids from a workspace of the test store, and the body from the contract's
 * examples.
 */

import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { BODY_EXAMPLES } from '../../shared/contract/body-examples.ts';
import { type Endpoint, isMultipart } from '../../shared/contract/endpoint.ts';
import { type Answer, fromAnywhere } from '../people.ts';
import { connectPlayer, DEVICE, hashOf } from '../player-client.ts';
import { upload } from '../uploads.ts';
import { picture } from './media.ts';
import { type Room, type Store, WATCHED_RESTORE } from './site.ts';

export type Params = Readonly<Record<string, string | number>>;

/** Returns the id for a path parameter, by the path segment before the parameter. */
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

const QUERY: Record<string, (room: Room) => string> = {
  listPlaces: () => 'kind=playlist',
  listHindrances: (r) => `kind=screen&ids=${r.device}`,
  weekOfSchedules: (r) => `device_id=${r.device}`,
  proveServerIdentity: () => `nonce=${'ab'.repeat(16)}`,
};

export const takesJson = (endpoint: Endpoint): boolean => endpoint.body !== null && !isMultipart(endpoint.body);
export const queryIn = (endpoint: Endpoint, room: Room): string => QUERY[endpoint.name]?.(room) ?? '';
export const bodyIn = (endpoint: Endpoint, room: Room): Record<string, unknown> => {
  const make = BODY_EXAMPLES[endpoint.name];
  if (!make) throw new Error(`shared/contract/body-examples.ts has no body for ${endpoint.name}`);
  return make({ ...room, fresh: randomBytes(4).toString('hex') });
};

/** Returns a pairing code that a player shows right now. */
export const codeOnScreen = async (t: TestContext, store: Store): Promise<string> => {
  const client = await connectPlayer(t, store.site);
  client.say({ type: 'hello', protocol: 1, secret_hash: hashOf(randomBytes(32).toString('hex')), device: DEVICE });
  return (await client.next('pairing'))['code'];
};

/**
 * Returns the lowest credential that an endpoint accepts in workspace A: a token with the required scope, a session,
 * the player's credential, or none.
 */
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

/** Sends an endpoint's example in workspace A; the given parts replace parts of the example. */
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

/** A well-formed id that no record has. */
export const NOWHERE = '01900000-0000-7000-8000-000000000000';
/** An unknown id. Its form depends on the path parameter: an item's id is a number. */
export const nowhere = (name: string, like: string | number): string | number =>
  typeof like === 'number' ? 999_999_999 : name === 'sha256' || /^[0-9a-f]{64}$/.test(like) ? '0'.repeat(64) : NOWHERE;
