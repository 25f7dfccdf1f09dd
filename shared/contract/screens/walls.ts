/** Video walls (resource API, Video walls). Lengths in millimetres. */
import { z } from 'zod';
import { each, make, nothing, on } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { between, Epoch, Id, Int, Name, Ref, whole } from '../fields.ts';

const endpoint = endpointsOf('Video walls');

export const WallMember = z.object({
  device_id: z.string(),
  device_name: z.string(),
  device_status: z.string(),
  grid_col: Int,
  grid_row: Int,
  rotation: Int,
  /** Position in the wall. It is computed from the cell if no position was given. */
  canvas_x: z.number(),
  canvas_y: z.number(),
  canvas_width: z.number(),
  canvas_height: z.number(),
});
export type WallMember = z.infer<typeof WallMember>;

/**
 * Comparison of the panels' pictures: how far apart in time are the pictures that the panels show at the same instant.
 */
const WallApart = z.object({
  /** Number of compared panels. */
  panels: Int,
  /** Share of the time in which all panels showed the same picture, 0 to 1. */
  same_share: z.number(),
  /**
   * Age difference in milliseconds between the oldest and the newest picture on the panels. For 50 % of the time the
   * difference is not larger.
   */
  apart_p50_ms: z.number(),
  /** The same difference. For 99 % of the time it is not larger. */
  apart_p99_ms: z.number(),
  /**
   * Milliseconds between the first and the last panel that changed to the same new still. In 99 % of the changes the
   * time is not longer; null: no changes.
   */
  change_p99_ms: z.number().nullable(),
});

/**
 * Difference of the panels to the shared clock, as the panels measured it; null without a recent report. `apart`:
 * difference between the panels; null while too few panels report their pictures, or for too short a time.
 */
export const WallSync = z.object({
  panels: Int,
  error_p50_ms: z.number().nullable(),
  error_p99_ms: z.number().nullable(),
  apart: WallApart.nullable(),
});

export const Wall = z.object({
  id: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  grid_cols: Int,
  grid_rows: Int,
  bezel_h_mm: z.number(),
  bezel_v_mm: z.number(),
  screen_w_mm: z.number(),
  screen_h_mm: z.number(),
  sync_mode: z.string(),
  leader_device_id: z.string().nullable(),
  content_id: z.string().nullable(),
  playlist_id: z.string().nullable(),
  created_at: Epoch,
  devices: z.array(WallMember),
  sync: WallSync,
});
export type Wall = z.infer<typeof Wall>;

const Cells = whole(1, 50);
const Bezel = between(0, 1000);
const Panel = between(1, 10_000);
export const WallChange = z
  .object({
    name: Name,
    grid_cols: Cells,
    grid_rows: Cells,
    bezel_h_mm: Bezel,
    bezel_v_mm: Bezel,
    screen_w_mm: Panel,
    screen_h_mm: Panel,
    sync_mode: z.enum(['clock', 'leader'], 'must be clock or leader'),
    leader_device_id: Ref,
    content_id: Ref,
    playlist_id: Ref,
  })
  .partial();
export const NewWall = WallChange.extend({ name: Name });
export type NewWall = z.infer<typeof NewWall>;
export type WallChange = z.infer<typeof WallChange>;

/**
 * Content or playlist of a wall. A request must contain one of the two fields: if both could be absent, a misspelt
 * field name would turn a wall dark.
 */
const WallProgram = z
  .object({ content_id: Ref.optional(), playlist_id: Ref.optional() })
  .refine((b) => b.content_id !== undefined || b.playlist_id !== undefined, {
    path: ['content_id'],
    message: 'send content_id or playlist_id; send null to remove the content or playlist',
  });
export type WallProgram = z.infer<typeof WallProgram>;

