/**
 * Cache of the asset files of the stored programs: downloads files in advance, checks them, and evicts unneeded files.
 */
import type { Asset } from '../../../shared/program/program.ts';
import { NoRoom } from '../errors.ts';
import type { Host, Undo } from '../ports.ts';
import type { AssetStore, HeldAsset } from './asset-store.ts';
import { type Fetching, fetchAsset } from './download.ts';

/**
 * Number of parallel downloads. Two downloads keep the connection busy while one file is hashed or flushed; more
 * downloads would only compete.
 */
const PARALLEL = 2;
/**
 * Duration of one check of all files. Each file is read again once a day, with pauses in between to spread the load.
 */
const SCRUB_ROUND_MS = 24 * 3_600_000;
const SCRUB_PAUSE_MS = 2_000;
const SCRUB_START_MS = 60_000;

/**
 * Disk space that asset files leave free for the journal, the programs and the system: 64 MB, or 10 % of a small disk.
 */
const SPARE_BYTES = 64 * 1024 * 1024;
const SPARE_SHARE = 0.1;

/** Files that must stay (`playing`), and files that are evicted last (`kept`: the previous program). */
export interface Needed {
  readonly playing: readonly Asset[];
  readonly kept: readonly Asset[];
}

interface Deps extends Pick<Host, 'log' | 'time'> {
  readonly store: AssetStore;
  readonly quotaBytes: number;
  readonly needed: () => Needed;
  /** Reports a damaged file that was removed. The caller requests the file again if it is needed. */
  readonly lost: (sha256: string) => void;
}

