/**
 * Moves plays of older versions to the current table, in small steps while the server runs. A step is a transaction, so
 * that each play is in exactly one of the tables at any moment, also in a backup. A restart continues with the rest.
 */
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { PlayNumbers } from './play-numbers.ts';
import type { OldPlaysStore } from './plays-conversion.store.ts';
import type { PlaysIngestStore } from './plays-ingest.store.ts';

/** Rows per step. A step takes about five milliseconds, with indexes and commit. */
const ROWS_A_STEP = 100;
/** Pause between steps: 1,000 plays a second are moved, about eighty million a day, with 5 % of the event loop. */
const PAUSE_MS = 100;
/**
 * Delay after a start, because other work is more urgent then, and after a failed step, because the disk may have room
 * again later.
 */
const FIRST_MS = 30_000;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly store: Pick<PlaysIngestStore, keyof ConstructorParameters<typeof PlayNumbers>[0] | 'insert'>;
  readonly old: OldPlaysStore;
}

export class PlaysConversion implements Lifecycle {
  readonly name = 'plays conversion';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
    if (this.#deps.old.oldest(1).length > 0) this.#goOn(FIRST_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Moves the oldest `limit` remaining plays. Returns false when none are left. */
  step(limit = ROWS_A_STEP): boolean {
    const { db, old, store, clock } = this.#deps;
    return db.write(() => {
      const plays = old.oldest(limit);
      const last = plays.at(-1);
      if (!last) return false;
      const numbers = new PlayNumbers(store, clock.now());
      for (const { workspace_id, device_id, ended_ms, boot_id, claimed, completed, ...play } of plays) {
        const { started_ms, device_name: name } = play;
        const whose = numbers.whose({ id: device_id, workspace_id, name }, started_ms);
        store.insert({
          ...play,
          ...whose,
          ...numbers.shown(workspace_id, whose, play, started_ms),
          boot: boot_id === null ? null : numbers.boot(boot_id),
          lasted_ms: ended_ms - started_ms,
          completed: completed === 1,
          claimed: claimed === null ? null : JSON.parse(claimed),
        });
      }
      old.deleteThrough(last.id);
      return true;
    });
  }

  #goOn(ms: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#next(), ms).unref();
  }

  async #next(): Promise<void> {
    const { db, log } = this.#deps;
    try {
      const isLeft = this.step();
      await db.durable();
      if (isLeft) this.#goOn(PAUSE_MS);
      else log.info('plays of older versions are kept as those of this one now');
    } catch (error) {
      log.warn('Plays of an older version could not be moved; this is tried again', { error });
      this.#goOn(FIRST_MS);
    }
  }
}