const Millimetres = between(-100_000, 100_000).nullish();
const Extent = z.number().gt(0, 'must be more than 0').max(100_000, 'must be at most 100000').nullish();
export const NewWallMember = z.object({
  device_id: Id,
  grid_col: z.number().int('must be a whole number').min(0, 'must not be negative'),
  grid_row: z.number().int('must be a whole number').min(0, 'must not be negative'),
  /** Rotation in degrees. Numbers other than 0, 90, 180 and 270 are stored as 0. */
  rotation: z
    .number()
    .transform((r) => (r === 90 || r === 180 || r === 270 ? r : 0))
    .nullish(),
  canvas_x: Millimetres,
  canvas_y: Millimetres,
  canvas_width: Extent,
  canvas_height: Extent,
});
export type NewWallMember = z.infer<typeof NewWallMember>;

export const DeviceWallConfig = z.object({
  wall_id: z.string(),
  grid_cols: Int,
  grid_rows: Int,
  grid_col: Int,
  grid_row: Int,
  rotation: Int,
  bezel_h_mm: z.number(),
  bezel_v_mm: z.number(),
  sync_mode: z.string(),
  /**
   * Whether the panel plays the sound: the wall’s leader, or the first panel by row and column if no leader is
   * named.
   */
  is_leader: z.boolean(),
  /** Size of the area that all panels form together. */
  canvas: z.object({ width: z.number(), height: z.number() }),
  tile: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
});

export const listWalls = endpoint('GET /api/walls', {
  name: 'listWalls',
  summary: 'All walls with their devices',
  access: read,
  response: z.array(Wall),
});
export const createWall = endpoint('POST /api/walls', {
  name: 'createWall',
  summary: 'Make a wall',
  access: write,
  acts: () => [make],
  shows: ({ body }) => [{ by: 'wall', id: null, content_id: body.content_id }],
  body: NewWall,
  status: 201,
  response: Wall,
  errors: [404],
  etag: true,
});
export const getWall = endpoint('GET /api/walls/{id}', {
  name: 'getWall',
  summary: 'A wall with its devices',
  access: read,
  response: Wall,
  etag: true,
});
export const updateWall = endpoint('PUT /api/walls/{id}', {
  name: 'updateWall',
  summary: 'Change a wall',
  access: write,
  acts: ({ params }) => [on('wall', params.id)],
  shows: ({ params, body }) => [{ by: 'wall', id: params.id, content_id: body.content_id }],
  body: WallChange,
  response: Wall,
  errors: [412],
  etag: true,
});
export const deleteWall = endpoint('DELETE /api/walls/{id}', {
  name: 'deleteWall',
  summary: 'Take a wall apart; its panels play for themselves',
  access: write,
  acts: ({ params }) => [on('wall', params.id)],
  shows: nothing,
  errors: [412],
});
export const replaceWallDevices = endpoint('PUT /api/walls/{id}/devices', {
  name: 'replaceWallDevices',
  summary: 'Replace the panels of a wall',
  description:
    'Two members may not share a cell or stand outside the grid. A device is in one wall at a time: joining moves it. What of canvas is missing follows from the cell.',
  access: write,
  acts: ({ params, body }) => [
    on('wall', params.id),
    ...each(
      'panel',
      body.devices.map(({ device_id }) => device_id),
    ),
  ],
  shows: nothing,
  body: z.object({ devices: z.array(NewWallMember).max(2500) }),
  response: Wall,
  errors: [412],
  etag: true,
});
export const setWallContent = endpoint('PUT /api/walls/{id}/content', {
  name: 'setWallContent',
  summary: 'Show a content, or a playlist, over the whole wall',
  description:
    'Names content_id, playlist_id or both; null clears, what is not named stays. A body that names neither is 400.',
  access: write,
  acts: ({ params }) => [on('wall', params.id)],
  shows: ({ params, body }) => [{ by: 'wall', id: params.id, content_id: body.content_id }],
  body: WallProgram,
  errors: [412],
  etag: true,
});
export const getDeviceWallConfig = endpoint('GET /api/walls/{id}/device-config/{deviceId}', {
  name: 'getDeviceWallConfig',
  summary: 'Facts that one panel of a wall needs',
  access: read,
  response: DeviceWallConfig,
});
