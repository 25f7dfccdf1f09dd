/**
 * Format of an export by any program. The format is lenient, because another program may have written the export: each
 * record is checked again when it is made. exchange-limits.ts limits the size of an export.
 */
import { z } from 'zod';
import { MAX_NAME } from './exchange-limits.ts';
import type { ZipEntry } from './zip-reader.ts';

export const FORMAT = 'vitrine-export';
export const MANIFEST_NAME = 'vitrine-export.json';

/** Maximum length of an id, longer than ids on any server. */
const MAX_ID = 200;

const Id = z.union([z.string().max(MAX_ID), z.number()]).transform(String);
const Reference = z
  .union([z.string().max(MAX_ID), z.number(), z.null()])
  .optional()
  .transform((v) => (v === undefined || v === null || v === '' ? null : String(v)));
const Text = z.string().nullish();
const Some = z.number().nullish();
const list = <T extends z.ZodType>(of: T) => z.array(of).default([]);

const Content = z.object({
  id: Id,
  filename: z.string(),
  mime_type: Text,
  duration_sec: Some,
  remote_url: Text,
  folder: Text,
  /** Name of the file's entry in the ZIP; null when the content has no file, or the ZIP does not contain the file. */
  file: Text,
});
const Widget = z.object({ id: Id, widget_type: z.string(), name: z.string(), config: z.unknown() });
const KioskPage = z.object({ id: Id, name: z.string(), config: z.unknown() });
const Zone = z.looseObject({ id: Id, content_id: Reference, widget_id: Reference, playlist_id: Reference });
const Layout = z.object({ id: Id, name: z.string(), width: Some, height: Some, zones: list(Zone) });
const Item = z.object({
  content_id: Reference,
  widget_id: Reference,
  zone_id: Reference,
  duration_sec: Some,
  muted: z.union([z.boolean(), z.number()]).nullish(),
  schedules: list(z.unknown()),
});
const Playlist = z.object({
  id: Id,
  name: z.string(),
  description: Text,
  published: z.boolean().default(false),
  items: list(Item),
});
const Group = z.object({ id: Id, name: z.string(), color: Text, playlist_id: Reference });
const Schedule = z.looseObject({
  /** Schedules with the same value belong to one plan; null or absent for a separate schedule. */
  plan: Reference,
  device_name: Text.transform((name) => name?.slice(0, MAX_NAME)),
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

type Content = Exchange['contents'][number];
type Playlist = Exchange['playlists'][number];

/** Step of an import. A record comes after all records that it refers to. */
export type Step =
  | {
      readonly kind: 'content';
      readonly record: Content;
      /** Location of the content's file in the ZIP. */
      readonly entry: ZipEntry | null;
    }
  | { readonly kind: 'widget'; readonly record: Exchange['widgets'][number] }
  | { readonly kind: 'kiosk_page'; readonly record: Exchange['kiosk_pages'][number] }
  | { readonly kind: 'layout'; readonly record: Exchange['layouts'][number] }
  /** Begins a playlist. The items of the playlist follow, then its end. */
  | { readonly kind: 'playlist'; readonly record: Omit<Playlist, 'items'> }
  | { readonly kind: 'item'; readonly record: Playlist['items'][number] }
  | { readonly kind: 'playlist_end'; readonly record: Pick<Playlist, 'published'> }
  | { readonly kind: 'group'; readonly record: Exchange['groups'][number] }
  | { readonly kind: 'schedule'; readonly record: Exchange['schedules'][number] }
  /** A record that is left out: makes nothing, and adds a warning. */
  | { readonly kind: 'left_out'; readonly record: string };

/** Summary of an export, before any record is made. */
export interface Summary {
  readonly from: 'vitrine' | 'screentinker';
  readonly counts: Readonly<
    Record<'contents' | 'widgets' | 'kiosk_pages' | 'layouts' | 'playlists' | 'groups' | 'schedules', number>
  >;
  readonly groups: readonly string[];
  /** Names of the screens of the schedules. */
  readonly screens: readonly string[];
  /** Bytes of all files of the ZIP, unpacked. */
  readonly unpacked: number;
}
