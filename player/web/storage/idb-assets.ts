/**
 * Files in IndexedDB, stored in pieces. An interrupted download continues at its last piece. A complete file is a Blob
 * of its pieces, which the browser reads from disk on demand, so nothing is copied or held in memory.
 */
import { sha256 as sha256Hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { AssetStore, AssetWriter, HeldAsset } from '../../core/files/asset-store.ts';
import { pause } from '../../screen/host/backoff.ts';
import { chunksOf } from '../browser-ports.ts';
import { answer, type Database } from './database.ts';

/**
 * Size of a piece in bytes: small enough that two pieces fit into memory, large enough that a film has only some
 * hundred pieces.
 */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Number of bytes that are hashed at a time. This takes one or two milliseconds on a weak machine. */
const STEP_BYTES = 64 * 1024;
const BUSY_MS = 4;

type Hash = ReturnType<typeof sha256Hash.create>;

interface Meta {
  readonly sha256: string;
  readonly size: number;
  readonly used_at: number;
  readonly etag: string | null;
  readonly pieces: number;
  /** Whether the file is complete and verified. */
  readonly whole: boolean;
}

const BOTH = ['assets', 'chunks'] as const;
const piecesOf = (sha256: string) => IDBKeyRange.bound([sha256, 0], [sha256, Number.POSITIVE_INFINITY]);

interface Deps {
  readonly db: Database;
  /** Returns the wall clock, epoch milliseconds. */
  readonly wall: () => number;
  /** Quota of the browser, if it reports one (secure pages only). */
  readonly estimate: (() => Promise<{ usage?: number; quota?: number }>) | undefined;
  /** Called before a file is removed. */
  readonly removed: (sha256: string) => void;
}

export class IdbAssets implements AssetStore {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(): Promise<HeldAsset[]> {
    const all = await this.#all();
    return all.filter(({ whole }) => whole).map(({ sha256, size, used_at }) => ({ sha256, size, used_at }));
  }

  async partial(sha256: string): Promise<{ bytes: number; etag: string | null } | undefined> {
    const meta = await this.#meta(sha256);
    return meta && !meta.whole ? { bytes: meta.size, etag: meta.etag } : undefined;
  }

  async open(sha256: string, { at, etag }: { at: number; etag: string | null }): Promise<AssetWriter> {
    const hash = sha256Hash.create();
    const meta = await this.#meta(sha256);
    const goesOn = meta !== undefined && !meta.whole && at > 0 && meta.size === at;
    if (goesOn) await this.#hashPieces(sha256, hash);
    else await this.remove(sha256);
    const start: Meta = {
      sha256,
      size: at,
      used_at: this.#deps.wall(),
      etag,
      pieces: goesOn ? meta.pieces : 0,
      whole: false,
    };
    return new PieceWriter({ hash, db: this.#deps.db, remove: () => this.remove(sha256) }, start);
  }

  async verify(sha256: string): Promise<boolean> {
    const hash = sha256Hash.create();
    try {
      await hashBlob(await this.#blob(sha256), hash);
    } catch {
      return false; // a piece cannot be read
    }
    return bytesToHex(hash.digest()) === sha256;
  }

  remove(sha256: string): Promise<void> {
    this.#deps.removed(sha256);
    return this.#deps.db.write(BOTH, (tx) => {
      tx.objectStore('assets').delete(sha256);
      tx.objectStore('chunks').delete(piecesOf(sha256));
    });
  }

  touch(sha256: string): Promise<void> {
    return this.#deps.db.write(['assets'], async (tx) => {
      const meta = await answer<Meta | undefined>(tx.objectStore('assets').get(sha256));
      if (meta) tx.objectStore('assets').put({ ...meta, used_at: this.#deps.wall() });
    });
  }

  async space(): Promise<{ free: number; total: number } | null> {
    const { usage, quota } = (await this.#deps.estimate?.()) ?? {};
    return usage === undefined || quota === undefined ? null : { free: Math.max(0, quota - usage), total: quota };
  }

  async dropPartials(keep: ReadonlySet<string>): Promise<void> {
    for (const { sha256, whole } of await this.#all()) if (!whole && !keep.has(sha256)) await this.remove(sha256);
  }

  /** Returns the complete file; undefined if it is missing or incomplete. */
  async blob(sha256: string, mime: string): Promise<Blob | undefined> {
    const meta = await this.#meta(sha256);
    if (!meta?.whole) return undefined;
    const blob = await this.#blob(sha256, mime);
    return blob.size === meta.size ? blob : undefined;
  }

  /** Hashes the stored pieces. Removes unreadable pieces, which would otherwise be retried forever. */
  async #hashPieces(sha256: string, hash: Hash): Promise<void> {
    try {
      await hashBlob(await this.#blob(sha256), hash);
    } catch (error) {
      await this.remove(sha256);
      throw error;
    }
  }

  async #blob(sha256: string, type = ''): Promise<Blob> {
    const pieces = await this.#deps.db.read(['chunks'], (tx) =>
      answer<Blob[]>(tx.objectStore('chunks').getAll(piecesOf(sha256))),
    );
    return new Blob(pieces, { type });
  }

  #meta(sha256: string): Promise<Meta | undefined> {
    return this.#deps.db.read(['assets'], (tx) => answer<Meta | undefined>(tx.objectStore('assets').get(sha256)));
  }

  #all(): Promise<Meta[]> {
    return this.#deps.db.read(['assets'], (tx) => answer<Meta[]>(tx.objectStore('assets').getAll()));
  }
}

