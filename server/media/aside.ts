/**
 * Where files go that nothing refers to and that nobody was seen to delete: `<data>/media-aside/<when>/<sha256>`, and
 * the same for releases of the player; out of their store but on the same disk. They come back by themselves when a
 * database names them again (an older backup was restored, and then the newer one), and go for good after a week of a
 * running server; sooner, the oldest first, when the disk is full, but never on the first day.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningAges } from '../db/running-ages.ts';
import type { Clock } from '../kernel/clock.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;

export const mediaAsideFolder = (data: string): string => join(data, 'media-aside');
export const releasesAsideFolder = (data: string): string => join(data, 'updates-aside');

/** The store that files are put aside from. */
export interface Shelf {
  /** True when it is gone from there. */
  moveOut(sha256: string, to: string): boolean;
  takeBack(sha256: string, from: string): void;
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

  /** What is put aside from now on has an age of its own. */
  begin(): void {
    this.#batch = undefined;
  }

  /** True when it is no longer in the store. */
  put(sha256: string): boolean {
    this.#batch ??= this.#newBatch();
    return this.#deps.store.moveOut(sha256, join(this.#deps.dir, this.#batch, sha256));
  }

  /** Returns how many came back. */
  bringBack(isNamed: (sha256: string) => boolean): number {
    let count = 0;
    for (const batch of this.#batches()) {
      const folder = join(this.#deps.dir, batch);
      const names = readdirSync(folder);
      const named = names.filter((name) => /^[0-9a-f]{64}$/.test(name) && isNamed(name));
      for (const sha256 of named) this.#deps.store.takeBack(sha256, join(folder, sha256));
      if (named.length === names.length) rmdirSync(folder);
      count += named.length;
    }
    return count;
  }

  /** Notes how long everything has been there. */
  count(): ReadonlyMap<string, number> {
    return this.#deps.ages.count(this.#batches());
  }

  async giveUp(): Promise<void> {
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

  /** Named by when, for people; no age is read from it. */
  #newBatch(): string {
    const { dir, clock } = this.#deps;
    const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '');
    let name = stamp;
    for (let n = 2; existsSync(join(dir, name)); n++) name = `${stamp}-${n}`;
    mkdirSync(join(dir, name), { recursive: true, mode: 0o700 });
    return name;
  }
}

/** True when it is gone from where it was. */
export const moveOut = (path: string, to: string): boolean => {
  try {
    renameSync(path, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return !existsSync(path);
    // Windows keeps a file that is being read: the next sweep gets it.
    if (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES') return false;
    throw error;
  }
};

/** The way back; where the same bytes have come again meanwhile, those stay. */
export const takeBack = (path: string, from: string): void => {
  if (existsSync(path)) rmSync(from, { force: true });
  else renameSync(from, path);
};
