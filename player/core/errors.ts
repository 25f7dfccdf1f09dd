/** Errors that can occur between the announcement of a program and its storage on disk. Each class has one meaning. */

/** Error: the server could not be reached, closed the connection, or answered with an error. A retry may help. */
export class DownloadFailed extends Error {
  readonly code = 'DOWNLOAD_FAILED';
  readonly status: number | undefined;
  constructor(what: string, status?: number) {
    super(status === undefined ? what : `${what}: the server answered ${status}`);
    this.status = status;
  }
}

/**
 * Error: the file arrived with a wrong hash or size and was removed. Errors of the transport are {@link
 * DownloadFailed}.
 */
export class AssetCorrupt extends Error {
  readonly code = 'ASSET_CORRUPT';
  readonly sha256: string;
  constructor(sha256: string) {
    super('the file does not match its checksum');
    this.sha256 = sha256;
  }
}

/** Error: the disk or the quota is still full after all removable files were removed. */
export class NoRoom extends Error {
  readonly code = 'NO_ROOM';
}

/**
 * Error: the program cannot be used. Its bytes differ from the announced hash, or this player does not know its format.
 */
export class ProgramInvalid extends Error {
  readonly code = 'PROGRAM_INVALID';
}

/** Error: the answering server is not the server of this player, or cannot prove its identity. */
export class Stranger extends Error {
  readonly code = 'STRANGER';
}

/**
 * Error: the peer of a connection has neither the pinned certificate nor a certificate issued by it. No data was sent.
 */
export class Untrusted extends Error {
  readonly code = 'UNTRUSTED';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
