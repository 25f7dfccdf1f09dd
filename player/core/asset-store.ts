/**
 * Where asset files lie: on disk (agent/asset-files.store) or in IndexedDB (web/). Names are SHA-256 digests, never
 * anything from outside.
 */
export interface HeldAsset {
  readonly sha256: string;
  readonly size: number;
  /** Wall clock, epoch ms; for eviction only. */
  readonly used_at: number;
}

export interface AssetWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Keeps what has come for a later resume. */
  suspend(): Promise<void>;
  /** True: the hash is right and the file is durably in place. False: it was wrong and nothing of it is left. */
  finish(): Promise<boolean>;
}

export interface AssetStore {
  /** Finished files. Unfinished ones are not listed, but see {@link partial}. */
  list(): Promise<HeldAsset[]>;
  partial(sha256: string): Promise<{ readonly bytes: number; readonly etag: string | null } | undefined>;
  /** Continues the unfinished file, which is `at` bytes long, or starts it anew at 0. Hashes while it writes. */
  open(sha256: string, start: { readonly at: number; readonly etag: string | null }): Promise<AssetWriter>;
  /** Reads the whole file and compares; slow, for the background. */
  verify(sha256: string): Promise<boolean>;
  /** The finished file and any unfinished one. */
  remove(sha256: string): Promise<void>;
  touch(sha256: string): Promise<void>;
  /** Bytes of the disk (or of what a browser grants); null: nobody knows. */
  space(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Unfinished files other than these are removed. */
  dropPartials(keep: ReadonlySet<string>): Promise<void>;
}
