/** What can go wrong between a program's announcement and its being on disk. One class per meaning. */

/** The server could not be reached, broke off, or answered with an error. Worth trying again. */
export class DownloadFailed extends Error {
  readonly code = 'DOWNLOAD_FAILED';
  readonly status: number | undefined;
  constructor(what: string, status?: number) {
    super(status === undefined ? what : `${what}: the server answered ${status}`);
    this.status = status;
  }
}

/**
 * The file arrived but its hash or size is wrong; nothing of it is kept. Transport problems are {@link DownloadFailed}.
 */
export class AssetCorrupt extends Error {
  readonly code = 'ASSET_CORRUPT';
  readonly sha256: string;
  constructor(sha256: string) {
    super('the file does not match its checksum');
    this.sha256 = sha256;
  }
}

/** Disk or quota is full although everything that may go has gone. */
export class NoRoom extends Error {
  readonly code = 'NO_ROOM';
}

/** The program itself cannot be used: other bytes than announced, or a format this player does not know. */
export class ProgramInvalid extends Error {
  readonly code = 'PROGRAM_INVALID';
}

/** Who answers is not the server this player belongs to, or cannot prove it. */
export class Stranger extends Error {
  readonly code = 'STRANGER';
}

/** A connection was made, but not with who holds the pinned certificate or one issued by it; nothing was said. */
export class Untrusted extends Error {
  readonly code = 'UNTRUSTED';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
