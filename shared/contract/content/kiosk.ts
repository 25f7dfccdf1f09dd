/** Kiosk pages: touch pages with buttons (resource API, Kiosk pages). */
import { z } from 'zod';
import { make, nothing, on } from '../acts.ts';
import { endpointsOf, open, read, stream, write } from '../endpoint.ts';
import { Epoch, Name } from '../fields.ts';
import { COPY_NAME, CopyBody } from './copies.ts';
import { Config } from './widgets.ts';

/** Maximum number of kiosk pages in a workspace. */
export const MAX_KIOSK_PAGES = 2000;

const endpoint = endpointsOf('Kiosk pages');

export const KioskPage = z.object({
  id: z.string(),
  name: z.string(),
  config: z.record(z.string(), z.unknown()),
  workspace_id: z.string().nullable(),
  created_at: Epoch,
  updated_at: Epoch,
});
export type KioskPage = z.infer<typeof KioskPage>;

export const NewKioskPage = z.object({ name: Name, config: Config.optional() });
export type NewKioskPage = z.infer<typeof NewKioskPage>;
export const KioskPageChange = NewKioskPage.partial();
export type KioskPageChange = z.infer<typeof KioskPageChange>;

const config =
  'config: {title, subtitle, footer, logo_url, idle_title, idle_subtitle, idle_timeout (seconds, 60; 0 = never), buttons [{label, sublabel, icon, action url|page|back, url, page}], pages [{id, title, buttons}], style {theme, background, color, accent, button_background, button_color, columns, font_size}}; unknown keys are kept. At most 512 KiB.';
const screens = 'On a screen it is shown by a webpage widget whose url is this page’s `/api/kiosk/{id}/render`.';

export const listKioskPages = endpoint('GET /api/kiosk', {
  name: 'listKioskPages',
  summary: 'All kiosk pages',
  access: read,
  response: z.array(KioskPage),
});
export const createKioskPage = endpoint('POST /api/kiosk', {
  name: 'createKioskPage',
  summary: 'Make a kiosk page',
  description: `${screens} ${config}`,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: NewKioskPage,
  status: 201,
  response: KioskPage,
  etag: true,
});
export const duplicateKioskPage = endpoint('POST /api/kiosk/{id}/duplicate', {
  name: 'duplicateKioskPage',
  summary: 'Copy a kiosk page; no screen shows the copy yet',
  description: COPY_NAME,
  access: write,
  acts: () => [make],
  shows: nothing,
  body: CopyBody,
  status: 201,
  response: KioskPage,
  etag: true,
});
export const previewKioskPage = endpoint('POST /api/kiosk/preview', {
  name: 'previewKioskPage',
  summary: 'Render a kiosk page without storing it',
  description:
    'To show it from a page under a strict CSP, post it to the preview frame. Pictures that the server has not fetched yet are left out.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: z.object({ config: Config.optional() }),
  response: stream('text/html'),
  perMinute: 120,
});
export const kioskPreviewFrame = endpoint('GET /api/kiosk/preview/frame', {
  name: 'kioskPreviewFrame',
  summary: 'An empty sandboxed page that shows a preview of a kiosk page',
  description:
    'As the one of widgets: it says {type: "vitrine:preview-ready"} to its parent, then shows the HTML that its parent posts as {type: "vitrine:preview", html}.',
  access: open,
  response: stream('text/html'),
});
export const getKioskPage = endpoint('GET /api/kiosk/{id}', {
  name: 'getKioskPage',
  summary: 'A kiosk page',
  access: read,
  response: KioskPage,
  etag: true,
});
export const updateKioskPage = endpoint('PUT /api/kiosk/{id}', {
  name: 'updateKioskPage',
  summary: 'Change a kiosk page',
  description: `A config that is sent replaces the one before. ${config}`,
  access: write,
  acts: ({ params }) => [on('kiosk', params.id)],
  shows: ({ params, body }) => (body.config === undefined ? [] : [{ by: 'edit', of: 'kiosk', id: params.id }]),
  body: KioskPageChange,
  response: KioskPage,
  errors: [412],
  etag: true,
});
export const deleteKioskPage = endpoint('DELETE /api/kiosk/{id}', {
  name: 'deleteKioskPage',
  summary: 'Delete a kiosk page',
  access: write,
  acts: ({ params }) => [on('kiosk', params.id)],
  shows: nothing,
  errors: [412],
});
export const renderKioskPage = endpoint('GET /api/kiosk/{id}/render', {
  name: 'renderKioskPage',
  summary: 'The page as players show it',
  description:
    'Self-contained, under a CSP with `sandbox` (without allow-same-origin): it can reach nothing of the API.',
  access: open,
  response: stream('text/html'),
});
