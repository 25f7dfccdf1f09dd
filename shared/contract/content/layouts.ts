/** Layouts and their zones (resource API, Layouts). */
import { z } from 'zod';
import { make, nothing, on } from '../acts.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { between, ColorAlpha, Epoch, FlagOut, Int, Name, nameOf, Ref, wholeFrom } from '../fields.ts';
import { queryOwner } from '../people/owner.ts';
import { COPY_NAME, CopyBody } from './copies.ts';

/** Maximum number of layouts in a workspace. */
export const MAX_LAYOUTS = 1000;

/** Maximum number of zones in a layout. */
export const MAX_ZONES = 50;

const endpoint = endpointsOf('Layouts');

export const Zone = z.object({
  id: z.string(),
  layout_id: z.string(),
  name: z.string(),
  x_percent: z.number(),
  y_percent: z.number(),
  width_percent: z.number(),
  height_percent: z.number(),
  z_index: Int,
  zone_type: z.string(),
  fit_mode: z.enum(['cover', 'contain', 'fill']),
  background_color: z.string(),
  /**
   * Own content of the zone: at most one of these three fields is set. It plays when neither a schedule nor the current
   * playlist has an item for the zone.
   */
  content_id: z.string().nullable(),
  widget_id: z.string().nullable(),
  playlist_id: z.string().nullable(),
});
export type Zone = z.infer<typeof Zone>;

export const Layout = z.object({
  id: z.string(),
  name: z.string(),
  /** Size in pixels of the picture for which the layout was drawn; zones are in percent of this size. */
  width: Int,
  height: Int,
  is_template: FlagOut,
  workspace_id: z.string().nullable(),
  created_at: Epoch,
  updated_at: Epoch,
  zones: z.array(Zone),
});
export type Layout = z.infer<typeof Layout>;

const Percent = between(0, 100);
const PercentSize = z.number().gt(0, 'must be more than 0').max(100, 'must be at most 100');
/**
 * Ways to fit a picture into a zone. Clients that were made for other servers send `fit` for contain and `stretch` for
 * fill.
 */
const FitMode = z
  .enum(['cover', 'contain', 'fill', 'fit', 'stretch'], 'must be cover, contain or fill')
  .transform((mode) => (mode === 'fit' ? 'contain' : mode === 'stretch' ? 'fill' : mode));

/** Fields for the own content of a zone; at most one field is set. */
export const ZONE_FILLS = ['content_id', 'widget_id', 'playlist_id'] as const;

const zoneShape = z
  .object({
    name: Name,
    x_percent: Percent,
    y_percent: Percent,
    width_percent: PercentSize,
    height_percent: PercentSize,
    z_index: z.number().int('must be a whole number').min(-1000).max(1000),
    zone_type: nameOf(50),
    fit_mode: FitMode,
    background_color: ColorAlpha,
    content_id: Ref,
    widget_id: Ref,
    playlist_id: Ref,
  })
  .partial();
const hasOneFill = (zone: z.infer<typeof zoneShape>) => ZONE_FILLS.filter((key) => zone[key]).length <= 1;
const ONE_FILL = { message: 'goes without widget_id and playlist_id: name one of the three', path: ['content_id'] };

/**
 * Fields of a zone. In a new zone, missing fields get defaults; in a change, they stay as they are. A new value for
 * content, widget or playlist replaces the previous content.
 */
export const ZoneFields = zoneShape.refine(hasOneFill, ONE_FILL);
export type ZoneFields = z.infer<typeof ZoneFields>;

/**
 * Zone in a request that replaces all zones of a layout. With the id of an existing zone, that zone is changed, so that
 * playlist items stay assigned to it.
 */
export const ZoneInLayout = zoneShape.extend({ id: z.string().max(200).nullish() }).refine(hasOneFill, ONE_FILL);
export type ZoneInLayout = z.infer<typeof ZoneInLayout>;

