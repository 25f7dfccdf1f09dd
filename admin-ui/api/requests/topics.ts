/** Maps each announced topic to the cached answers that contain records of the topic. */
import type { Topic } from '../../../shared/protocol/live.ts';

/**
 * Root: first element of a query's cache key. Roots that are not topics of the server (`me`, `config` and others) are
 * refreshed with the topics whose records their answers contain.
 */
export type QueryRoot = Topic | 'me' | 'config' | 'users' | 'workspaces' | 'server' | 'search';

/**
 * For each topic, the roots of other cached answers that contain records of the topic. Playlist items contain names and
 * pictures of contents, a screen contains its playlist, and so on. When a record changes, these answers are out of
 * date, too. Only answers that the page uses are fetched again.
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
  'brand',
]);

/**
 * Returns the roots of the cached answers that a change of the topic makes outdated. Every change also appears in the
 * activity log, and a deletion in the bin. Only plays do not, since they arrive every second without any user action.
 */
export const rootsOf = (topic: Topic): readonly string[] => [
  topic,
  ...(alsoHolds[topic] ?? []),
  ...(isFound(topic) ? ['search'] : []),
  ...(topic === 'plays' ? [] : ['activity', 'bin']),
];
