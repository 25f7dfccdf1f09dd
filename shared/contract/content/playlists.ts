/** Playlists and their items (resource API, Playlists). */
import { z } from 'zod';
import { LONGEST_TRANSITION_MS, Transition } from '../../program/program.ts';
import { USUAL_TRANSITION_MS } from '../../program/transition.ts';
import { atOnce, make, nothing, on, type Showing } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { DurationSec, Epoch, Id, Int, ItemIdParam, Name, Ref, SortOrder, textOf, wholeFrom } from '../fields.ts';
import { queryOwner } from '../people/owner.ts';
import { COPY_NAME, CopyBody } from './copies.ts';
import { VALIDITY_RULE, validityIn, validityOut } from './validity.ts';

/** Maximum number of playlists in a workspace. */
export const MAX_PLAYLISTS = 10_000;

/**
 * Maximum number of items in a playlist. More items would slow down every program and every page, and no known playlist
 * needs more.
 */
export const MAX_PLAYLIST_ITEMS = 2000;

/** Maximum number of stored versions of a playlist. The newest versions stay. */
export const MAX_VERSIONS = 50;

const endpoint = endpointsOf('Playlists');

export const Playlist = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.enum(['draft', 'published']),
  workspace_id: z.string().nullable(),
  item_count: Int,
  /** Number of devices that currently use this playlist. */
  display_count: Int,
  /** Time of the last publication; null: never. */
  published_at: Epoch.nullable(),
  /** Device that owns the playlist (created by an assignment to the device); otherwise null. */
  device_id: z.string().nullable(),
  /** Transition of items that have no own transition; null: a cut. */
  transition: Transition.nullable(),
  /** Published default transition, which screens use. */
  published_transition: Transition.nullable(),
  created_at: Epoch,
  updated_at: Epoch,
});
export type Playlist = z.infer<typeof Playlist>;

/** Transition in a request. If the length is absent, the default length is used. Null counts as absent. */
const TransitionIn = z
  .object({
    kind: Transition.shape.kind,
    ms: wholeFrom(0, LONGEST_TRANSITION_MS, undefined, 'must be a whole number of milliseconds').nullish(),
  })
  .transform(({ kind, ms }): Transition => ({ kind, ms: kind === 'cut' ? 0 : (ms ?? USUAL_TRANSITION_MS) }))
  .nullable();
const TRANSITION_RULE = `transition ({kind: cut, fade, push or wipe, ms: up to ${LONGEST_TRANSITION_MS}, ${USUAL_TRANSITION_MS} where absent} or null) runs in the first milliseconds of the item, on all panels of a wall as on one.`;

const clock = (pattern: RegExp, example: string) => z.string().regex(pattern, `must be a time like ${example}`);
const HH_MM = /^([01]\d|2[0-3]):[0-5]\d$/;
const realDate = (s: string) => {
  const d = new Date(`${s}T00:00:00Z`);
  return !Number.isNaN(d.getTime()) && d.toISOString().startsWith(s);
};
const CivilDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2026-12-24')
  .refine(realDate, 'must be a day that exists');
const OptionalDate = z
  .union([z.literal(''), z.null(), CivilDate])
  .optional()
  .transform((v) => v || null);

/** Block of day-parting. An item plays if any of its blocks matches, in the time zone of the device. */
export const ScheduleBlock = z
  .object({
    days: z
      .array(
        z.number().int('must be whole numbers').min(0, 'must be 0 (Sunday) to 6').max(6, 'must be 0 (Sunday) to 6'),
      )
      .min(1, 'must name at least one day')
      .max(70)
      .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
    start: clock(HH_MM, '09:00'),
    end: z.union([clock(HH_MM, '17:30'), z.literal('24:00')], { error: 'must be a time like 17:30, or 24:00' }),
    start_date: OptionalDate,
    end_date: OptionalDate,
  })
  .refine((b) => b.start !== b.end, { path: ['end'], message: 'must not be the same time as start' })
  .refine((b) => !b.start_date || !b.end_date || b.start_date <= b.end_date, {
    path: ['end_date'],
    message: 'must not be before start_date',
  });
