/** Export and import of a workspace's playlists, layouts, schedules, widgets and media as one ZIP. */
import { z } from 'zod';
import { atOnce, everything, nothing } from '../acts.ts';
import { endpointsOf, multipart, read, stream, write } from '../endpoint.ts';
import { Int } from '../fields.ts';

const endpoint = endpointsOf('Import and export');

export const exportWorkspace = endpoint('GET /api/export', {
  name: 'exportWorkspace',
  // The export must work on a full disk too, although it writes to the activity log.
  necessary: true,
  summary: 'The workspace’s content, widgets, kiosk pages, layouts, playlists, groups and schedules as a ZIP',
  description:
    '`vitrine-export.json` says what is in it, the media are in `files/`. Screens, people and reports are not part of it; schedules name screens and groups by their names.',
  access: read,
  response: stream('application/zip', 'named'),
  errors: [429, 507],
});

/** Number of imported records by kind. */
const counts = {
  contents: Int,
  widgets: Int,
  kiosk_pages: Int,
  layouts: Int,
  playlists: Int,
  groups: Int,
  schedules: Int,
};
export const Imported = z.object({
  ...counts,
  /** Records that could not be imported, each in a sentence. */
  warnings: z.array(z.string()),
});
export type Imported = z.infer<typeof Imported>;

export const importWorkspace = endpoint('POST /api/import', {
  name: 'importWorkspace',
  summary: 'Take over an export',
  description:
    'A ZIP of this server (`vitrine-export.json`), or an export of screentinker: its ZIP (`export.json` with `files/`) or its JSON alone, without media then. Everything is added as new; nothing that is there changes. Schedules go to the screens and groups of the same name; a group that is missing is made, a schedule of a missing screen is left out with a warning. ' +
    'At most 50,000 contents, 5,000 widgets, 2,000 kiosk pages, 1,000 layouts, 10,000 playlists with 200,000 items in all, 1,000 groups and 10,000 schedules, described in at most 64 MiB: else 413, and nothing was changed. ' +
    'A file that is larger than this server takes, or that becomes far larger than it was sent, is left out with a warning. ' +
    'Each workspace runs one import at a time (409), and the server runs only a few in all (429). The import ends when the client disconnects or the server stops. Entries imported so far are kept. When the same file is sent again, the import continues where it ended and creates nothing twice.',
  access: write,
  acts: () => [everything, { on: 'place', id: null }],
  shows: atOnce,
  body: multipart('file'),
  response: Imported,
  errors: [409, 415, 429],
});

export const ImportPreview = z.object({
  from: z.enum(['vitrine', 'screentinker']),
  ...counts,
  /** Names of groups that exist already. They stay unchanged and get the imported schedules. */
  groups_there: z.array(z.string()),
  /** Names of screens that are missing or not unique. Their schedules are left out. */
  screens_missing: z.array(z.string()),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const previewImport = endpoint('POST /api/import/preview', {
  name: 'previewImport',
  summary: 'Preview of the records that an import would add',
  description:
    'Changes nothing. The file is the export, or only what describes it (`vitrine-export.json`, `export.json`): that is enough, and small. The limits are those of the import.',
  access: write,
  acts: nothing,
  shows: nothing,
  body: multipart('file'),
  response: ImportPreview,
  errors: [415, 429],
});
