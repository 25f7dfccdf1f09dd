/** Devices: the screens of a workspace (resource API, Devices). */
import { z } from 'zod';
import { ScreenFormats } from '../../formats/screen-formats.ts';
import { Placement, Program } from '../../program/program.ts';
import { COMMAND_NAMES, COMMANDS } from '../../protocol/commands.ts';
import { Showing, SyncReport } from '../../protocol/messages.ts';
import { TelemetryFields } from '../../protocol/telemetry.ts';
import { atOnce, each, membership, nothing, on } from '../acts.ts';
import { PlaylistItem, ScheduleBlock, ScheduleBlockOut } from '../content/playlists.ts';
import { endpointsOf, full, read, stream, write } from '../endpoint.ts';
import {
  Epoch,
  Id,
  Int,
  Name,
  paging,
  queryFlag,
  queryId,
  queryInt,
  queryText,
  queryWord,
  Ref,
  Success,
  secondsFrom,
  Tags,
  TimeZone,
  textOf,
} from '../fields.ts';
import { DEVICE_STATES } from './device-state.ts';

const endpoint = endpointsOf('Devices');

/** Program that the player should show, and whether the player shows it. */
export const ProgramState = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'ready', 'failed']),
  reason: z.string().optional(),
});
export type ProgramState = z.infer<typeof ProgramState>;

export const Orientation = z.enum(['0', '90', '180', '270']);
export type Orientation = z.infer<typeof Orientation>;

export const Device = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Status of a device. `online`: the device has a live, authenticated connection. `provisioning`: the device shows a
   * code and is not claimed yet (only in the list of waiting players).
   */
  status: z.enum(['provisioning', 'online', 'offline']),
  workspace_id: z.string().nullable(),
  /** Playlist of the device itself; null while the device inherits a playlist. */
  playlist_id: z.string().nullable(),
  /** Layout of the device; null: full screen. */
  layout_id: z.string().nullable(),
  /** Id of the content that plays when nothing else plays on this device. */
  default_content_id: z.string().nullable(),
  timezone: z.string(),
  /** Degrees clockwise by which the image is rotated to appear upright. */
  orientation: Orientation,
  /** Opening hours: blocks of time in which the panel is on, by the clock of the device's time zone; empty: always. */
  opening_hours: z.array(ScheduleBlockOut),
  notes: z.string(),
  /** Tags, spelled as people have entered them, in alphabetical order. */
  tags: z.array(z.string()),
  created_at: Epoch,
  updated_at: Epoch,
  /** Address from which the player connected, as seen by the server. */
  ip_address: z.string().nullable(),
  /** Time of the last heartbeat of the player; null: never. */
  last_heartbeat: Epoch.nullable(),
  ...TelemetryFields.shape,
  platform: z.string(),
  version: z.string(),
  capabilities: z.array(z.string()),
  screen_width: Int,
  screen_height: Int,
  /** Formats that the screen plays; null: the player does not report formats. */
  formats: ScreenFormats.nullable(),
  /** Contents on the screen now, by zone; empty while the device is offline. */
  showing: z.array(Showing),
  /**
   * Whether the panel is on: false outside of the opening hours and after screen_off. Null: the device is offline,
   * or the player does not report it.
   */
  screen_on: z.boolean().nullable(),
  /** Difference to the shared clock, measured by the device; null: not reported. */
  sync: SyncReport.nullable(),
  program: ProgramState.nullable(),
  /** Time of the newest screenshot; null: there is no screenshot. */
  screenshot_at: Epoch.nullable(),
});
export type Device = z.infer<typeof Device>;

export const TelemetryRow = TelemetryFields.extend({ reported_at: Epoch });
export type TelemetryRow = z.infer<typeof TelemetryRow>;

/** Row of the status log; `until` is null while the status lasts. */
export const StatusRow = z.object({ status: z.enum(['online', 'offline']), since: Epoch, until: Epoch.nullable() });
export type StatusRow = z.infer<typeof StatusRow>;

export const PlaylistSource = z.enum(['schedule', 'device', 'wall', 'group']);
export type PlaylistSource = z.infer<typeof PlaylistSource>;

export const DeviceDetail = Device.extend({
  /** Items of the current playlist. */
  assignments: z.array(PlaylistItem),
  /** The latest 20 messages of the player, newest first. */
  telemetry: z.array(TelemetryRow),
  /** Telemetry of the last 24 hours, oldest first. */
  status_log: z.array(StatusRow),
  /** Id of the playlist that the screen plays now, and the source of this playlist. */
  current_playlist_id: z.string().nullable(),
  playlist_source: PlaylistSource.nullable(),
  /** Groups of the device. The group with the oldest membership comes first. */
  group_ids: z.array(z.string()),
  wall_id: z.string().nullable(),
});
export type DeviceDetail = z.infer<typeof DeviceDetail>;

