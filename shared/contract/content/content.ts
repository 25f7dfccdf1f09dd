/** Media library (resource API, Content). */
import { z } from 'zod';
import { DESIGN_TYPE } from '../../design/design-type.ts';
import { MediaFormat } from '../../formats/media-format.ts';
import { nothing, on } from '../acts.ts';
import { endpointsOf, multipart, read, readOrTicket, stream, write } from '../endpoint.ts';
import { Epoch, filled, Int, Name, nameOf, paging, queryId, queryText, queryWord, Success } from '../fields.ts';
import { queryOwner } from '../people/owner.ts';
import { FolderRef } from './folders.ts';
import { VALIDITY_RULE, validityIn, validityOut } from './validity.ts';

const endpoint = endpointsOf('Content');

/** Types of stored files, detected from their bytes (server/media). */
export const FILE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/svg+xml',
  'image/bmp',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'video/x-matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/flac',
  'application/pdf',
  DESIGN_TYPE,
];

/**
 * Kind of a content on the screen. `web` is a live page, `embed` the player of a video site; the other kinds are files.
 * `design`: pages that Vitrine draws (shared/design), an addition to the contract.
 */
export const ContentKind = z.enum(['image', 'video', 'audio', 'pdf', 'web', 'embed', 'design']);
export type ContentKind = z.infer<typeof ContentKind>;

export const Content = z.object({
  id: z.string(),
  /** Name for people; a label, never a path. */
  filename: z.string(),
  mime_type: z.string(),
  kind: ContentKind,
  /** Size of the file in bytes; 0 while no file is stored. */
  file_size: Int,
  /** Length of the clip in seconds; null for stills, pages and files without a known length. */
  duration_sec: z.number().nullable(),
  /** Size of the upright picture in pixels; null for content without a picture. */
  width: Int.nullable(),
  height: Int.nullable(),
  /** Codecs of a video or sound; null for other kinds, or if the codecs are unknown. */
  format: MediaFormat.nullable(),
  /** Source of remote content; for a video site, the address of its player. Null: uploaded. */
  remote_url: z.string().nullable(),
  /** Path of the thumbnail; null while there is no thumbnail. */
  thumbnail_path: z.string().nullable(),
  /** Free-text label; empty: no label. */
  folder: z.string(),
  /** Folder in the folder tree; null: the root. */
  folder_id: z.string().nullable(),
  workspace_id: z.string().nullable(),
  /** Hash of the stored file; null while no file is stored. */
  sha256: z.string().nullable(),
  /** Remote content: time of the last attempt to fetch a copy. */
  fetched_at: Epoch.nullable(),
  /** Remote content: reason why the last attempt failed, for people; null: the last attempt succeeded. */
  fetch_error: z.string().nullable(),
  ...validityOut,
  created_at: Epoch,
  updated_at: Epoch,
});
export type Content = z.infer<typeof Content>;

/** Label; an empty string or null removes the label. */
const Label = z.union([z.literal(''), z.null(), nameOf(200)]).transform((v) => v ?? '');

const MimeType = z
  .string()
  .trim()
  .toLowerCase()
  .max(100, 'must be at most 100 characters')
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'must be a media type like image/jpeg');

const Url = filled(2000);

/** Text field that a client may leave out. If the text is absent or empty, the server chooses the value. */
const optional = (text: z.ZodString) =>
  z
    .union([z.literal(''), z.null(), text])
    .optional()
    .transform((v) => v || undefined);

export const NewRemote = z.object({ url: Url, name: optional(Name), mime_type: optional(MimeType) });
export type NewRemote = z.infer<typeof NewRemote>;

export const NewVideo = z.object({ url: Url, name: optional(Name) });
export type NewVideo = z.infer<typeof NewVideo>;

export const ContentChange = z
  .object({ filename: Name, mime_type: MimeType, remote_url: Url, folder: Label, folder_id: FolderRef })
  .partial()
  .extend(validityIn);
export type ContentChange = z.infer<typeof ContentChange>;

