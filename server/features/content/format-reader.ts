/**
 * Reads the codecs of videos and sounds that were stored without them: uploads of older versions, and files of
 * campaigns of headquarters. Checks before publishing can then also name the screens that cannot play these files. Runs
 * in the background, one file at a time with pauses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../shared/contract/errors.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { MediaProcess } from '../../media/media-process.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { ContentStore } from './content.store.ts';

/** Delay in milliseconds after the start and after a change of the library, so that other work is done first. */
const LATER_MS = 10_000;
/** Pause between two files in milliseconds. */
const PAUSE_MS = 500;
/** Maximum number of files per pass. The next pass reads the following files. */
const AT_ONCE = 200;
/** Maximum number of remembered files with unreadable codecs, which are not read again before the next start. */
const MAX_UNREADABLE = 10_000;

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly store: Pick<ContentStore, 'withoutFormat' | 'setFormat' | 'showing'>;
  readonly media: Pick<MediaStore, 'pathOf'>;
  readonly inspector: Pick<MediaProcess, 'inspect'>;
  readonly onError: (error: unknown) => void;
  /** Delays in milliseconds before the first file and between files. Tests set shorter delays. */
  readonly laterMs?: number;
  readonly pauseMs?: number;
}

export class FormatReader implements Lifecycle {
  readonly name = 'format-reader';
  readonly #deps: Deps;
  readonly #unreadable = recent<string, true>(MAX_UNREADABLE);
  #timer: NodeJS.Timeout | undefined;
  #undo: () => void = () => {};
  #running: Promise<void> | undefined;
  #stopping = new AbortController();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#undo = this.#deps.bus.on('changed', ({ topic }) => {
      if (topic === 'content') this.#plan(this.#deps.laterMs ?? LATER_MS);
    });
    this.#plan(this.#deps.laterMs ?? LATER_MS);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#undo();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #plan(afterMs: number): void {
    if (this.#stopping.signal.aborted || this.#timer || this.#running) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#pass()
        .catch((error: unknown) => {
          this.#deps.onError(error);
          return false;
        })
        .then((isMore) => {
          this.#running = undefined;
          if (isMore) this.#plan(this.#deps.pauseMs ?? PAUSE_MS);
        });
    }, afterMs).unref();
  }

  /** @returns whether another pass may find more files */
  async #pass(): Promise<boolean> {
    const { store, pauseMs = PAUSE_MS } = this.#deps;
    const files = store.withoutFormat([...this.#unreadable.keys()], AT_ONCE);
    for (const file of files) {
      if (this.#stopping.signal.aborted) return false;
      await this.#read(file);
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
    }
    return files.length > 0;
  }

  async #read({ sha256, size }: { readonly sha256: string; readonly size: number }): Promise<void> {
    const { db, store, media, inspector } = this.#deps;
    const found = await inspector.inspect(media.pathOf(sha256), size).catch((error: unknown) => {
      // This error is a fault of the machine, not of the file. The pass ends, and the next change of the library starts
      // another pass.
      if (error instanceof ApiError) throw error;
      return undefined;
    });
    const format = found && !('refused' in found) ? found.format : null;
    if (!format) {
      this.#unreadable.set(sha256, true);
      return;
    }
    db.write(() => {
      store.setFormat(sha256, format);
      for (const [workspaceId, ids] of store.showing(sha256))
        announce(this.#deps, { workspaceId, userId: null }, { topic: 'content', ids, screens: false });
    });
    await db.durable();
  }
}