const TURNED = { landscape: '0', portrait: '90', 'landscape-flipped': '180', 'portrait-flipped': '270' } as const;
const OrientationIn = z
  .enum(['0', '90', '180', '270', 'landscape', 'portrait', 'landscape-flipped', 'portrait-flipped'])
  .transform((v): Orientation => (v in TURNED ? TURNED[v as keyof typeof TURNED] : (v as Orientation)));

export const DeviceChange = z.object({
  name: Name.optional(),
  notes: textOf(4000)
    .nullish()
    .transform((text) => (text === null ? '' : text)),
  // Refuses offsets like +01:00, which Intl accepts: they are not IANA names and have no daylight saving time.
  timezone: TimeZone.refine((zone) => !/^[+-]/.test(zone), 'must be an IANA time zone like Europe/Berlin').optional(),
  orientation: OrientationIn.optional(),
  opening_hours: z
    .array(ScheduleBlock)
    .max(100, 'must be at most 100 blocks')
    .nullish()
    .transform((blocks) => (blocks === null ? [] : blocks)),
  default_content_id: Ref.optional(),
  layout_id: Ref.optional(),
  tags: Tags.nullish().transform((tags) => (tags === null ? [] : tags)),
});
export type DeviceChange = z.infer<typeof DeviceChange>;

/** Command and its payload (protocol/commands.ts); unknown fields of a payload are refused. */
export const CommandBody = z
  .object({ type: z.enum(COMMAND_NAMES), payload: z.record(z.string(), z.unknown()).nullish() })
  .superRefine((body, ctx) => {
    const schema = COMMANDS[body.type].payload.strict();
    for (const issue of schema.safeParse(body.payload ?? {}).error?.issues ?? []) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
      if (unknown.length > 0)
        ctx.addIssue({
          code: 'custom',
          path: ['payload', ...unknown.slice(0, 1)],
          message: `is no member of the payload of ${body.type}`,
        });
      else ctx.addIssue({ code: 'custom', path: ['payload', ...issue.path], message: issue.message });
    }
  })
  .transform((body) => ({ type: body.type, payload: body.payload ?? {} }));
export type CommandBody = z.infer<typeof CommandBody>;

/**
 * Status of a command. `sent`: the command was written to the player's socket, but no answer came within 2 s. An
 * offline device still receives the command if it reconnects before the command expires.
 */
export const CommandStatus = z.enum(['sent', 'done', 'failed', 'unsupported', 'offline']);
export type CommandStatus = z.infer<typeof CommandStatus>;
/** Returns whether a command puts a page onto the screen. */
export const showsPage = ({ type, payload }: CommandBody): boolean => type === 'launch' && Boolean(payload['url']);

/** Result of a command on one device; a row of `results` of a group command. */
export const CommandResult = z.object({
  device_id: z.string(),
  name: z.string(),
  status: CommandStatus,
  error: z.string().optional(),
});
export type CommandResult = z.infer<typeof CommandResult>;

/** Returns the schema of an answer with one result for each device. */
export const resultsOf = <R extends z.ZodType>(result: R) =>
  Success.extend({ sent: Int, offline: Int, total: Int, results: z.array(result) });

/** Body of "identify": shows the name of the screen over everything for some seconds. */
export const IdentifyBody = z.object({
  seconds: secondsFrom(10, 60)
    .nullish()
    .transform((seconds) => seconds ?? 20),
});
/**
 * Result of a request to identify a screen. `unsupported`: the player is too old for the request. If the screen is
 * offline, the server does not store the request.
 */
export const IdentifyStatus = z.enum(['sent', 'unsupported', 'offline']);
export const IdentifyResult = z.object({ device_id: z.string(), name: z.string(), status: IdentifyStatus });
export type IdentifyResult = z.infer<typeof IdentifyResult>;

/**
 * Sort orders of a device list. `status` begins with problems, `last_seen` with the longest silence, `storage` with the
 * fullest disk. `playlist` sorts by the name of the device's own playlist, `address` by its local address.
 */
export const DEVICE_SORTS = [
  'name',
  'status',
  'playlist',
  'tags',
  'version',
  'address',
  'storage',
  'last_seen',
  'created',
] as const;