export const ContentQuery = z.object({
  folder: queryText(),
  /** `null`: only contents in the root folder; absent: contents in any folder. */
  folder_id: z
    .string()
    .optional()
    .transform((v) => (v === '' || v === 'root' ? null : v)),
  q: queryText(),
  type: queryWord(['image', 'video', 'audio', 'pdf', 'web', 'design']),
  /**
   * Filter by validity. `soon`: ends within seven days; `over`: has ended; `future`: has not begun. Times by the clock
   * of the server.
   */
  validity: queryWord(['soon', 'over', 'future']),
  owner: queryOwner,
  sort: queryWord(['newest', 'oldest', 'name', 'size'], 'newest'),
  ...paging(100, 500),
});
export type ContentQuery = z.infer<typeof ContentQuery>;

/**
 * Folder and label of an upload. An addition to the contract, so that an admin window needs one request instead of two.
 */
const UploadPlace = z.object({
  folder: Label.optional().meta({ type: 'string', maxLength: 200 }),
  folder_id: queryId.transform((v) => (v === 'root' ? undefined : v)),
});

/** Returns whether the change affects the name or type that screens show. Label and folder only sort the library. */
const isNamed = ({ filename, mime_type }: ContentChange): boolean => [filename, mime_type].some((v) => v !== undefined);
/** Returns whether the change alters what screens show. */
const isSeen = ({ remote_url, valid_from, valid_until }: ContentChange): boolean =>
  [remote_url, valid_from, valid_until].some((value) => value !== undefined);

export const listContent = endpoint('GET /api/content', {
  name: 'listContent',
  summary: 'The library, newest first',
  description:
    '`folder` filters by the free-text label, `folder_id` by the place in the folder tree (`root` or empty: what is in no folder). `q` finds names that contain it; `type` web includes video sites. ' +
    '`validity` is soon (ends within seven days), over or future. `sort` is newest, oldest, name or size (largest first). `owner`: the store’s own, or what headquarters has there.',
  access: read,
  query: ContentQuery,
  response: z.array(Content),
  etag: 'cached',
});
export const listContentFolders = endpoint('GET /api/content/folders', {
  name: 'listContentFolders',
  summary: 'The free-text labels in use, with how many contents carry each',
  access: read,
  response: z.array(z.object({ folder: z.string(), count: Int })),
});
export const uploadContent = endpoint('POST /api/content', {
  name: 'uploadContent',
  summary: 'Upload a file',
  description:
    'Its kind is decided by its bytes: an image (JPEG, PNG, WebP, AVIF, GIF, SVG, BMP), video (MP4, WebM, MOV, MKV), audio (MP3, AAC, Ogg, WAV, FLAC) or PDF; anything else is 415. ' +
    'Larger than the server’s limit (4 GiB by default): 413. A full disk: 507. Broken off: nothing is kept.',
  access: write,
  acts: ({ query }) => [{ on: 'place', id: query.folder_id }],
  shows: nothing,
  query: UploadPlace,
  body: multipart('file'),
  status: 201,
  response: Content,
  errors: [404, 415],
  etag: true,
});
export const createRemote = endpoint('POST /api/content/remote', {
  name: 'createRemoteContent',
  summary: 'Add content by its address',
  description:
    'http or https; an address inside the network is refused unless an administrator allowed its host. The server keeps a copy when it can, so that screens need no internet; a page (HTML) is shown live.',
  access: write,
  acts: () => [{ on: 'place', id: undefined }],
  shows: nothing,
  body: NewRemote,
  status: 201,
  response: Content,
  etag: true,
});
export const createVideo = endpoint('POST /api/content/videosite', {
  name: 'createVideoSiteContent',
  summary: 'Add a video of a video site',
  description:
    'Recognises the usual watch, short and embed addresses of YouTube, Vimeo and Dailymotion; stores the address of the site’s player. Screens without internet show their fallback.',
  access: write,
  acts: () => [{ on: 'place', id: undefined }],
  shows: nothing,
  body: NewVideo,
  status: 201,
  response: Content,
  etag: true,
});
export const getContent = endpoint('GET /api/content/{id}', {
  name: 'getContent',
  summary: 'One content',
  access: read,
  response: Content,
  etag: true,
});
export const updateContent = endpoint('PUT /api/content/{id}', {
  name: 'updateContent',
  summary: 'Rename, relabel or move; change a remote address',
  description:
    '`mime_type` within its kind only, `remote_url` of remote content only, else 400. `folder` "" clears the label; `folder_id` null, "" or "root" moves to the root. ' +
    VALIDITY_RULE,
  access: write,
  acts: ({ params, body }) => [
    on('content', params.id),
    ...(body.folder_id === undefined ? [] : [{ on: 'place', id: body.folder_id } as const]),
    ...(isNamed(body) || isSeen(body) ? [on('shown', params.id)] : []),
  ],
  shows: ({ params, body }) => (isSeen(body) ? [{ by: 'edit', of: 'content', id: params.id }] : []),
  body: ContentChange,
  response: Content,
  errors: [412],
  etag: true,
});
export const replaceContent = endpoint('PUT /api/content/{id}/replace', {
  name: 'replaceContent',
  summary: 'Put another file in its place; screens that play it change over',
  description:
    'Keeps the id and every use in playlists. Another kind is allowed. What was remote is an upload afterwards.',
  access: write,
  acts: ({ params }) => [on('content', params.id), on('shown', params.id)],
  shows: ({ params }) => [{ by: 'edit', of: 'content', id: params.id }],
  body: multipart('file'),
  response: Content,
  errors: [412, 415],
  etag: true,
});
export const deleteContent = endpoint('DELETE /api/content/{id}', {
  name: 'deleteContent',
  summary: 'Delete; it leaves every playlist and screen',
  description:
    '`affectedDevices` names the devices whose program changed. Schedules that showed nothing else are deleted.',
  access: write,
  acts: ({ params }) => [on('content', params.id), on('shown', params.id)],
  shows: nothing,
  response: Success.extend({ affectedDevices: z.array(z.string()) }),
  errors: [412],
});
export const getContentFile = endpoint('GET /api/content/{id}/file', {
  name: 'getContentFile',
  summary: 'The file',
  description:
    'With Range, ETag and If-None-Match. Served as what its bytes are. Remote content: the server’s copy, 404 while there is none. ' +
    'Without a credential, `access` with a ticket (GET /api/content/{id}/link) will do.',
  access: readOrTicket,
  query: z.object({ access: queryText(300) }),
  response: stream(FILE_TYPES, 'ranges', 'cached', 'named'),
});
export const getContentThumbnail = endpoint('GET /api/content/{id}/thumbnail', {
  name: 'getContentThumbnail',
  summary: 'A small picture of it',
  description: '404 when there is none: audio, pages, a video whose thumbnail is still being made.',
  access: read,
  response: stream('image/webp', 'ranges', 'cached'),
});

