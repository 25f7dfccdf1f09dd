/** The cached answers that contain records of each announced topic. */
import type { Topic } from '../../../shared/protocol/live.ts';

/**
 * First member of a query's key. Roots that are no topic of the server (`me`, `config` and others) are refreshed with
 * the topics that they contain.
 */
export type QueryRoot = Topic | 'me' | 'config' | 'users' | 'workspaces' | 'server' | 'search';

/**
 * A playlist's items contain names and pictures of contents, a screen contains its playlist, and so on: these answers
 * are out of date as well when a record of the topic changes. Only those on the page are fetched again.
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

/** Whether the search finds records of the topic. */
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
 * Every change is in the activity log, and deletions are in the bin, except plays, which arrive every second without
 * any user action.
 */
export const rootsOf = (topic: Topic): readonly string[] => [
  topic,
  ...(alsoHolds[topic] ?? []),
  ...(isFound(topic) ? ['search'] : []),
  ...(topic === 'plays' ? [] : ['activity', 'bin']),
];
