/** Widgets (resource API, Widgets; decisions, Widgets and kiosk pages). */
import { z } from 'zod';
import { endpoint, open, read, stream, write } from './endpoint.ts';
import { Epoch, Id, Name, Success } from './fields.ts';

const tag = 'Widgets';

export const WidgetType = z.enum(
  ['clock', 'weather', 'rss', 'text', 'webpage', 'social', 'directory-board', 'directory-search'],
  'must be clock, weather, rss, text, webpage, social, directory-board or directory-search',
);
export type WidgetType = z.infer<typeof WidgetType>;

/** An object, or JSON text of one. What its known keys must be is checked by type (server/features/widgets); unknown keys are kept. */
export const Config = z.union([z.record(z.string(), z.unknown()), z.string()], { error: 'must be an object' }).transform((value, ctx) => {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Said below, in words.
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
  created_at: Epoch,
  updated_at: Epoch,
});
export type Widget = z.infer<typeof Widget>;

const WidgetId = z.object({ id: Id });
export const listWidgets = endpoint('GET /api/widgets', { name: 'listWidgets', tag, summary: 'All widgets', access: read, response: z.array(Widget), paged: true });
export const createWidget = endpoint('POST /api/widgets', { name: 'createWidget', tag, summary: 'Make a widget', access: write, body: z.object({ widget_type: WidgetType, name: Name, config: Config.optional() }), status: 201, response: Widget, errors: [404], etag: true });
export const previewWidget = endpoint('POST /api/widgets/preview', {
  name: 'previewWidget',
  tag,
  summary: 'Render a widget without storing it',
  access: write,
  body: z.object({ widget_type: WidgetType, config: Config.optional() }),
  response: stream('text/html'),
  perMinute: 60,
});
export const getWidget = endpoint('GET /api/widgets/{id}', { name: 'getWidget', tag, summary: 'A widget', access: read, params: WidgetId, response: Widget, errors: [404], etag: true });
export const updateWidget = endpoint('PUT /api/widgets/{id}', { name: 'updateWidget', tag, summary: 'Change a widget', access: write, params: WidgetId, body: z.object({ name: Name.optional(), config: Config.optional() }), response: Widget, errors: [404, 412], etag: true });
export const deleteWidget = endpoint('DELETE /api/widgets/{id}', { name: 'deleteWidget', tag, summary: 'Delete a widget', access: write, params: WidgetId, response: Success, errors: [404, 412], etag: true });
export const renderWidget = endpoint('GET /api/widgets/{id}/render', { name: 'renderWidget', tag, summary: 'The page as players show it', access: open, params: WidgetId, response: stream('text/html'), errors: [404] });
