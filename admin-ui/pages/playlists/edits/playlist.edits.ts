/**
 * Sends edits of one playlist one after the other. Each edit is shown at once and sent with the ETag of the previous
 * answer, so that two users cannot overwrite each other, and fast edits of one user do not conflict.
 */
import type { PlaylistWithItems } from '../../../../shared/contract/content/playlists.ts';

export type PlaylistState = { readonly playlist: PlaylistWithItems; readonly etag: string | undefined };

export type Edit<R> = {
  /** Returns the playlist as shown before the server answers. */
  readonly apply: (playlist: PlaylistWithItems) => PlaylistWithItems;
  readonly send: (etag: string | undefined) => Promise<{ data: R; etag: string | undefined }>;
  /** Returns the playlist as shown after the server's answer. */
  readonly settle?: (playlist: PlaylistWithItems, answer: R) => PlaylistWithItems;
};

export interface PlaylistEditsOptions {
  readonly get: () => PlaylistState | undefined;
  readonly set: (state: PlaylistState) => void;
  /** Reloads the playlist after a failed edit, when the shown playlist differs from the stored one. */
  readonly reload: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export class PlaylistEdits {
  readonly #options: PlaylistEditsOptions;
  #tail: Promise<void> = Promise.resolve();
  /** Number of failures so far. Edits that were made on top of a failed edit are not sent. */
  #generation = 0;
  #waiting = 0;

  constructor(options: PlaylistEditsOptions) {
    this.#options = options;
  }

  /** Whether any edit has not been answered yet. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when all edits that were started so far have been answered. */
  idle(): Promise<void> {
    return this.#tail;
  }

  /** Runs an edit. Resolves to the answer, or to undefined after a failure, which was shown to the user. */
  run<R>(edit: Edit<R>): Promise<R | undefined> {
    const { get, set } = this.#options;
    const before = get();
    if (!before) return Promise.resolve(undefined);
    set({ ...before, playlist: edit.apply(before.playlist) });
    this.#waiting++;
    const generation = this.#generation;
    const answered = this.#tail.then(() => this.#send(edit, generation)).finally(() => this.#waiting--);
    this.#tail = answered.then(() => undefined);
    return answered;
  }

  async #send<R>(edit: Edit<R>, generation: number): Promise<R | undefined> {
    const { get, set, reload, onFailure } = this.#options;
    if (generation !== this.#generation) return undefined;
    try {
      const { data, etag } = await edit.send(get()?.etag);
      const now = get();
      if (now) set({ playlist: edit.settle ? edit.settle(now.playlist, data) : now.playlist, etag: etag ?? now.etag });
      return data;
    } catch (error) {
      this.#generation++;
      await reload();
      onFailure(error);
      return undefined;
    }
  }
}
