/** Facts about each table for the bin: the kind of its records, the owners of its rows, and columns that show a record. */
import type { BinKind, PlaceKind } from '../../../shared/contract/content/bin.ts';

/** Table of each kind of record that can be deleted into the bin. */
export const TABLES: Readonly<Record<Exclude<BinKind, 'file'>, string>> = {
  content: 'content',
  playlist: 'playlists',
  plan: 'plans',
  layout: 'layouts',
  group: 'groups',
  widget: 'widgets',
  wall: 'walls',
  kiosk: 'kiosk_pages',
};

/** Columns through which a row shows a record. A row uses one of these columns, or several together. */
export const SHOWN_TABLES: Readonly<Record<string, string>> = {
  content_id: 'content',
  widget_id: 'widgets',
  layout_id: 'layouts',
  playlist_id: 'playlists',
};
export const SHOWN = Object.keys(SHOWN_TABLES);
export const SHOWING: ReadonlySet<string> = new Set(['plans', 'zones', 'walls']);
export const ITEMS: ReadonlySet<string> = new Set(['playlist_items', 'published_items']);
/** Kind of the records of a table. */
export const KINDS: Readonly<Record<string, PlaceKind>> = {
  content: 'content',
  widgets: 'widget',
  playlists: 'playlist',
  plans: 'plan',
  layouts: 'layout',
  zones: 'layout',
  devices: 'screen',
  groups: 'group',
  walls: 'wall',
  workspaces: 'workspace',
  folders: 'folder',
  chain_slots: 'slot',
};
/** Owner of a row that is only a part of a record: the column with the owner's id, and its table. */
export const OWNERS: Readonly<Record<string, readonly [column: string, table: string]>> = {
  playlist_items: ['playlist_id', 'playlists'],
  published_items: ['playlist_id', 'playlists'],
  zones: ['layout_id', 'layouts'],
  plan_targets: ['plan_id', 'plans'],
  schedules: ['plan_id', 'plans'],
  campaign_plans: ['campaign', 'campaign_plans'],
};
/** Name column of tables without a `name`. */
export const NAMES: Readonly<Record<string, string>> = {
  plans: 'title',
  campaign_plans: 'title',
  chain_slots: "limits ->> '$.name'",
};
/** Tables of memberships, and the table of the members. */
export const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['group_members', 'devices'],
  ['wall_members', 'devices'],
]);