export type ScheduleBlock = z.infer<typeof ScheduleBlock>;

/** A block of times as it is stored, in an answer. */
export const ScheduleBlockOut = z.object({
  days: z.array(Int),
  start: z.string(),
  end: z.string(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
});

export const PlaylistItem = z.object({
  id: Int,
  playlist_id: z.string(),
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  zone_id: z.string().nullable(),
  sort_order: Int,
  duration_sec: Int,
  muted: z.boolean(),
  filename: z.string().nullable(),
  mime_type: z.string().nullable(),
  thumbnail_path: z.string().nullable(),
  /** Length of the clip in seconds; null for stills. */
  content_duration: z.number().nullable(),
  remote_url: z.string().nullable(),
  widget_name: z.string().nullable(),
  widget_type: z.string().nullable(),
  widget_config: z.record(z.string(), z.unknown()).nullable(),
  schedules: z.array(ScheduleBlockOut),
  /** Transition from the previous item; null: the default transition of the playlist. */
  transition: Transition.nullable(),
  ...validityOut,
  /**
   * Validity of the item's content or widget. The item plays only while its own validity and this validity allow it.
   */
  shown_from: z.string().nullable(),
  shown_until: z.string().nullable(),
  /** Slot of a headquarters' campaign. The store's items in this slot play instead of the item; null: no slot. */
  slot_id: z.string().nullable(),
});
export type PlaylistItem = z.infer<typeof PlaylistItem>;

export const PlaylistWithItems = Playlist.extend({ items: z.array(PlaylistItem) });
export type PlaylistWithItems = z.infer<typeof PlaylistWithItems>;

/** Version of a playlist; each publication creates one. */
export const PlaylistVersion = z.object({
  id: Int,
  published_at: Epoch,
  /** User who published the version; empty if unknown. */
  user_name: z.string(),
  /** User who requested the publication, if `user_name` is the approver; null: no approval was needed. */
  asked_by_name: z.string().nullable(),
  item_count: Int,
});
export type PlaylistVersion = z.infer<typeof PlaylistVersion>;
export const PlaylistVersionWithItems = PlaylistVersion.extend({
  /** Transition of items that have no own transition. */
  transition: Transition.nullable(),
  /** Items of the version, without items whose content or widget was deleted later. */
  items: z.array(PlaylistItem),
  missing: Int,
});
export type PlaylistVersionWithItems = z.infer<typeof PlaylistVersionWithItems>;

export const NewItem = z
  .object({
    content_id: Ref.optional(),
    widget_id: Ref.optional(),
    zone_id: Ref.optional(),
    sort_order: SortOrder.nullish(),
    duration_sec: DurationSec.nullish(),
    transition: TransitionIn.optional(),
    ...validityIn,
  })
  .refine((b) => Boolean(b.content_id) !== Boolean(b.widget_id), {
    path: ['content_id'],
    message: 'send exactly one of content_id and widget_id',
  });
export type NewItem = z.infer<typeof NewItem>;

export const ItemChange = z
  .object({ sort_order: SortOrder, duration_sec: DurationSec, zone_id: Ref, transition: TransitionIn })
  .partial()
  .extend(validityIn);
export type ItemChange = z.infer<typeof ItemChange>;

/** New order: the ids of all items, each once. */
export const Order = z.object({ order: z.array(z.number().int('must be the ids of playlist items')).max(10_000) });

/**
 * Declares the contents that an edit of a draft may show on screens. Only the draft of a screen's own playlist shows
 * something, because the next edit publishes it.
 */
const editsDraft = ({ params }: { readonly params: { readonly id: string } }): Showing[] => [
  { by: 'draft', playlist: params.id },
];

const ItemId = z.object({ id: Id, itemId: ItemIdParam });

export const listPlaylists = endpoint('GET /api/playlists', {
  name: 'listPlaylists',
  summary: 'All playlists, oldest first',
  description: '`owner`: the store’s own, or what headquarters has there.',
  access: read,
  query: z.object({ owner: queryOwner }),
  response: z.array(Playlist),
});
export const createPlaylist = endpoint('POST /api/playlists', {
  name: 'createPlaylist',
  summary: 'Make an empty draft',
  access: write,
  acts: () => [make],
  shows: nothing,
  body: z.object({ name: Name, description: textOf().nullish() }),
  status: 201,
  response: Playlist,
  etag: true,
});
export const duplicatePlaylist = endpoint('POST /api/playlists/{id}/duplicate', {
  name: 'duplicatePlaylist',
  summary: 'Copy a playlist: a draft with the items of its draft',
  description: `A copy of a playlist from headquarters belongs to the workspace and has no places that the store fills. ${COPY_NAME}`,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: CopyBody,
  status: 201,
  response: PlaylistWithItems,
  etag: true,
});
export const getPlaylist = endpoint('GET /api/playlists/{id}', {
  name: 'getPlaylist',
  summary: 'A playlist with the items of its draft',
  access: read,
  response: PlaylistWithItems,
  etag: true,
});
export const updatePlaylist = endpoint('PUT /api/playlists/{id}', {
  name: 'updatePlaylist',
  summary: 'Rename, describe, or say how its items begin',
  description: `A name and a description leave the status as it is; another transition makes it a draft, for screens have the old one until it is published. ${TRANSITION_RULE}`,
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: ({ params, body }) => (body.transition === undefined ? [] : editsDraft({ params })),
  body: z.object({ name: Name.optional(), description: textOf().nullish(), transition: TransitionIn.optional() }),
  response: Playlist,
  errors: [412],
  etag: true,
});
export const deletePlaylist = endpoint('DELETE /api/playlists/{id}', {
  name: 'deletePlaylist',
  summary: 'Delete; screens that play it fall back',
  description: 'References from devices, groups and walls become null; schedules that showed nothing else are deleted.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: nothing,
  errors: [412],
});
export const publishPlaylist = endpoint('POST /api/playlists/{id}/publish', {
  name: 'publishPlaylist',
  summary: 'Store the draft as what screens play, and push it to them',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: atOnce,
  response: PlaylistWithItems,
  errors: [412],
  etag: true,
});
export const discardPlaylist = endpoint('POST /api/playlists/{id}/discard', {
  name: 'discardPlaylist',
  summary: 'Drop the draft’s changes: back to what is published',
  description: '400 when the playlist was never published, so that it has no published version to return to.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: nothing,
  response: PlaylistWithItems,
  errors: [412],
  etag: true,
});
const VersionParam = z.object({ id: Id, version: ItemIdParam });
export const listPlaylistVersions = endpoint('GET /api/playlists/{id}/versions', {
  name: 'listPlaylistVersions',
  summary: 'Published versions of a playlist, newest first',
  description: `The newest ${MAX_VERSIONS} are kept.`,
  access: read,
  response: z.array(PlaylistVersion),
});
export const getPlaylistVersion = endpoint('GET /api/playlists/{id}/versions/{version}', {
  name: 'getPlaylistVersion',
  summary: 'A version with its items, those left out whose content was deleted since',
  access: read,
  params: VersionParam,
  response: PlaylistVersionWithItems,
});
export const returnToPlaylistVersion = endpoint('POST /api/playlists/{id}/versions/{version}/return', {
  name: 'returnToPlaylistVersion',
  summary: 'Make a version the draft; screens change when it is published',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  params: VersionParam,
  response: PlaylistWithItems,
  errors: [412],
  etag: true,
});
export const listItems = endpoint('GET /api/playlists/{id}/items', {
  name: 'listPlaylistItems',
  summary: 'The draft’s items in order',
  access: read,
  response: z.array(PlaylistItem),
  etag: true,
});
export const addItem = endpoint('POST /api/playlists/{id}/items', {
  name: 'addPlaylistItem',
  summary: 'Add a content or a widget',
  description:
    'Last, or at sort_order, the others moving. duration_sec defaults to a video’s own length rounded up, else 10 seconds.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  body: NewItem,
  status: 201,
  response: PlaylistItem,
  errors: [412],
  etag: true,
});
export const reorderItems = endpoint('POST /api/playlists/{id}/items/reorder', {
  name: 'reorderPlaylistItems',
  summary: 'Put the items into a new order',
  description: '`order` must name every item of the playlist exactly once.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  body: Order,
  response: z.array(PlaylistItem),
  errors: [412],
  etag: true,
});
export const updateItem = endpoint('PUT /api/playlists/{id}/items/{itemId}', {
  name: 'updatePlaylistItem',
  summary: 'Change an item’s place, duration, zone or validity',
  description: `${VALIDITY_RULE} It plays while both the item and what it shows allow it.`,
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  params: ItemId,
  body: ItemChange,
  response: PlaylistItem,
  errors: [412],
  etag: true,
});
export const removeItem = endpoint('DELETE /api/playlists/{id}/items/{itemId}', {
  name: 'removePlaylistItem',
  summary: 'Take an item out of the draft',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  params: ItemId,
  errors: [412],
  etag: true,
});
export const listItemSchedules = endpoint('GET /api/playlists/{id}/items/{itemId}/schedules', {
  name: 'listPlaylistItemSchedules',
  summary: 'When an item plays (day-parting)',
  access: read,
  params: ItemId,
  response: z.array(ScheduleBlockOut),
});
export const replaceItemSchedules = endpoint('PUT /api/playlists/{id}/items/{itemId}/schedules', {
  name: 'replacePlaylistItemSchedules',
  summary: 'Replace when an item plays',
  description: 'None = always. Times are those of each device’s zone; start > end runs over midnight.',
  access: write,
  acts: ({ params }) => [on('playlist', params.id)],
  shows: editsDraft,
  params: ItemId,
  body: z.object({ blocks: z.array(ScheduleBlock).max(100, 'must be at most 100 blocks') }),
  response: z.array(ScheduleBlockOut),
  errors: [412],
  etag: true,
});
export const assignPlaylist = endpoint('POST /api/playlists/{id}/assign', {
  name: 'assignPlaylist',
  summary: 'Make it the playlist of a device',
  description: 'The ETag is the device’s.',
  access: write,
  acts: ({ body }) => [on('screen', body.device_id)],
  shows: nothing,
  body: z.object({ device_id: Id }),
  errors: [412],
  etag: true,
});

export const listPublishedItems = endpoint('GET /api/playlists/{id}/published', {
  name: 'listPublishedPlaylistItems',
  summary: 'Published items of a playlist, which screens play',
  description:
    'Empty when it was never published. Items keep their ids from the draft, so that the two can be compared.',
  access: read,
  response: z.array(PlaylistItem),
});

export const PlaylistDevice = z.object({
  device_id: z.string(),
  name: z.string(),
  /** Records that use the playlist. `layout`: a zone of the layout shows the playlist directly. */
  source: z.enum(['schedule', 'device', 'wall', 'group', 'layout']),
  /** Layout of the device, as in devices.ts. */
  layout_id: z.string().nullable(),
  orientation: z.enum(['0', '90', '180', '270']),
  screen_width: Int,
  screen_height: Int,
});
export type PlaylistDevice = z.infer<typeof PlaylistDevice>;

export const listPlaylistDevices = endpoint('GET /api/playlists/{id}/devices', {
  name: 'listPlaylistDevices',
  summary: 'Devices whose playlist in force it is now, or in whose layout it has a zone, and why',
  description: 'By name. As many as `display_count` says.',
  access: read,
  response: z.array(PlaylistDevice),
});
