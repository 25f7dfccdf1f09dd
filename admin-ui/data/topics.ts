/** The cached answers that contain records of each announced topic. */
import type { Topic } from '../../shared/protocol/live.ts';

/**
 * First element of the cache key of a query. Keys that are no topic of the server (`me`, `config` and others) are
 * refreshed with the topics whose records they contain.
 */
export type QueryRoot = Topic | 'me' | 'config' | 'users' | 'workspaces' | 'server' | 'search';

/**
 * Cached answers that are outdated when a record of the topic changes: a playlist's items contain names and pictures of
 * contents, a screen contains its playlist, and so on. Only answers that are shown are fetched again.
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

/** Returns whether the search finds records of the topic. */
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
 * Every change adds an entry to the activity log, and a deletion adds one to the bin. Plays are excluded, which arrive
 * every second without any user action.
 */
export const rootsOf = (topic: Topic): readonly string[] => [
  topic,
  ...(alsoHolds[topic] ?? []),
  ...(isFound(topic) ? ['search'] : []),
  ...(topic === 'plays' ? [] : ['activity', 'bin']),
];