class PieceWriter implements AssetWriter {
  readonly #file: { readonly hash: Hash; readonly db: Database; readonly remove: () => Promise<void> };
  #meta: Meta;
  readonly #hashing: Hashing;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  constructor(file: { hash: Hash; db: Database; remove: () => Promise<void> }, meta: Meta) {
    this.#file = file;
    this.#hashing = new Hashing(file.hash);
    this.#meta = meta;
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#hashing.add(chunk);
    // The bytes are in memory of their own, as always for chunks of a fetched body. A Blob does not accept shared
    // memory.
    this.#waiting.push(chunk as Uint8Array<ArrayBuffer>);
    this.#bytes += chunk.length;
    if (this.#bytes >= PIECE_BYTES) await this.#flush(false);
  }

  /** Ends the write and keeps the received bytes. Also called after a failed write, so it must not throw. */
  async suspend(): Promise<void> {
    await this.#flush(false).catch(() => {});
  }

  async finish(): Promise<boolean> {
    const right = bytesToHex(this.#file.hash.digest()) === this.#meta.sha256;
    if (right) await this.#flush(true);
    else await this.#file.remove();
    return right;
  }

  async #flush(whole: boolean): Promise<void> {
    if (this.#bytes === 0 && !whole) return;
    const piece = this.#bytes > 0 ? new Blob(this.#waiting) : null;
    const meta = {
      ...this.#meta,
      size: this.#meta.size + this.#bytes,
      pieces: this.#meta.pieces + (piece ? 1 : 0),
      whole,
    };
    await this.#file.db.write(BOTH, (tx) => {
      if (piece) tx.objectStore('chunks').put(piece, [meta.sha256, this.#meta.pieces]);
      tx.objectStore('assets').put(meta);
    });
    this.#meta = meta;
    this.#waiting = [];
    this.#bytes = 0;
  }
}

/** Hashes in steps with pauses, because hashing runs in the same thread as the rendering. */
class Hashing {
  readonly #hash: Hash;
  #began = performance.now();

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      this.#hash.update(chunk.subarray(at, at + STEP_BYTES));
      if (performance.now() - this.#began < BUSY_MS) continue;
      await pause(0);
      this.#began = performance.now();
    }
  }
}

async function hashBlob(blob: Blob, hash: Hash): Promise<void> {
  const hashing = new Hashing(hash);
  for await (const chunk of chunksOf(blob.stream())) await hashing.add(chunk);
}
