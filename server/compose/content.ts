/** Creates the media library: files, thumbnails, remote copies, folders, and the guard for all fetches. */

import { join } from 'node:path';
import { RunningAges } from '../db/running-ages.ts';
import type { ConnectionsService } from '../features/accounts/providers/connections.service.ts';
import { contentRoutes } from '../features/content/content.routes.ts';
import { ContentService, pictureOf } from '../features/content/content.service.ts';
import { ContentStore } from '../features/content/content.store.ts';
import { conversionRoutes } from '../features/content/conversions.routes.ts';
import { Conversions } from '../features/content/conversions.ts';
import { FormatReader } from '../features/content/format-reader.ts';
import { Intake } from '../features/content/intake.ts';
import { RemoteCopies } from '../features/content/remote-copies.ts';
import { VideoThumbnails } from '../features/content/video-thumbnails.ts';
import { folderRoutes } from '../features/folders/folders.routes.ts';
import { FoldersService } from '../features/folders/folders.service.ts';
import { FoldersStore } from '../features/folders/folders.store.ts';
import type { PlaylistReferences } from '../features/records.ts';
import type { MembersService } from '../features/workspaces/members.service.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { Tickets } from '../http/tickets.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import { Aside, mediaAsideFolder } from '../media/aside.ts';
import { BlobsStore } from '../media/blobs.store.ts';
import { findFfmpeg } from '../media/ffmpeg.ts';
import { MediaProcess } from '../media/media-process.ts';
import { MediaStore } from '../media/media-store.ts';
import { MediaSweeper } from '../media/media-sweeper.ts';
import { GuardedFetch } from '../net/guarded-fetch.ts';
import { SsrfGuard } from '../net/ssrf-guard.ts';
import type { Programs } from '../programs/programs.ts';
import { isFull } from '../upkeep/disk/disk-watch.ts';
import type { Kernel } from './kernel.ts';

/** Storage of files and guarded fetching, created before programs exist. */
export const createLibrary = ({ config, db, room }: Kernel, connections: Pick<ConnectionsService, 'allowedHosts'>) => {
  const guard = new SsrfGuard({ allowedHosts: () => connections.allowedHosts });
  const store = new ContentStore(db);
  const media = new MediaStore(join(config.data, 'media'), room);
  return {
    store,
    media,
    guard,
    /** Fetches everything that the server needs from other servers: copies, feeds, weather, logos. */
    fetch: new GuardedFetch(guard),
    /** Inspects files and creates thumbnails, in a separate process. */
    inspector: new MediaProcess(),
    pictures: { picture: (workspaceId: string, id: string) => pictureOf({ store, media }, workspaceId, id) },
  };
};

export type LibraryParts = ReturnType<typeof createLibrary>;

export const createContent = (
  kernel: Kernel,
  deps: {
    readonly library: LibraryParts;
    readonly cache: ResponseCache;
    readonly tickets: Tickets;
    readonly programs: Programs;
    readonly playlists: PlaylistReferences;
    readonly members: Pick<MembersService, 'forget'>;
  },
) => {
  const { config, room, db, clock, mono, log } = kernel;
  const { library, cache, tickets, programs, playlists } = deps;
  const { store, media, inspector, guard, fetch } = library;
  const failed = (part: string) => (error: unknown) => log.error(`${part} failed`, { error });
  const maxUploadBytes = Math.floor(config.max_upload_mb * 1024 * 1024);
  const intake = new Intake({ media, inspector, ffmpeg: findFfmpeg, store });
  const folders = new FoldersService({ ...kernel, store: new FoldersStore(db), members: deps.members });
  const thumbnails = new VideoThumbnails({
    ...kernel,
    store,
    media,
    shrinker: inspector,
    ffmpeg: findFfmpeg,
    onError: failed('video-thumbnails'),
  });
  const copies = new RemoteCopies({
    ...kernel,
    store,
    intake,
    fetch,
    maxBytes: maxUploadBytes,
    onError: failed('remote-copies'),
  });
  const content = new ContentService({
    ...kernel,
    serverZone,
    store,
    media,
    intake,
    addresses: guard,
    folders,
    programs,
    playlists,
    thumbnails,
    copies,
  });
  const conversions = new Conversions({
    ...kernel,
    store,
    media,
    intake,
    content,
    ffmpeg: findFfmpeg,
    maxBytes: maxUploadBytes,
    onError: failed('conversion'),
  });
  const formats = new FormatReader({ ...kernel, store, media, inspector, onError: failed('format-reader') });
  const ages = new RunningAges({ db, key: 'media_aside', mono });
  const aside = new Aside({
    dir: mediaAsideFolder(config.data),
    store: media,
    ages,
    clock,
    isFull: () => isFull(config.data),
  });
  const note = (sentence: string) => log.warn(sentence);
  const sweeper = new MediaSweeper({
    ...kernel,
    room,
    store: new BlobsStore(db),
    media,
    aside,
    onError: failed('media-sweeper'),
    note,
  });
  return {
    routes: [
      ...contentRoutes(content, { cache, tickets, maxUploadBytes }),
      ...conversionRoutes(conversions, content),
      ...folderRoutes(folders, cache),
    ],
    content,
    folders,
    /** For tests, which call it directly and do not wait for timers. */
    sweeper,
    /** Size limit per file in bytes. */
    maxUploadBytes,
    /** Parts to start, in this order. */
    parts: [media, inspector, sweeper, thumbnails, copies, conversions, formats],
  };
};

export type ContentParts = ReturnType<typeof createContent>;
