/** Turns incoming bytes into a stored file that a screen can show. */
import { access } from 'node:fs/promises';
import { ApiError, badRequest, notFound } from '../../../shared/contract/errors.ts';
import type { BlobWriter, Incoming } from '../../media/blob-writer.ts';
import { checkPictures } from '../../media/kinds/check-pictures.ts';
import { type Inspected, NO_PICTURES } from '../../media/kinds/inspection.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { ContentStore, NewContentRow, StoredFile } from './content.store.ts';

/** Error: the received bytes are not a file that a screen can show. */
class NotShowableError extends ApiError {
  constructor(sentence: string) {
    super(415, sentence);
  }
}

/**
 * A stored file without references yet. The caller saves references to the file or drops the file, and then calls
 * `release`.
 */
export interface Taken {
  readonly inspected: Inspected;
  readonly sha256: string;
  readonly size: number;
  readonly thumbnail: { readonly sha256: string; readonly size: number } | null;
  readonly release: () => void;
}

interface Deps {
  readonly media: MediaStore;
  readonly inspector: Pick<MediaProcess, 'inspect'>;
  /** Path of ffmpeg; undefined: ffmpeg is not installed, and videos are judged by their structure alone. */
  readonly ffmpeg: () => Promise<string | undefined>;
  readonly store: ContentStore;
}

export class Intake {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param expected bytes, if known. @throws ApiError 507 when they cannot fit */
  open(expected: number): Promise<BlobWriter> {
    return this.#deps.media.open(expected);
  }

  /**
   * Stores the written bytes if a screen can show them, and otherwise deletes the bytes.
   * @param name name of the file from the sender
   * @throws ApiError 415, 503, 507
   */
  async storeUpload(writer: BlobWriter, name = ''): Promise<Taken> {
    const incoming = await writer.finish().catch(async (error) => {
      await writer.abort();
      throw error;
    });
    return this.storeFile(incoming, name);
  }

  /** Does the same as `storeUpload`, for a file that is already written. */
  async storeFile(incoming: Incoming, name = ''): Promise<Taken> {
    const { media } = this.#deps;
    let inspected: Inspected;
    try {
      inspected = await this.#showable(incoming.path, incoming.size, name);
    } catch (error) {
      await media.discard(incoming);
      throw error;
    }
    const stored = await this.#storedOf(incoming, inspected);
    const [file, thumbnail] = await Promise.allSettled([
      media.store(stored),
      inspected.thumbnail && media.put(Buffer.from(inspected.thumbnail)),
    ]);
    const picture = thumbnail.status === 'fulfilled' ? thumbnail.value : null;
    const release = () => {
      if (file.status === 'fulfilled') file.value();
      picture?.release();
    };
    if (file.status === 'fulfilled' && thumbnail.status === 'fulfilled')
      return { inspected, sha256: stored.sha256, size: stored.size, thumbnail: picture, release };
    release();
    this.#forget([stored.sha256, ...(picture ? [picture.sha256] : [])]);
    throw file.status === 'rejected' ? file.reason : (thumbnail as PromiseRejectedResult).reason;
  }

  /**
   * Returns a stored file as if the file was uploaded again, without a thumbnail.
   * @throws ApiError 404 when the file is missing, 415, 503
   */
  async reuseStored(file: StoredFile, name = ''): Promise<Taken> {
    const path = this.#deps.media.pathOf(file.sha256);
    await access(path).catch(() => {
      throw notFound('The file on the server’s disk was');
    });
    const inspected = await this.#showable(path, file.size, name);
    return { inspected, sha256: file.sha256, size: file.size, thumbnail: null, release: () => {} };
  }

  /** Returns the file to store: the received file, or the upright picture made from it (media/kinds/upright.ts). */
  async #storedOf(incoming: Incoming, { upright }: Inspected): Promise<Incoming> {
    if (!upright) return incoming;
    await this.#deps.media.discard(incoming);
    return { ...upright, synced: Promise.resolve() };
  }

  /** Returns the columns of a content with this file. Called within the write transaction that saves these columns. */
  record(taken: Taken, now: number) {
    const { store } = this.#deps;
    const { inspected, sha256, size, thumbnail } = taken;
    store.addBlob({ sha256, size, mime: inspected.mime, format: inspected.format, created_at: now });
    if (thumbnail) store.addBlob({ ...thumbnail, mime: 'image/webp', created_at: now });
    if (inspected.shows) store.setShown(sha256, inspected.shows);
    return {
      kind: inspected.kind,
      mime_type: inspected.mime,
      file_size: size,
      duration_sec: inspected.durationSec,
      width: inspected.width,
      height: inspected.height,
      sha256,
      // If the same video was uploaded before, its thumbnail exists already. The same design may look different in another
      // workspace, and would show its pictures.
      thumbnail: thumbnail?.sha256 ?? (inspected.kind === 'design' ? null : store.thumbnailOf(sha256)),
    } satisfies Partial<NewContentRow>;
  }

  /** Releases and deletes a stored file that is not used. */
  drop(taken: Taken): void {
    taken.release();
    this.#forget([taken.sha256, ...(taken.thumbnail ? [taken.thumbnail.sha256] : [])]);
  }

  async #showable(path: string, size: number, name: string): Promise<Inspected> {
    const found = await this.#deps.inspector.inspect(path, size, name).catch((error: Error) => {
      // An ApiError means a fault of the machine, not of the file, so it is passed on.
      if (error instanceof ApiError) throw error;
      throw new NotShowableError(`The file could not be read (${error.message.split('\n')[0]}).`);
    });
    if ('refused' in found) throw found.isInvalid ? badRequest(found.refused) : new NotShowableError(found.refused);
    const ffmpeg = found.kind === 'video' ? await this.#deps.ffmpeg() : undefined;
    if (ffmpeg && (await checkPictures(ffmpeg, { path, ...found })) === 'none') throw new NotShowableError(NO_PICTURES);
    return found;
  }

  #forget(hashes: readonly string[]): void {
    for (const sha256 of hashes) if (!this.#deps.store.file(sha256)) this.#deps.media.remove(sha256);
  }
}