/** Maximum number of devices that a request for a list names. */
export const MAX_IDS = 200;

/** Selection and order of devices. Without parameters: all devices, by name. */
const deviceQuery = {
  ids: queryText(10_000).transform((text, ctx) => {
    const ids = text?.split(',').filter(Boolean);
    if (ids && ids.length > MAX_IDS) ctx.addIssue({ code: 'custom', message: `must be at most ${MAX_IDS} ids` });
    return ids;
  }),
  q: queryText(),
  status: queryWord(DEVICE_STATES),
  group_id: queryId,
  without_group_id: queryId,
  layout_id: queryId,
  tag: queryText(50),
  version: queryText(),
  sort: queryWord(DEVICE_SORTS),
  direction: queryWord(['asc', 'desc'], 'asc'),
};
const DeviceQuery = z.object(deviceQuery);
type Asked = z.infer<typeof DeviceQuery>;
/** Languages of the header line and of the states in an exported file. */
export const csvLanguages = ['en', 'de'] as const;
export type CsvLanguage = (typeof csvLanguages)[number];
export type DeviceQuery = { readonly [K in keyof Asked]?: Asked[K] | undefined };

export const listDevices = endpoint('GET /api/devices', {
  name: 'listDevices',
  summary: 'Devices by name, then by creation, with their latest telemetry',
  description:
    `ids: these alone, separated by commas, at most ${MAX_IDS}. group_id: in that group, or in one of several that commas separate; without_group_id: in none of them. ` +
    'q: what its name, notes, addresses or tags have in them. With sort, devices that are alike in it come by name as people count: Screen 2 before Screen 10.',
  access: read,
  query: z.object({ ...deviceQuery, ...paging(100, 500) }),
  response: z.array(Device),
  errors: [404],
  etag: 'cached',
});

export const countDevices = endpoint('GET /api/devices/counts', {
  name: 'countDevices',
  summary: 'How many devices there are, how many are online, have problems, and have each layout',
  description: 'Devices with problems are offline, or cannot show what they should: `status=problems` in the list.',
  access: read,
  response: z.object({
    total: Int,
    online: Int,
    problems: Int,
    layouts: z.array(z.object({ layout_id: z.string(), count: Int })),
  }),
});

export const exportDevices = endpoint('GET /api/devices/csv', {
  name: 'exportDevices',
  summary: 'Devices as CSV, filtered and sorted like the list; streamed',
  description: 'Times in UTC. Cells that a spreadsheet would run begin with an apostrophe.',
  access: read,
  query: DeviceQuery.extend({ language: queryWord(csvLanguages, 'en') }),
  response: stream('text/csv', 'named'),
  errors: [404],
});

/** Maximum number of screens that one request names or one filter finds. */
export const MAX_CHOSEN = 5_000;

/** Field of a body that names screens; duplicates are removed. */
export const chosenDevices = {
  device_ids: z
    .array(Id)
    .min(1, 'must name at least one screen')
    .max(MAX_CHOSEN, `must be at most ${MAX_CHOSEN} screens`)
    .transform((ids) => [...new Set(ids)]),
};

