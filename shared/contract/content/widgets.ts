/** Widgets (resource API, Widgets). */
import { z } from 'zod';
import { make, nothing, on } from '../acts.ts';
import { device, endpointsOf, open, read, stream, write } from '../endpoint.ts';
import { Epoch, Int, Name } from '../fields.ts';
import { queryOwner } from '../people/owner.ts';
import { COPY_NAME, CopyBody } from './copies.ts';
import { VALIDITY_RULE, validityIn, validityOut } from './validity.ts';
import { contentFields, lookFields, type WidgetField, widgetTypeNames } from './widget-types.ts';

/** Maximum number of widgets in a workspace. */
export const MAX_WIDGETS = 5000;

const endpoint = endpointsOf('Widgets');

export const WidgetType = z.enum(
  widgetTypeNames,
  `must be ${widgetTypeNames.slice(0, -1).join(', ')} or ${widgetTypeNames.at(-1)}`,
);

/**
 * Config as an object or as JSON text. Its known keys are checked by type (./widget-types.ts); unknown keys are kept.
 */
export const Config = z
  .union([z.record(z.string(), z.unknown()), z.string()], { error: 'must be an object' })
  .transform((value, ctx) => {
    if (typeof value !== 'string') return value;
    try {
      const parsed: unknown = JSON.parse(value);
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
        return parsed as Record<string, unknown>;
    } catch {
      // The issue that is added below reports the error.
    }
    ctx.addIssue({ code: 'custom', message: 'must be an object, or JSON text of one' });
    return z.NEVER;
  });

export const Widget = z.object({
  id: z.string(),
  widget_type: WidgetType,
  name: z.string(),
  config: z.record(z.string(), z.unknown()),
  workspace_id: z.string().nullable(),
  ...validityOut,
  created_at: Epoch,
  updated_at: Epoch,
});
export type Widget = z.infer<typeof Widget>;

/**
 * Data of a widget's page in addition to its config: feeds, weather, and pictures that the server fetched. The fields
 * depend on the type; each field may be missing.
 */
export const WidgetData = z.object({
  /** Time of the newest data; null: data was never fetched. Pages show the age of old data. */
  fetched_at: Epoch.nullable(),
  /** Reason why the last attempt failed, for people; null: the last attempt succeeded. */
  error: z.string().nullable(),
  feed: z
    .object({
      title: z.string(),
      items: z.array(
        z.object({
          title: z.string(),
          summary: z.string(),
          author: z.string(),
          published: Epoch.nullable(),
          image: z.string().nullable(),
        }),
      ),
    })
    .optional(),
  weather: z
    .object({
      place: z.string(),
      /** Units of the weather: °C and km/h, or °F and mph. */
      units: z.enum(['metric', 'imperial']),
      /** Present weather; `code` is a weather code of the WMO. */
      current: z.object({
        temperature: z.number(),
        feels_like: z.number().nullable(),
        humidity: z.number().nullable(),
        wind: z.number().nullable(),
        code: Int,
        is_day: z.boolean(),
      }),
      days: z.array(
        z.object({
          date: z.string(),
          code: Int,
          min: z.number(),
          max: z.number(),
          rain: z.number().nullable(),
        }),
      ),
    })
    .optional(),
  /** Categories of the source widget, for a directory-search widget. */
  categories: z.array(z.unknown()).optional(),
  /** Pictures of the config that the server fetched. Key: the address in the config. */
  pictures: z.record(z.string(), z.string()).optional(),
});
export type WidgetData = z.infer<typeof WidgetData>;

/**
 * Returns a description of the fields for the documents, like "days 0 to 7 (5)" or "units metric|imperial (metric)".
 */
