/** Which cached answers hold something of each kind of records that the server announces changes of. */
import type { Topic } from '../../shared/protocol/live.ts';

/**
 * First member of a query's key. `me`, `config` and what else is no topic of the server's is refreshed with those that
 * hold it.
 */
export type QueryRoot = Topic | 'me' | 'config' | 'users' | 'workspaces' | 'server' | 'search';

/**
 * A playlist's items carry names and pictures of contents, a screen shows which playlist is in force, and so on: these
 * answers are out of date as well when a record of the topic changes. Only those on the page are fetched again.
 */
const alsoHolds: Partial<Record<Topic, readonly QueryRoot[]>> = {
  content: ['playlists', 'devices', 'walls', 'schedules', 'plans'],
  folders: ['content'],
  playlists: ['devices', 'groups', 'walls', 'schedules', 'plans', 'approvals'],
  approvals: ['alerts'],
  campaigns: ['alerts'],
  devices: ['playlists', 'groups', 'walls', 'plans'],
  layouts: ['devices', 'schedules', 'plans'],
  groups: ['devices', 'playlists', 'schedules', 'plans'],
  schedules: ['devices', 'playlists', 'plans'],
  walls: ['devices', 'playlists', 'plans'],
  widgets: ['playlists', 'devices', 'schedules', 'plans'],
  members: ['users', 'workspaces', 'me'],
  settings: ['config', 'server', 'workspaces', 'me'],
};

/** Records of these are found by their names. */
const isFound = (topic: Topic): boolean => !UNNAMED.has(topic);
const UNNAMED: ReadonlySet<Topic> = new Set([
  'alerts',
  'approvals',
  'overlays',
  'bin',
  'plays',
  'activity',
  'tokens',
  'pending',
  'settings',
  'reports',
  'chain',
  'stores',
  'campaigns',
]);

/**
 * Every change is in the activity log, and what it deleted in the bin, except plays, which come by the second and are
 * nobody's doing.
 */
export const rootsOf = (topic: Topic): readonly string[] => [
  topic,
  ...(alsoHolds[topic] ?? []),
  ...(isFound(topic) ? ['search'] : []),
  ...(topic === 'plays' ? [] : ['activity', 'bin']),
];