const Pixels = wholeFrom(1, 100_000);
const Zones = z.array(ZoneInLayout).max(MAX_ZONES, `must be at most ${MAX_ZONES} zones`);

export const listLayouts = endpoint('GET /api/layouts', {
  name: 'listLayouts',
  summary: 'The workspace’s layouts and the templates',
  description: '`owner`: the store’s own, or what headquarters has there; without the templates.',
  access: read,
  query: z.object({ templates: z.string().optional(), owner: queryOwner }),
  response: z.array(Layout),
});
export const createLayout = endpoint('POST /api/layouts', {
  name: 'createLayout',
  summary: 'Make a layout',
  access: write,
  acts: () => [make],
  shows: ({ body }) => [{ by: 'zones', layout: null, zones: body.zones ?? [] }],
  body: z.object({ name: Name, width: Pixels.nullish(), height: Pixels.nullish(), zones: Zones.nullish() }),
  status: 201,
  response: Layout,
  etag: true,
});
export const getLayout = endpoint('GET /api/layouts/{id}', {
  name: 'getLayout',
  summary: 'A layout with its zones',
  access: read,
  response: Layout,
  etag: true,
});
export const updateLayout = endpoint('PUT /api/layouts/{id}', {
  name: 'updateLayout',
  summary: 'Change a layout; zones, when present, replace all',
  description:
    'Zones are matched by id, so that items keep theirs; an item whose zone is gone plays in the largest zone. Templates are read-only: duplicate them.',
  access: write,
  acts: ({ params }) => [on('layout', params.id)],
  shows: ({ params, body }) => [{ by: 'zones', layout: params.id, zones: body.zones ?? [] }],
  body: z.object({ name: Name, width: Pixels, height: Pixels, zones: Zones }).partial(),
  response: Layout,
  errors: [412],
  etag: true,
});
export const deleteLayout = endpoint('DELETE /api/layouts/{id}', {
  name: 'deleteLayout',
  summary: 'Delete a layout; devices that use it show full screen',
  access: write,
  acts: ({ params }) => [on('layout', params.id)],
  shows: nothing,
  errors: [412],
});
export const addZone = endpoint('POST /api/layouts/{id}/zones', {
  name: 'addZone',
  summary: 'Add a zone',
  access: write,
  acts: ({ params }) => [on('layout', params.id)],
  shows: ({ params, body }) => [{ by: 'zones', layout: params.id, zones: [body] }],
  body: ZoneFields,
  status: 201,
  response: Zone,
  errors: [412],
  etag: true,
});
export const updateZone = endpoint('PUT /api/layouts/{id}/zones/{zoneId}', {
  name: 'updateZone',
  summary: 'Change members of a zone',
  access: write,
  acts: ({ params }) => [on('layout', params.id)],
  shows: ({ params, body }) => [{ by: 'zones', layout: params.id, zones: [{ ...body, id: params.zoneId }] }],
  body: ZoneFields,
  response: Zone,
  errors: [412],
  etag: true,
});
export const deleteZone = endpoint('DELETE /api/layouts/{id}/zones/{zoneId}', {
  name: 'deleteZone',
  summary: 'Delete a zone; its items play in the largest one',
  access: write,
  acts: ({ params }) => [on('layout', params.id)],
  shows: nothing,
  errors: [412],
  etag: true,
});
export const duplicateLayout = endpoint('POST /api/layouts/{id}/duplicate', {
  name: 'duplicateLayout',
  summary: 'Copy a layout or template into the workspace',
  description: COPY_NAME,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: CopyBody,
  status: 201,
  response: Layout,
  etag: true,
});
export const setDeviceLayout = endpoint('PUT /api/layouts/device/{deviceId}', {
  name: 'setDeviceLayout',
  summary: 'Give a device a layout, or null for full screen',
  description: 'The ETag is the device’s.',
  access: write,
  acts: ({ params }) => [on('screen', params.deviceId)],
  shows: nothing,
  body: z.object({ layout_id: Ref }),
  errors: [412],
  etag: true,
});
