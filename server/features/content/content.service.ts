/** Rules of the media library (resource API, Content): uploaded files and remote addresses. */

import type {
  Content,
  ContentChange,
  ContentQuery,
  ContentUsage,
  NewRemote,
  NewVideo,
} from '../../../shared/contract/content/content.ts';
import { badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import { DAY_MS, formatLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { BlobWriter } from '../../media/blob-writer.ts';
import { EMBED_MIME, extensionOfMime, kindOfMime, mimeOfPath } from '../../media/kinds/media-types.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { SsrfGuard } from '../../net/ssrf-guard.ts';
import type { Programs } from '../../programs/programs.ts';
import type { FoldersService } from '../folders/folders.service.ts';
import { type PlaylistReferences, Records } from '../records.ts';
import { validityChange } from '../validity.ts';
import type { ContentRow, ContentStore, NewContentRow, StoredFile } from './content.store.ts';
import { toContent } from './content.view.ts';
import type { Intake, Taken } from './intake.ts';
import { labelOfName, labelOfUpload, labelOfUrl } from './labels.ts';
import type { RemoteCopies } from './remote-copies.ts';
import { readVideoAddress } from './video-sites.ts';
import type { VideoThumbnails } from './video-thumbnails.ts';

/** Milliseconds before its end at which a content counts as ending soon. */
const SOON_MS = 7 * DAY_MS;

/** Label and folder of a content in the library. */
export interface Place {
  readonly folder?: string | undefined;
  readonly folder_id?: string | undefined;
}
/** A stored file that is sent as the body of an answer. */
interface OutgoingFile extends StoredFile {
  readonly path: string;
  readonly filename?: string;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity' | 'bin'> {
  readonly store: ContentStore;
  readonly media: MediaStore;
  readonly intake: Intake;
  readonly addresses: Pick<SsrfGuard, 'check'>;
  readonly folders: Pick<FoldersService, 'exists'>;
  readonly programs: Pick<Programs, 'devicesShowing'>;
  readonly playlists: PlaylistReferences;
  readonly thumbnails: Pick<VideoThumbnails, 'wake'>;
  readonly copies: Pick<RemoteCopies, 'wake'>;
  readonly serverZone: () => string;
}

/**
 * Called within the write transaction that creates a content, so that related records are saved together with it or not
 * at all.
 */
type Saved = (made: { readonly id: string }) => void;

export class ContentService {
  readonly #deps: Deps;
  readonly #records: Records<ContentRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, noun: 'Content', topic: 'content', nameOf: (row) => row.filename });
  }

  list(actor: WorkspaceActor, query: ContentQuery): { records: Content[]; total: number } {
    const { store } = this.#deps;
    const filter = { ...query, now: this.minute(), soon: this.minute(SOON_MS) };
    const rows = store.list(actor.workspaceId, filter);
    const formats = store.formatsOf(rows.flatMap(({ sha256 }) => sha256 ?? []));
    const records = rows.map((row) => toContent(row, formats));
    // A page that is not full is the last page, so its total is known without counting.
    const isLast = records.length < query.limit && (records.length > 0 || query.offset === 0);
    return { records, total: isLast ? query.offset + records.length : store.countOf(actor.workspaceId, filter) };
  }

  /** Returns the server's local time as `YYYY-MM-DDTHH:MM`, shifted by a number of milliseconds. */
  minute(later = 0): string {
    return formatLocal(toLocal(this.#deps.clock.now() + later, this.#deps.serverZone())).slice(0, 16);
  }

  labels(actor: WorkspaceActor): { folder: string; count: number }[] {
    return this.#deps.store.labels(actor.workspaceId);
  }

  get(actor: WorkspaceActor, id: string): Versioned<Content> {
    return this.#versioned(this.#records.get(actor, id));
  }

  /** Checks the folder before the large body of an upload is read. */
  requirePlace(actor: WorkspaceActor, place: Place): void {
    if (place.folder_id && !this.#deps.folders.exists(actor.workspaceId, place.folder_id)) throw notFound('Folder');
  }

  /** Checks, before the body of an upload is read, that the content exists and has the client's revision. */
  requireEditable(actor: WorkspaceActor, id: string, ifMatch: string | undefined): void {
    this.#records.getFor(actor, id, ifMatch);
  }

  /** Opens a writer for an upload. @throws ApiError 507 */
  openUpload(expected: number): Promise<BlobWriter> {
    return this.#deps.intake.open(expected);
  }

  async upload(
    actor: WorkspaceActor,
    file: { readonly name: string; readonly writer: BlobWriter },
    place: Place,
    saved: Saved = () => {},
  ): Promise<Versioned<Content>> {
    const taken = await this.#deps.intake.storeUpload(file.writer, file.name);
    return this.#saving(taken, () => {
      this.requirePlace(actor, place);
      const now = seconds(this.#deps.clock);
      const made = this.#insert(actor, 'content.uploaded', {
        ...this.#deps.intake.record(taken, now),
        filename: labelOfUpload(file.name),
        folder: place.folder,
        folder_id: place.folder_id,
      });
      saved(made.record);
      return made;
    });
  }

  /** Creates a further content that shares the file of a content that was uploaded before. */
  again(actor: WorkspaceActor, id: string, name: string, place: Place): Versioned<Content> {
    return this.#deps.db.write(() => {
      this.requirePlace(actor, place);
      const { kind, mime_type, file_size, duration_sec, width, height, sha256, thumbnail } = this.#records.get(
        actor,
        id,
      );
      return this.#insert(actor, 'content.uploaded', {
        ...{ kind, mime_type, file_size, duration_sec, width, height, sha256, thumbnail },
        filename: labelOfUpload(name),
        folder: place.folder,
        folder_id: place.folder_id,
      });
    });
  }

  async replace(
    actor: WorkspaceActor,
    id: string,
    file: { readonly name: string; readonly writer: BlobWriter },
    ifMatch?: string,
  ): Promise<Versioned<Content>> {
    const taken = await this.#deps.intake.storeUpload(file.writer, file.name);
    return this.#putFile(actor, id, taken, { action: 'content.replaced', name: file.name, ifMatch });
  }

  /**
   * Replaces the file `source` with the converted file, and keeps `source` as the original.
   * @param allowed called within the write transaction, before any change
   * @returns undefined when the content is gone or has another file by now: then nothing is changed
   */
  async putConverted(
    actor: WorkspaceActor,
    id: string,
    { taken, source, allowed }: { readonly taken: Taken; readonly source: string; readonly allowed: () => void },
  ): Promise<Versioned<Content> | undefined> {
    if (this.#deps.store.find(actor.workspaceId, id)?.sha256 !== source) {
      this.#deps.intake.drop(taken);
      return undefined;
    }
    return this.#putFile(actor, id, taken, {
      action: 'content.converted',
      name: `file.${taken.inspected.kind === 'video' ? 'mp4' : 'm4a'}`,
      allowed,
      original: (row) => row.original_sha256 ?? source,
    });
  }

  /** Replaces the converted file with its original. @throws ApiError 404, 412, 415 */
  async restoreOriginal(
    actor: WorkspaceActor,
    id: string,
    { ifMatch, stillMay }: { readonly ifMatch: string | undefined; readonly stillMay: () => void },
  ): Promise<Versioned<Content>> {
    const row = this.#records.getFor(actor, id, ifMatch);
    this.#deps.store.requireOwn(id);
    const original = this.#original(row);
    const taken = await this.#deps.intake.reuseStored(original, row.filename);
    return this.#putFile(actor, id, taken, {
      action: 'content.original_restored',
      name: `file.${extensionOfMime(original.mime)}`,
      ifMatch,
      allowed: () => {
        stillMay();
        if (this.#records.get(actor, id).original_sha256 !== original.sha256) throw noOriginal();
      },
    });
  }

  /** @throws ApiError 404 when the content was not converted */
  originalFile(actor: WorkspaceActor, id: string): OutgoingFile & { readonly filename: string } {
    const row = this.#records.get(actor, id);
    const original = this.#original(row);
    const filename = withExtensionOf(row.filename, `file.${extensionOfMime(original.mime)}`, original.mime);
    return { ...original, path: this.#deps.media.pathOf(original.sha256), filename };
  }

  #original(row: ContentRow): StoredFile {
    const stored = row.original_sha256 && this.#deps.store.file(row.original_sha256);
    if (!stored) throw noOriginal();
    return stored;
  }

  /**
   * Replaces the file of a content: after an upload, a conversion, or to restore the original. The previous file goes
   * into the bin, unless the previous file is kept as the original.
   */
  #putFile(
    actor: WorkspaceActor,
    id: string,
    taken: Taken,
    put: {
      readonly action: ActivityAction;
      /** File name, whose extension is used. */
      readonly name: string;
      readonly ifMatch?: string | undefined;
      readonly allowed?: () => void;
      /** Returns the file to keep as the original. */
      readonly original?: (row: ContentRow) => string;
    },
  ): Promise<Versioned<Content>> {
    return this.#saving(taken, () => {
      put.allowed?.();
      return this.#edit(actor, id, put.ifMatch, { action: put.action }, (row) => {
        if (!put.original || row.original_sha256) this.#deps.bin.storeRecord(actor, 'file', { id, name: row.filename });
        return {
          ...this.#deps.intake.record(taken, seconds(this.#deps.clock)),
          filename: withExtensionOf(row.filename, labelOfUpload(put.name), taken.inspected.mime),
          original_sha256: put.original?.(row) ?? null,
          remote_url: null,
          fetched_at: null,
          fetch_error: null,
        };
      });
    });
  }

  async createRemote(
    actor: WorkspaceActor,
    { url: address, name, mime_type }: NewRemote,
    saved: Saved = () => {},
  ): Promise<Versioned<Content>> {
    const url = await this.#deps.addresses.check(address);
    const mime = mime_type ?? mimeOfPath(url.pathname) ?? 'text/html';
    const kind = kindOfMime(mime);
    if (!kind || kind === 'embed') throw badRequest(`mime_type: screens cannot show files of the type ${mime}`);
    const created = this.#deps.db.write(() => {
      const made = this.#insert(actor, 'content.added', {
        kind,
        mime_type: mime,
        filename: name ? labelOfName(name) : labelOfUrl(url),
        remote_url: address,
        // The content is declared as a web page, so there is nothing to detect or copy.
        fetched_at: mime_type && kind === 'web' ? seconds(this.#deps.clock) : null,
      });
      saved(made.record);
      return made;
    });
    this.#deps.copies.wake();
    return created;
  }

  createVideo(actor: WorkspaceActor, { url, name }: NewVideo): Versioned<Content> {
    const video = readVideoAddress(url);
    return this.#deps.db.write(() =>
      this.#insert(actor, 'content.added', {
        kind: 'embed',
        mime_type: EMBED_MIME,
        filename: labelOfName(name ?? video.title),
        remote_url: video.embedUrl,
      }),
    );
  }

  async update(actor: WorkspaceActor, id: string, body: ContentChange, ifMatch?: string): Promise<Versioned<Content>> {
    const before = this.#records.getFor(actor, id, ifMatch);
    const remote =
      body.remote_url === undefined || body.remote_url === before.remote_url
        ? {}
        : await this.#newAddress(before, body.remote_url);
    const shown = [body.filename, body.mime_type, body.valid_from, body.valid_until];
    const screens = shown.some((member) => member !== undefined) || 'remote_url' in remote;
    const changed = this.#deps.db.write(() =>
      this.#edit(actor, id, ifMatch, { action: 'content.updated', screens }, (row) => {
        if (body.mime_type !== undefined && kindOfMime(body.mime_type) !== row.kind)
          throw badRequest(
            `mime_type: ${body.mime_type} does not fit content of the kind ${row.kind}; send a media type of the kind ${row.kind}`,
          );
        this.requirePlace(actor, { folder_id: body.folder_id ?? undefined });
        return {
          ...remote,
          ...validityChange(row, body),
          ...definedOnly({ mime_type: body.mime_type, folder: body.folder, folder_id: body.folder_id }),
          ...(body.filename !== undefined && { filename: labelOfName(body.filename) }),
        };
      }),
    );
    if ('remote_url' in remote) this.#deps.copies.wake();
    return changed;
  }

  /** Deletes a content. Returns the devices whose program has changed. */
  delete(actor: WorkspaceActor, id: string, ifMatch?: string): string[] {
    const { db, bin, store, programs, playlists } = this.#deps;
    return db.write(() => {
      const row = this.#records.getFor(actor, id, ifMatch);
      const affected = programs.devicesShowing(actor.workspaceId, [id]);
      const holding = playlists.playlistsWith({ contentIds: [id] });
      const schedules = store.schedulesWith(id);
      bin.storeRecord(actor, 'content', { id, name: row.filename });
      store.deleteSchedulesOfOnly('content_id', id);
      store.delete(id);
      playlists.itemsGone(holding);
      this.#records.changed(actor, 'content.deleted', row);
      for (const [topic, ids] of Object.entries({ playlists: holding, schedules }) as [Topic, string[]][]) {
        if (ids.length > 0) announce(this.#deps, actor, { topic, ids, screens: false });
      }
      return affected;
    });
  }

  /** Returns where a content is used, and which screens would change without it. */
  usage(actor: WorkspaceActor, id: string): ContentUsage {
    const { store, programs } = this.#deps;
    const row = this.#records.get(actor, id);
    return {
      ...store.usage(actor.workspaceId, row.id),
      screens: store.deviceNames(programs.devicesShowing(actor.workspaceId, [row.id])),
    };
  }

  /** @throws 404 while the content has no stored file */
  file(workspaceId: string, id: string): OutgoingFile {
    const row = this.#records.get({ workspaceId }, id);
    const stored = row.sha256 && this.#deps.store.file(row.sha256);
    if (!stored)
      throw notFound(
        row.kind === 'embed' || row.kind === 'web'
          ? 'This is shown live from its address; a file of it was'
          : 'The copy of this address was not fetched yet; a file was',
      );
    return { ...stored, path: this.#deps.media.pathOf(stored.sha256), filename: row.filename };
  }

  /** @throws 404 while the content has no thumbnail */
  thumbnail(actor: WorkspaceActor, id: string): OutgoingFile {
    const row = this.#records.get(actor, id);
    const stored = row.thumbnail && this.#deps.store.file(row.thumbnail);
    if (!stored) throw notFound('A thumbnail of this content was');
    return { ...stored, path: this.#deps.media.pathOf(stored.sha256) };
  }

  // The following methods are for other features.

  /** Returns the length of a video in seconds, and null for other kinds; undefined: no such content. */
  playable(workspaceId: string, id: string): { readonly durationSec: number | null } | undefined {
    const row = this.#deps.store.find(workspaceId, id);
    return row && { durationSec: row.kind === 'video' ? row.duration_sec : null };
  }

  /** @throws ApiError 400 */
  async #newAddress(row: ContentRow, address: string): Promise<Partial<NewContentRow>> {
    if (row.remote_url === null)
      throw badRequest(
        'remote_url: this content is an uploaded file and has no address; to change the file, use “Replace”',
      );
    if (row.kind === 'embed') return { remote_url: readVideoAddress(address).embedUrl };
    const url = await this.#deps.addresses.check(address);
    const mime = mimeOfPath(url.pathname) ?? row.mime_type;
    const nothingStored = {
      sha256: null,
      thumbnail: null,
      original_sha256: null,
      file_size: 0,
      width: null,
      height: null,
      duration_sec: null,
      fetched_at: null,
      fetch_error: null,
    };
    return { remote_url: address, mime_type: mime, kind: kindOfMime(mime) ?? row.kind, ...nothingStored };
  }

  #versioned(row: ContentRow): Versioned<Content> {
    const formats = this.#deps.store.formatsOf(row.sha256 ? [row.sha256] : []);
    return { record: toContent(row, formats), revision: row.revision };
  }

  /** Saves the records of a stored file; if that fails, deletes the file. */
  async #saving<T>(taken: Taken, save: () => T): Promise<T> {
    const { db, intake, thumbnails } = this.#deps;
    try {
      const saved = db.write(save);
      await db.durable();
      taken.release();
      if (taken.inspected.thumbnail === null) thumbnails.wake();
      return saved;
    } catch (error) {
      intake.drop(taken);
      throw error;
    }
  }

  /**
   * Returns the first allowed folder of a limited member, so that the member does not create content that they cannot
   * change.
   */
  #homeOf({ workspaceId, limits }: WorkspaceActor): string | null {
    return limits?.folderIds?.find((id) => this.#deps.folders.exists(workspaceId, id)) ?? null;
  }

  #insert(
    actor: WorkspaceActor,
    action: ActivityAction,
    columns: Omit<NewContentRow, 'id' | 'workspace_id' | 'created_at' | 'updated_at'>,
  ): Versioned<Content> {
    const now = seconds(this.#deps.clock);
    const row = this.#deps.store.insert({
      ...columns,
      folder_id: columns.folder_id ?? this.#homeOf(actor),
      id: newId(),
      workspace_id: actor.workspaceId,
      uploaded_by: actor.userId,
      created_at: now,
      updated_at: now,
    });
    // Nothing plays the new content yet, so no screen is notified.
    this.#records.changed(actor, action, row, { screens: false });
    return this.#versioned(row);
  }

  #edit(
    actor: WorkspaceActor,
    id: string,
    ifMatch: string | undefined,
    what: { action: ActivityAction; screens?: boolean },
    change: (row: ContentRow) => Partial<NewContentRow>,
  ): Versioned<Content> {
    const row = this.#records.getFor(actor, id, ifMatch);
    const changed = this.#deps.store.update(id, { ...change(row), updated_at: seconds(this.#deps.clock) });
    this.#records.changed(actor, what.action, changed, { screens: what.screens });
    return this.#versioned(changed);
  }
}

/** Returns an image of the library for widget pages that show it; undefined: the workspace has no such image. */
export const pictureOf = (
  { store, media }: { readonly store: ContentStore; readonly media: MediaStore },
  workspaceId: string,
  id: string,
): { readonly sha256: string; readonly path: string } | undefined => {
  const row = store.find(workspaceId, id);
  return row?.kind === 'image' && row.sha256 ? { sha256: row.sha256, path: media.pathOf(row.sha256) } : undefined;
};

const noOriginal = () => notFound('An original file of this content was');

/** Keeps the name that people gave, and corrects the extension if it no longer matches the file. */
const withExtensionOf = (label: string, uploaded: string, mime: string): string => {
  const old = mimeOfPath(label);
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(uploaded)?.[0];
  if (!old || old === mime || !extension || mimeOfPath(uploaded) !== mime) return label;
  return label.replace(/\.[A-Za-z0-9]{1,5}$/, extension);
};