const describe = ([key, field]: readonly [string, WidgetField]): string => {
  const values =
    'options' in field ? [field.options.join('|')] : 'min' in field ? [`${field.min} to ${field.max}`] : [];
  const fallback =
    'fallback' in field && field.fallback !== undefined && field.fallback !== null ? [`(${field.fallback})`] : [];
  return [key, ...values, ...fallback].join(' ');
};
const known = widgetTypeNames.map(
  (type) => `${type} {${[...contentFields(type), ...lookFields(type)].map(describe).join(', ')}}`,
);
const config = `Known keys by type, with defaults: ${known.join('; ')}. One of the wrong type is 400 naming it, unknown ones are kept. At most 512 KiB.`;
export const NewWidget = z.object({ widget_type: WidgetType, name: Name, config: Config.optional(), ...validityIn });
export type NewWidget = z.infer<typeof NewWidget>;
export const WidgetChange = z.object({ name: Name.optional(), config: Config.optional(), ...validityIn });
export type WidgetChange = z.infer<typeof WidgetChange>;

export const listWidgets = endpoint('GET /api/widgets', {
  name: 'listWidgets',
  summary: 'All widgets',
  description: '`owner`: the store’s own, or what headquarters has there.',
  access: read,
  query: z.object({ owner: queryOwner }),
  response: z.array(Widget),
});
export const createWidget = endpoint('POST /api/widgets', {
  name: 'createWidget',
  summary: 'Make a widget',
  description: config,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: NewWidget,
  status: 201,
  response: Widget,
  etag: true,
});
export const duplicateWidget = endpoint('POST /api/widgets/{id}/duplicate', {
  name: 'duplicateWidget',
  summary: 'Copy a widget with its settings; no screen shows the copy yet',
  description: COPY_NAME,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: CopyBody,
  status: 201,
  response: Widget,
  etag: true,
});
export const previewWidget = endpoint('POST /api/widgets/preview', {
  name: 'previewWidget',
  summary: 'Render a widget without storing it',
  description:
    'The page with what its feed or forecast says, as far as that arrives within 2.5 s. To show it from a page under a strict CSP, post it to the preview frame.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: z.object({ widget_type: WidgetType, config: Config.optional() }),
  response: stream('text/html'),
  perMinute: 60,
});
export const previewFrame = endpoint('GET /api/widgets/preview/frame', {
  name: 'previewFrame',
  summary: 'An empty sandboxed page that shows a preview',
  description:
    'For an iframe: it says {type: "vitrine:preview-ready"} to its parent, then shows the HTML that its parent posts as {type: "vitrine:preview", html}. Only scripts of this server’s own widget pages run in it, and they reach nothing.',
  access: open,
  response: stream('text/html'),
});
export const getWidget = endpoint('GET /api/widgets/{id}', {
  name: 'getWidget',
  summary: 'A widget',
  access: read,
  response: Widget,
  etag: true,
});
export const updateWidget = endpoint('PUT /api/widgets/{id}', {
  name: 'updateWidget',
  summary: 'Change a widget',
  description: `A config that is sent replaces the one before. ${config} ${VALIDITY_RULE}`,
  access: write,
  acts: ({ params }) => [on('widget', params.id)],
  shows: ({ params, body: { name: _, ...seen } }) =>
    Object.values(seen).some((value) => value !== undefined) ? [{ by: 'edit', of: 'widget', id: params.id }] : [],
  body: WidgetChange,
  response: Widget,
  errors: [412],
  etag: true,
});
export const deleteWidget = endpoint('DELETE /api/widgets/{id}', {
  name: 'deleteWidget',
  summary: 'Delete a widget',
  description:
    'Its items disappear from drafts and from what screens play; schedules that showed nothing else are deleted.',
  access: write,
  acts: ({ params }) => [on('widget', params.id)],
  shows: nothing,
  errors: [412],
});
export const renderWidget = endpoint('GET /api/widgets/{id}/render', {
  name: 'renderWidget',
  summary: 'The page as players show it',
  description:
    'Self-contained, under a CSP with `sandbox` (without allow-same-origin): it can reach nothing of the API.',
  access: open,
  response: stream('text/html'),
});
export const getWidgetData = endpointsOf('Players')('GET /api/player/widgets/{id}/data', {
  name: 'getWidgetData',
  summary: 'Data of a widget’s page besides its config: feed, forecast, images; ETag, 304',
  access: device,
  response: WidgetData,
  etag: 'cached',
});
