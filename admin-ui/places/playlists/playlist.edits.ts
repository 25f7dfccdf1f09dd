/**
 * Edits of one playlist, one after the other: each is drawn at once and sent with the ETag that the one before brought,
 * so that two people cannot overwrite each other, and one person typing fast does not collide with themselves.
 */
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';

export type PlaylistState = { readonly playlist: PlaylistWithItems; readonly etag: string | undefined };

export type Edit<R> = {
  /** How it looks before the server has answered. */
  readonly apply: (playlist: PlaylistWithItems) => PlaylistWithItems;
  readonly send: (etag: string | undefined) => Promise<{ data: R; etag: string | undefined }>;
  /** How it looks after. */
  readonly settle?: (playlist: PlaylistWithItems, answer: R) => PlaylistWithItems;
};

export interface PlaylistEditsOptions {
  readonly get: () => PlaylistState | undefined;
  readonly set: (state: PlaylistState) => void;
  /** An edit failed: what is drawn is not what is stored. Loads it anew. */
  readonly reload: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export class PlaylistEdits {
  readonly #options: PlaylistEditsOptions;
  #tail: Promise<void> = Promise.resolve();
  /** Grows with each failure: edits drawn on top of what failed are not sent. */
  #generation = 0;
  #waiting = 0;

  constructor(options: PlaylistEditsOptions) {
    this.#options = options;
  }

  /** Edits that have not been answered yet. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Ends when all that was asked so far has been answered. */
  idle(): Promise<void> {
    return this.#tail;
  }

  /** The answer, or undefined when it failed (the person has been told). */
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
