/** What an export says, whoever wrote it. Lenient where another program may have written it: each record is checked again when it is made. */
import { z } from 'zod';

export const FORMAT = 'vitrine-export';
export const MANIFEST_NAME = 'vitrine-export.json';

const Id = z.union([z.string(), z.number()]).transform(String);
const Reference = z
  .union([z.string(), z.number(), z.null()])
  .optional()
  .transform((v) => (v === undefined || v === null || v === '' ? null : String(v)));
const Text = z.string().nullish();
const Some = z.number().nullish();
const list = <T extends z.ZodType>(of: T) => z.array(of).max(100_000).default([]);

const Content = z.object({
  id: Id,
  filename: z.string(),
  mime_type: Text,
  duration_sec: Some,
  remote_url: Text,
  folder: Text,
  /** Entry in the ZIP; null: it has no file, or it is not in it. */
  file: Text,
});
const Widget = z.object({ id: Id, widget_type: z.string(), name: z.string(), config: z.unknown() });
const KioskPage = z.object({ id: Id, name: z.string(), config: z.unknown() });
const Zone = z.looseObject({ id: Id });
const Layout = z.object({ id: Id, name: z.string(), width: Some, height: Some, zones: list(Zone) });
const Item = z.object({
  content_id: Reference,
  widget_id: Reference,
  zone_id: Reference,
  duration_sec: Some,
  muted: z.union([z.boolean(), z.number()]).nullish(),
  schedules: list(z.unknown()),
});
const Playlist = z.object({ id: Id, name: z.string(), description: Text, published: z.boolean().default(false), items: list(Item) });
const Group = z.object({ id: Id, name: z.string(), color: Text, playlist_id: Reference });
const Schedule = z.looseObject({
  device_name: Text,
  group_id: Reference,
  zone_id: Reference,
  content_id: Reference,
  widget_id: Reference,
  layout_id: Reference,
  playlist_id: Reference,
  title: Text,
});

export const Exchange = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  contents: list(Content),
  widgets: list(Widget),
  kiosk_pages: list(KioskPage),
  layouts: list(Layout),
  playlists: list(Playlist),
  groups: list(Group),
  schedules: list(Schedule),
});
export type Exchange = z.infer<typeof Exchange>;
