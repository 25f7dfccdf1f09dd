/**
 * Makes thumbnails of videos with ffmpeg, if installed: after the upload is answered, one at a time, at low priority.
 */
import { ApiError } from '../../../shared/contract/errors.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { extractFrame, frameRequest } from '../../media/ffmpeg.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { ContentRow, ContentStore } from './content.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: ContentStore;
  readonly media: MediaStore;
  readonly shrinker: Pick<MediaProcess, 'shrink'>;
  readonly ffmpeg: () => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
}

export class VideoThumbnails implements Lifecycle {
  readonly name = 'video-thumbnails';
  readonly #deps: Deps;
  /** Files without a usable frame. They are not retried before the next start. */
  readonly #hopeless = new Set<string>();
  #running: Promise<void> | undefined;
  #again = false;
  #abort = new AbortController();
  #started = false;

  /** @param deps.ffmpeg path of ffmpeg; undefined: not installed */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#started = true;
    this.#abort = new AbortController();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#started = false;
    this.#abort.abort();
    await this.#running;
  }

  /** Makes all missing thumbnails. */
  wake(): void {
    if (!this.#started) return;
    this.#again = true;
    this.#running ??= this.#passes()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #passes(): Promise<void> {
    while (this.#again && !this.#abort.signal.aborted) {
      this.#again = false;
      const missing = this.#deps.store.withoutThumbnail().filter((row) => !this.#hopeless.has(row.sha256!));
      const ffmpeg = missing.length > 0 ? await this.#deps.ffmpeg() : undefined;
      if (!ffmpeg) continue;
      for (const row of missing) {
        if (this.#abort.signal.aborted) return;
        await this.#take(ffmpeg, row);
      }
    }
  }

  async #take(ffmpeg: string, row: ContentRow): Promise<void> {
    const { store, media, shrinker, db, clock } = this.#deps;
    const file = store.file(row.sha256!);
    // Uses the type that was detected from the bytes, because the declared type of the content may differ.
    const request = file && frameRequest(media.pathOf(file.sha256), file.mime, row.duration_sec);
    const existing = store.thumbnailOf(row.sha256!);
    if (existing) return this.#save(row, existing);
    const frame = request && (await extractFrame(ffmpeg, request, this.#abort.signal));
    // A frame that cannot be shrunk counts as no frame, so that the other videos still get their thumbnails.
    const small =
      frame &&
      (await shrinker.shrink(frame).catch((error: unknown) => {
        // This error is not a fault of the frame, so it is retried later.
        if (error instanceof ApiError) throw error;
        return null;
      }));
    if (this.#abort.signal.aborted) return;
    if (!small) {
      this.#hopeless.add(row.sha256!);
      return;
    }
    const { sha256, size, release } = await media.put(Buffer.from(small));
    try {
      db.write(() => {
        store.addBlob({ sha256, size, mime: 'image/webp', created_at: seconds(clock) });
        this.#save(row, sha256);
      });
      await db.durable();
    } finally {
      release();
    }
  }

  #save(row: ContentRow, thumbnail: string): void {
    this.#deps.db.write(() => {
      // The content was replaced or deleted meanwhile, so the thumbnail would show another video.
      if (this.#deps.store.find(row.workspace_id, row.id)?.sha256 !== row.sha256) return;
      this.#deps.store.note(row.id, { thumbnail });
      announce(
        this.#deps,
        { workspaceId: row.workspace_id, userId: null },
        { topic: 'content', ids: [row.id], screens: false },
      );
    });
  }
}