/** Address that works without a credential for 10 minutes, for <video>, <audio> and downloads. */
export const ContentLink = z.object({ url: z.string(), expires_at: Epoch });

export const linkContent = endpoint('GET /api/content/{id}/link', {
  name: 'linkContent',
  summary: 'A short-lived address of the file, for players in a browser and downloads',
  description:
    'The path works without a credential for 10 minutes, or until the server starts anew. 404 while there is no file.',
  access: read,
  response: ContentLink,
});

const Named = z.object({ id: z.string(), name: z.string() });

/** Records that use a content. A deletion of the content would change these records. */
export const ContentUsage = z.object({
  /** Playlists with the content. `draft`: the draft contains it; `published`: the published playlist contains it. */
  playlists: z.array(Named.extend({ draft: z.boolean(), published: z.boolean() })),
  /**
   * Plans that show the content. Each plan is listed once for all of its screens. `only`: the plan shows nothing else,
   * and is deleted with the content.
   */
  schedules: z.array(z.object({ id: z.string(), title: z.string(), only: z.boolean() })),
  walls: z.array(Named),
  /** Devices that show the content when nothing else plays. */
  devices: z.array(Named),
  /** Layouts with a zone that shows the content directly. */
  layouts: z.array(Named),
  /** Widgets and kiosk pages whose config names the content. */
  widgets: z.array(Named),
  kiosk_pages: z.array(Named),
  /** Designs that show the content. */
  designs: z.array(Named),
  /** Devices whose program would change without the content. */
  screens: z.array(Named),
});
export type ContentUsage = z.infer<typeof ContentUsage>;

export const getContentUsage = endpoint('GET /api/content/{id}/usage', {
  name: 'getContentUsage',
  summary: 'Uses of a content: the records that its deletion would change',
  access: read,
  response: ContentUsage,
});