export class AssetCache {
  readonly #deps: Deps;
  readonly #held = new Map<string, HeldAsset>();
  readonly #arriving = new Map<string, Promise<void>>();
  #cancelScrub: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#look();
    this.#scrubAfter(SCRUB_START_MS, []);
  }

  stop(): void {
    this.#cancelScrub?.();
  }

  /** Compares only hash and size, which is fast. The check in the background reads all bytes. */
  has(asset: Asset): boolean {
    return this.#held.get(asset.sha256)?.size === asset.size;
  }

  missing(assets: readonly Asset[]): Asset[] {
    return assets.filter((asset) => !this.has(asset));
  }

  get bytes(): number {
    return [...this.#held.values()].reduce((sum, held) => sum + held.size, 0);
  }

  /** Resolves once all files are stored. Throws the first failure after the other running downloads have ended. */
  async ensure(assets: readonly Asset[], fetching: Fetching): Promise<void> {
    await this.#look();
    const queue = this.missing(assets);
    await this.#makeRoom(queue, assets);
    let failure: unknown;
    const worker = async () => {
      for (let asset = queue.shift(); asset && !failure; asset = queue.shift()) {
        const failedAsset = asset;
        await this.#arrive(asset, fetching).catch((error) => {
          failure ??= Object.assign(error, { asset: failedAsset.sha256 });
        });
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    if (failure) throw failure;
    for (const asset of assets) await this.#deps.store.touch(asset.sha256);
  }

  /** Reads the file. Removes a damaged file and reports it as lost. */
  async check(sha256: string): Promise<boolean> {
    if (!this.#held.has(sha256) || (await this.#deps.store.verify(sha256))) return true;
    this.#deps.log.error(`asset ${sha256} was damaged on disk and is fetched again`);
    await this.#remove(sha256);
    this.#deps.lost(sha256);
    return false;
  }

  /** Removes all files. Called after the player was unpaired. */
  async clear(): Promise<void> {
    await this.#deps.store.dropPartials(new Set());
    for (const sha256 of [...this.#held.keys()]) await this.#remove(sha256);
  }

  /** Reads the list of files again, because other programs may have removed files or the whole folder. */
  async #look(): Promise<void> {
    const before = [...this.#held.keys()];
    const there = new Map((await this.#deps.store.list()).map((held) => [held.sha256, held]));
    for (const sha256 of before) if (!there.has(sha256)) this.#held.delete(sha256);
    for (const [sha256, held] of there) if (!this.#arriving.has(sha256)) this.#held.set(sha256, held);
  }

  async #arrive(asset: Asset, fetching: Fetching): Promise<void> {
    const running = this.#arriving.get(asset.sha256);
    if (running) return running;
    const arriving = this.#fetch(asset, fetching).finally(() => this.#arriving.delete(asset.sha256));
    this.#arriving.set(asset.sha256, arriving);
    return arriving;
  }

  async #fetch(asset: Asset, fetching: Fetching): Promise<void> {
    const { store, time } = this.#deps;
    if (this.#held.has(asset.sha256)) await this.#remove(asset.sha256); // the stored file had the wrong size
    try {
      await fetchAsset(asset, { ...fetching, store });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
      // Removes the partial file, which would keep the disk full and block writes to the journal.
      await store.remove(asset.sha256);
      await this.#evict({ sparing: [], most: Number.POSITIVE_INFINITY });
      throw new NoRoom('the disk of this player is full');
    }
    this.#held.set(asset.sha256, { sha256: asset.sha256, size: asset.size, used_at: time.wall() });
  }

  /** Evicts files that no program needs, oldest first, then files of the previous program. Files in use always stay. */
  async #makeRoom(missing: readonly Asset[], wanted: readonly Asset[]): Promise<void> {
    if (missing.length === 0) return;
    // The partial files of other downloads that wait are kept.
    const onTheirWay = [...missing, ...this.#deps.needed().playing];
    await this.#deps.store.dropPartials(new Set(onTheirWay.map((asset) => asset.sha256)));
    const coming = missing.reduce((sum, asset) => sum + asset.size, 0);
    const overQuota = this.bytes + coming - this.#deps.quotaBytes;
    const overDisk = (await this.#stillToWrite(missing)) - (await this.#writable());
    const excess = Math.max(overQuota, overDisk);
    const freed = await this.#evict({ sparing: wanted, most: excess });
    if (freed >= excess) return;
    const lacking = Math.ceil((excess - freed) / 1e6);
    throw new NoRoom(
      overDisk > overQuota
        ? `the disk of this player is full: the program needs ${lacking} MB more`
        : `the program needs ${lacking} MB more than this player may store`,
    );
  }

  async #stillToWrite(missing: readonly Asset[]): Promise<number> {
    let bytes = 0;
    for (const { sha256, size } of missing)
      bytes += Math.max(0, size - ((await this.#deps.store.partial(sha256))?.bytes ?? 0));
    return bytes;
  }

  async #writable(): Promise<number> {
    const space = await this.#deps.store.space().catch(() => null);
    return space ? space.free - Math.min(SPARE_BYTES, space.total * SPARE_SHARE) : Number.POSITIVE_INFINITY;
  }

  async #evict({ sparing, most }: { sparing: readonly Asset[]; most: number }): Promise<number> {
    const { playing, kept } = this.#deps.needed();
    const never = new Set([...playing, ...sparing].map((asset) => asset.sha256));
    const late = new Set(kept.map((asset) => asset.sha256));
    const order = [...this.#held.values()]
      .filter((held) => !never.has(held.sha256))
      .sort((a, b) => Number(late.has(a.sha256)) - Number(late.has(b.sha256)) || a.used_at - b.used_at);
    let freed = 0;
    for (const held of order) {
      if (freed >= most) break;
      await this.#remove(held.sha256);
      freed += held.size;
    }
    return freed;
  }

  async #remove(sha256: string): Promise<void> {
    this.#held.delete(sha256);
    await this.#deps.store.remove(sha256);
  }

  #scrubAfter(ms: number, queue: string[]): void {
    this.#cancelScrub = this.#deps.time.after(ms, () => {
      void this.#scrub(queue).catch((error) => this.#deps.log.warn('a stored file could not be checked', error));
    });
  }

  async #scrub(queue: string[]): Promise<void> {
    const next = queue.pop();
    // Schedules the next check before this check, so that an unreadable file does not end the rounds.
    if (next === undefined)
      return this.#scrubAfter(this.#held.size > 0 ? SCRUB_PAUSE_MS : SCRUB_ROUND_MS, [...this.#held.keys()]);
    this.#scrubAfter(queue.length > 0 ? SCRUB_PAUSE_MS : SCRUB_ROUND_MS, queue);
    await this.check(next);
  }
}
