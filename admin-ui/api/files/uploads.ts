/**
 * Uploads in progress. The window owns the uploads, not a page, so navigation does not stop them. Two uploads run at
 * a time: one is sent while the server still checks the other.
 */

import type { Content } from '../../../shared/contract/content/content.ts';

export type UploadState = 'waiting' | 'sending' | 'checking' | 'done' | 'failed' | 'cancelled';
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly state: UploadState;
  /** Number of sent bytes. */
  readonly sent: number;
  /** HTTP status; 0 for a lost connection, -1 for an empty file. Null unless the upload has failed. */
  readonly status: number | null;
  readonly problem: string | null;
  /**
   * Id of the content if the uploaded file is a video or sound, which some screens may not be able to play;
   * otherwise null.
   */
  readonly playableId: string | null;
}

export interface Sending {
  readonly abort: () => void;
}
/** Destination of an upload: a folder of the library, or the content whose file is replaced. */
export type UploadTo = {
  readonly folderId?: string | undefined;
  readonly replace?: { readonly id: string; readonly etag: string | undefined } | undefined;
  /**
   * Called with the content after a successful upload; with undefined after a failure or cancellation. Called again
   * after a retry.
   */
  readonly onEnd?: ((answer: unknown) => void) | undefined;
};

/** Sends one file. When the upload ends, calls one of the end callbacks, at most once. */
export type Send = (
  file: File,
  callbacks: {
    progress: (sent: number) => void;
    done: (answer: unknown) => void;
    failed: (status: number, problem: string | null) => void;
  },
  to: UploadTo,
) => Sending;

const PARALLEL = 2;
const isOver = (state: UploadState) => state === 'done' || state === 'failed' || state === 'cancelled';

export class Uploads {
  #uploads: readonly Upload[] = [];
  readonly #files = new Map<number, { file: File; to: UploadTo }>();
  readonly #running = new Map<number, Sending>();
  readonly #listeners = new Set<() => void>();
  readonly #send: Send;
  readonly #onDone: (answer: unknown) => void;
  #nextId = 1;

  constructor(options: { send: Send; onDone: (answer: unknown) => void }) {
    this.#send = options.send;
    this.#onDone = options.onDone;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  all = (): readonly Upload[] => this.#uploads;

  /** @param place target of all files, or a function for each */
  add(files: Iterable<File>, place: UploadTo | ((file: File) => UploadTo) = {}): void {
    const added: Upload[] = [];
    for (const file of files) {
      const to = typeof place === 'function' ? place(file) : place;
      const empty = file.size === 0;
      const upload: Upload = {
        id: this.#nextId++,
        name: file.name,
        size: file.size,
        state: empty ? 'failed' : 'waiting',
        sent: 0,
        status: empty ? -1 : null,
        problem: null,
        playableId: null,
      };
      this.#files.set(upload.id, { file, to });
      if (empty) to.onEnd?.(undefined);
      added.push(upload);
    }
    // If no upload is running, a new upload removes completed and cancelled uploads from the list.
    const kept = this.busy() ? this.#uploads : this.#uploads.filter((u) => u.state === 'failed');
    this.#set([...kept, ...added]);
    this.#next();
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    this.#change(id, { state: 'cancelled' });
    this.#files.get(id)?.to.onEnd?.(undefined);
    this.#next();
  }

  retry(id: number): void {
    this.#change(id, { state: 'waiting', sent: 0, status: null, problem: null });
    this.#next();
  }

  /** Removes completed, failed and cancelled uploads from the list. */
  clear(): void {
    for (const upload of this.#uploads) if (isOver(upload.state)) this.#files.delete(upload.id);
    this.#set(this.#uploads.filter((u) => !isOver(u.state)));
  }

  busy(): boolean {
    return this.#uploads.some((u) => !isOver(u.state));
  }

  #next(): void {
    for (const upload of this.#uploads) {
      if (this.#running.size >= PARALLEL) return;
      const found = this.#files.get(upload.id);
      if (upload.state === 'waiting' && found) this.#start(upload.id, found.file, found.to);
    }
  }

  #start(id: number, file: File, to: UploadTo): void {
    this.#change(id, { state: 'sending' });
    const end = () => {
      this.#running.delete(id);
      this.#next();
    };
    this.#running.set(
      id,
      this.#send(
        file,
        {
          progress: (sent) => this.#change(id, { sent, state: sent >= file.size ? 'checking' : 'sending' }),
          done: (answer) => {
            this.#files.delete(id);
            this.#change(id, { state: 'done', sent: file.size, playableId: playableIdOf(answer) });
            this.#onDone(answer);
            to.onEnd?.(answer);
            end();
          },
          failed: (status, problem) => {
            this.#change(id, { state: 'failed', status, problem });
            to.onEnd?.(undefined);
            end();
          },
        },
        to,
      ),
    );
  }

  #change(id: number, change: Partial<Upload>): void {
    this.#set(this.#uploads.map((u) => (u.id === id ? { ...u, ...change } : u)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of [...this.#listeners]) listener();
  }
}

const playableIdOf = (answer: unknown): string | null => {
  const { id, kind } = (answer ?? {}) as Partial<Pick<Content, 'id' | 'kind'>>;
  return id !== undefined && (kind === 'video' || kind === 'audio') ? id : null;
};

/** Returns the numbers for the one-line summary in the upload tray. */
export const uploadSummary = (uploads: readonly Upload[]) => {
  const count = (state: UploadState) => uploads.filter((u) => u.state === state).length;
  const counted = uploads.filter((u) => u.state !== 'cancelled' && u.state !== 'failed');
  const bytes = counted.reduce((sum, u) => sum + u.size, 0);
  const sent = counted.reduce((sum, u) => sum + (u.state === 'done' ? u.size : u.sent), 0);
  return {
    running: count('waiting') + count('sending') + count('checking'),
    done: count('done'),
    failed: count('failed'),
    share: bytes === 0 ? 1 : sent / bytes,
  };
};
