/** The part of the composition root that makes the media library: files, thumbnails, remote copies, folders, and the guard of all fetches. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Database, Room } from './db/database.ts';
import { RunningAges } from './db/running-ages.ts';
import { contentRoutes } from './features/content/content.routes.ts';
import { ContentService, type PlaylistReferences, type ProgramsShowing } from './features/content/content.service.ts';
import { ContentStore } from './features/content/content.store.ts';
import { Intake } from './features/content/intake.ts';
import { RemoteCopies } from './features/content/remote-copies.ts';
import { VideoThumbnails } from './features/content/video-thumbnails.ts';
import { folderRoutes } from './features/folders/folders.routes.ts';
import { FoldersService } from './features/folders/folders.service.ts';
import { FoldersStore } from './features/folders/folders.store.ts';
import type { Bound } from './http/api.ts';
import type { ResponseCache } from './http/response-cache.ts';
import type { Tickets } from './http/tickets.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Clock } from './kernel/clock.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';
import { Aside, mediaAsideFolder } from './media/aside.ts';
import { BlobsStore } from './media/blobs.store.ts';
import { findFfmpeg } from './media/ffmpeg.ts';
import { MediaProcess } from './media/media-process.ts';
import { MediaStore } from './media/media-store.ts';
import { MediaSweeper } from './media/media-sweeper.ts';
import { GuardedFetch } from './net/guarded-fetch.ts';
import { type ResolveHost, SsrfGuard } from './net/ssrf-guard.ts';
import { isFull } from './upkeep/disk-watch.ts';

export interface ContentParts {
  readonly routes: readonly Bound[];
  readonly content: ContentService;
  readonly folders: FoldersService;
  readonly media: MediaStore;
  /** For tests, which do not wait for its clock. */
  readonly sweeper: MediaSweeper;
  /** Of one file. */
  readonly maxUploadBytes: number;
  /** For whatever else the server fetches: feeds, weather, logos. */
  readonly fetch: GuardedFetch;
  readonly guard: SsrfGuard;
  /** Makes pictures smaller, in a process of its own. */
  readonly pictures: Pick<MediaProcess, 'shrink'>;
  /** In the order in which they start. */
  readonly parts: readonly Lifecycle[];
}

export const createContent = (deps: {
  config: Pick<Config, 'data' | 'max_upload_mb'>;
  /** Hosts in the network that may be fetched from, now. */
  allowedHosts: () => readonly string[];
  room: Room;
  db: Database;
  bus: Bus;
  clock: Clock;
  activity: ActivityLog;
  cache: ResponseCache;
  tickets: Tickets;
  programs: ProgramsShowing;
  playlists: PlaylistReferences;
  /** Milliseconds that never jump. */
  mono: () => number;
  /** What whoever looks after the server should hear of. */
  note: (sentence: string) => void;
  onError: (part: string, error: unknown) => void;
  /** Tests pass their own DNS. */
  resolveHost?: ResolveHost;
}): ContentParts => {
  const { config, db, bus, clock, activity, cache, tickets, programs, playlists, onError } = deps;
  const maxUploadBytes = Math.floor(config.max_upload_mb * 1024 * 1024);
  const guard = new SsrfGuard({ allowedHosts: deps.allowedHosts, ...(deps.resolveHost && { resolve: deps.resolveHost }) });
  const fetch = new GuardedFetch(guard);
  const media = new MediaStore(join(config.data, 'media'), deps.room);
  const inspector = new MediaProcess();
  const store = new ContentStore(db);
  const intake = new Intake({ media, inspector, store });
  const folders = new FoldersService({ db, store: new FoldersStore(db), bus, clock, activity });
  const thumbnails = new VideoThumbnails({ db, store, media, shrinker: inspector, ffmpeg: findFfmpeg, bus, clock, onError: (error) => onError('video-thumbnails', error) });
  const copies = new RemoteCopies({ db, store, intake, fetch, bus, clock, maxBytes: maxUploadBytes, onError: (error) => onError('remote-copies', error) });
  const content = new ContentService({ db, store, media, intake, addresses: guard, folders, programs, playlists, thumbnails, copies, bus, clock, activity });
  const ages = new RunningAges({ db, key: 'media_aside', mono: deps.mono });
  const aside = new Aside({ dir: mediaAsideFolder(config.data), store: media, ages, clock, isFull: () => isFull(config.data) });
  const sweeper = new MediaSweeper({ db, room: deps.room, bus, store: new BlobsStore(db), media, aside, onError: (error) => onError('media-sweeper', error), note: deps.note });
  return {
    routes: [...contentRoutes(content, { cache, tickets, maxUploadBytes }), ...folderRoutes(folders, cache)],
    content,
    folders,
    media,
    sweeper,
    maxUploadBytes,
    fetch,
    guard,
    pictures: inspector,
    parts: [media, inspector, sweeper, thumbnails, copies],
  };
};
