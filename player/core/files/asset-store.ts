/**
 * Storage of asset files: on disk (agent/files/asset-files.ts) or in IndexedDB (web/). File names are SHA-256
 * digests and never come from outside input.
 */
export interface HeldAsset {
  readonly sha256: string;
  readonly size: number;
  /** Time of the last use on the wall clock, epoch milliseconds. It only decides which file is removed first. */
  readonly used_at: number;
}

export interface AssetWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Keeps the received bytes for a later resume. */
  suspend(): Promise<void>;
  /**
   * Ends the write. Returns true if the hash is right; the file is then stored durably. Returns false if the hash is
   * wrong; the file is then removed.
   */
  finish(): Promise<boolean>;
}

export interface AssetStore {
  /** Lists finished files only. {@link partial} returns unfinished files. */
  list(): Promise<HeldAsset[]>;
  partial(sha256: string): Promise<{ readonly bytes: number; readonly etag: string | null } | undefined>;
  /** Continues the unfinished file, which is `at` bytes long, or starts again when `at` is 0. Hashes while writing. */
  open(sha256: string, start: { readonly at: number; readonly etag: string | null }): Promise<AssetWriter>;
  /** Reads the whole file and returns whether its hash is right. Slow; for background use. */
  verify(sha256: string): Promise<boolean>;
  /** Removes the finished file and an unfinished file of the same hash. */
  remove(sha256: string): Promise<void>;
  touch(sha256: string): Promise<void>;
  /** Free and total bytes of the disk, or of the quota of a browser; null: unknown. */
  space(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Removes all unfinished files except the given files. */
  dropPartials(keep: ReadonlySet<string>): Promise<void>;
}