export const listTags = endpoint('GET /api/tags', {
  name: 'listTags',
  summary: 'The tags that screens have, in alphabetical order, and how many screens have each',
  access: read,
  query: z.object(paging(500, 2000)),
  response: z.array(z.object({ tag: z.string(), count: Int })),
});
export const tagDevices = endpoint('POST /api/devices/tags', {
  name: 'tagDevices',
  summary: 'Add tags to many devices, and take others away',
  description:
    'Tags that differ only in upper and lower case are one: the spelling that the workspace knows stays. Groups whose rule names them, and plans for them, follow. devices_updated: devices whose tags are others now. 400 when a device would have more than 20; 404 when one of them does not exist; nothing is changed then.',
  access: write,
  acts: ({ body }) => [
    ...each('screen', body.device_ids),
    { on: 'tags', tags: [...(body.add ?? []), ...(body.remove ?? [])] },
  ],
  shows: nothing,
  body: z.object({ ...chosenDevices, add: Tags.optional(), remove: Tags.optional() }),
  response: Success.extend({ devices_updated: Int }),
  errors: [404],
});
export const getDevice = endpoint('GET /api/devices/{id}', {
  name: 'getDevice',
  summary: 'A device with its assignments, telemetry and status log',
  access: read,
  response: DeviceDetail,
  etag: true,
});
export const updateDevice = endpoint('PUT /api/devices/{id}', {
  name: 'updateDevice',
  summary: 'Rename, describe, turn, set zone of time, opening hours, layout and default content',
  description:
    'orientation also takes landscape, portrait, landscape-flipped and portrait-flipped, stored as 0, 90, 180 and 270. References are cleared by null or "". ' +
    'opening_hours: blocks like those of day-parting; outside of them the panel is switched off, by the player itself, with and without a server. screen_on and screen_off ' +
    'prevail until the hours next begin or end. [] or null: always on.',
  access: write,
  acts: ({ params, body }) => [
    on('screen', params.id),
    ...(body.tags ? [{ on: 'tags', id: params.id, tags: body.tags } as const] : []),
  ],
  shows: ({ params, body }) => [
    { by: 'fallback', of: 'device', ids: [params.id], content_id: body.default_content_id },
  ],
  body: DeviceChange,
  response: Device,
  errors: [412],
  etag: true,
});
export const deleteDevice = endpoint('DELETE /api/devices/{id}', {
  name: 'deleteDevice',
  summary: 'Delete; its player forgets its content at once and shows a new code',
  access: write,
  acts: ({ params }) => [on('screen', params.id), membership],
  shows: nothing,
  errors: [412],
});
export const clearDevicePlaylist = endpoint('DELETE /api/devices/{id}/playlist', {
  name: 'clearDevicePlaylist',
  summary: 'Take the device’s own playlist away: it inherits its group’s again',
  access: write,
  acts: ({ params }) => [on('screen', params.id)],
  shows: nothing,
  errors: [412],
  etag: true,
});
export const getDeviceTelemetry = endpoint('GET /api/devices/{id}/telemetry', {
  name: 'getDeviceTelemetry',
  summary: 'Telemetry over time, oldest first',
  description:
    'Every report while it is among the latest 20, one per 5 minutes of the last 24 hours, one per hour of the last 30 days.',
  access: read,
  query: z.object({ hours: queryInt(1, 720, 24) }),
  response: z.array(TelemetryRow),
});
/**
 * Program of a device, for previews. From the program, `resolve` (shared/program) computes what the device shows at any
 * instant, with the same code as the player.
 */
export const DeviceProgram = z.object({ program: Program, placement: Placement });
export type DeviceProgram = z.infer<typeof DeviceProgram>;

export const getDeviceProgram = endpoint('GET /api/devices/{id}/program', {
  name: 'getDeviceProgram',
  summary: 'All that the device may show, as its player gets it',
  description:
    'The program that is compiled for it now (its player may still be fetching the files), and what is this device’s alone: orientation, time zone, opening hours, place in a wall.',
  access: read,
  response: DeviceProgram,
});
export const getDeviceScreenshot = endpoint('GET /api/devices/{id}/screenshot', {
  name: 'getDeviceScreenshot',
  summary: 'The latest picture of the screen',
  description:
    '`fresh=true` asks the player for a new one: 503 when it does not answer within 5 seconds. 404 when there is none.',
  access: read,
  query: z.object({
    fresh: queryFlag,
  }),
  response: stream(['image/jpeg', 'image/png', 'image/webp'], 'cached'),
});
/** Text for the API document: after how many seconds each command expires, like `60 seconds (screen_on, …)`. */
const EXPIRIES = [...Map.groupBy(COMMAND_NAMES, (name) => COMMANDS[name].expiresAfterMs)]
  .map(([ms, names]) => `${ms / 1_000} seconds (${names.join(', ')})`)
  .join(', ');
export const commandDevice = endpoint('POST /api/devices/{id}/command', {
  name: 'commandDevice',
  summary: 'Send a command to a device',
  description: `Waits at most 2 seconds for the player’s answer. Expires after ${EXPIRIES}.`,
  access: full,
  acts: ({ params }) => [on('screen', params.id)],
  shows: ({ body }) => (showsPage(body) ? atOnce() : []),
  body: CommandBody,
  response: Success.extend({ id: z.string(), status: CommandStatus, error: z.string().optional() }),
});
export const identifyDevice = endpoint('POST /api/devices/{id}/identify', {
  name: 'identifyDevice',
  summary: 'Show the device’s name on its screen',
  description:
    'Over everything, without disturbing what plays, for `seconds` (10 to 60, by default 20). `sent` says that its player has it; nothing is kept for one that is offline.',
  access: full,
  acts: ({ params }) => [on('screen', params.id)],
  shows: nothing,
  body: IdentifyBody,
  response: Success.extend({ status: IdentifyStatus }),
});
