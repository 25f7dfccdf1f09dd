/**
 * Holding area for files that nothing refers to and whose deletion the server did not see:
 * `<data>/media-aside/<time>/<sha256>`, and the same for player releases. The files are outside of the media store but
 * on the same disk. They are restored automatically when a database refers to them again (an older backup was restored,
 * and then the newer one). They are deleted after a week of server run time; on a full disk sooner, the oldest first,
 * but never on the first day.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningAges } from '../db/running-ages.ts';
import type { Clock } from '../kernel/time/clock.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;

export const mediaAsideFolder = (data: string): string => join(data, 'media-aside');
export const releasesAsideFolder = (data: string): string => join(data, 'updates-aside');

/** Store of files (media, or player releases) from which files are moved aside. */
export interface Shelf {
  /** Moves a file aside. Returns true when the file is no longer in the store. */
  moveOut(sha256: string, to: string): boolean;
  restore(sha256: string, from: string): void;
}

interface Deps {
  readonly dir: string;
  readonly store: Shelf;
  readonly ages: RunningAges;
  readonly clock: Clock;
  readonly isFull: () => Promise<boolean>;
}

export class Aside {
  readonly #deps: Deps;
  #batch: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts a new batch. Files that are moved aside from now on belong to this batch and share its age. */
  begin(): void {
    this.#batch = undefined;
  }

  /** Moves a file aside. Returns true when the file is no longer in the store. */
  put(sha256: string): boolean {
    this.#batch ??= this.#newBatch();
    return this.#deps.store.moveOut(sha256, join(this.#deps.dir, this.#batch, sha256));
  }

  /** Restores the files that are referenced again. Returns the number of restored files. */
  bringBack(isNamed: (sha256: string) => boolean): number {
    let count = 0;
    for (const batch of this.#batches()) {
      const folder = join(this.#deps.dir, batch);
      const names = readdirSync(folder);
      const named = names.filter((name) => /^[0-9a-f]{64}$/.test(name) && isNamed(name));
      for (const sha256 of named) this.#deps.store.restore(sha256, join(folder, sha256));
      if (named.length === names.length) rmdirSync(folder);
      count += named.length;
    }
    return count;
  }

  /** Updates the age of each batch of files. Returns the ages. */
  count(): ReadonlyMap<string, number> {
    return this.#deps.ages.count(this.#batches());
  }

  async discard(): Promise<void> {
    const oldestFirst = [...this.count()].sort(([, a], [, b]) => b - a);
    for (const [batch, age] of oldestFirst) {
      if (age < DAY_MS) return;
      if (age >= KEPT_MS || (await this.#deps.isFull()))
        await rm(join(this.#deps.dir, batch), { recursive: true, force: true });
    }
  }

  #batches(): string[] {
    const { dir } = this.#deps;
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  }

  /**
   * Creates a batch folder. The folder is named after the present time, for people only: ages of batches are stored
   * elsewhere.
   */
  #newBatch(): string {
    const { dir, clock } = this.#deps;
    const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '');
    let name = stamp;
    for (let n = 2; existsSync(join(dir, name)); n++) name = `${stamp}-${n}`;
    mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
    return name;
  }
}

/** Moves a file. Returns true when the file is gone from its old place. */
export const moveOut = (path: string, to: string): boolean => {
  try {
    renameSync(path, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return !existsSync(path);
    // Windows does not move a file that is being read. The file then stays, and the next sweep tries again.
    if (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES') return false;
    throw error;
  }
};

/** Moves a file back. If the same bytes have been stored again meanwhile, the file in the store stays. */
export const restoreFile = (path: string, from: string): void => {
  if (existsSync(path)) rmSync(from, { force: true });
  else renameSync(from, path);
};
