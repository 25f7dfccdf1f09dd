/**
 * Receives a transfer file as a stream into a folder. Needs constant memory. Nothing in the file takes effect before
 * the whole file was verified.
 */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { BadBytes } from '../../shared/chain/bytes.ts';
import {
  jsonOf,
  MAX_TRANSFER_PIECES,
  readTransferHeader,
  type TransferHeader,
  TransferPiece,
  transferText,
} from '../../shared/chain/transfer-file.ts';
import { changed, EntrySplitter, FrameSplitter } from '../../shared/chain/transfer-stream.ts';
import { diskError } from '../kernel/disk/disk-trouble.ts';
import { Opener, type Sealing } from '../kernel/trust/sealing.ts';
import { isSignedBy } from '../kernel/trust/signed-by.ts';

export type Landed = TransferPiece & { readonly path: string };

export interface ReceivedTransferFile<S> {
  readonly header: TransferHeader;
  /** First entry of the transfer file. */
  readonly state: S;
  readonly pieces: readonly Landed[];
}

interface Deps<S> {
  readonly folder: string;
  readonly sealing: Pick<Sealing, 'agree'>;
  readonly state: z.ZodType<S>;
  /** Checks as early as possible whether the file is meant for this receiver. @throws BadBytes */
  readonly begins: (header: TransferHeader) => void;
  readonly told: (header: TransferHeader, state: S) => void;
  /** Translates an error into a message for the person who uploads the file. */
  readonly refused: (error: BadBytes) => Error;
}

/** A transfer file that is being received. */
export interface IncomingTransferFile<R> {
  write(chunk: Buffer): Promise<void>;
  /** Verifies the complete file and applies it. @throws ApiError 400 with a sentence, 503 */
  finish(): Promise<R>;
  abort(): Promise<void>;
}

interface Receiving<S, R> extends Deps<S> {
  /** Size of the file in bytes, as the client announced it. */
  readonly expected: number;
  /** @throws ApiError 507 */
  readonly requireRoom: (bytes: number) => Promise<void>;
  /** Called at the start: first with 0 bytes, then with a progress object that is updated in place. */
  readonly coming: (progress: { readonly bytes: number; readonly total: number }) => void;
  readonly carryOut: (transferFile: ReceivedTransferFile<S>) => Promise<R>;
  /** Called at the end of the import, after success and after failure. */
  readonly over: () => void;
}

/** Starts receiving a transfer file. The folder is removed at the end in any case. @throws ApiError 507 */
export const receiveTransferFile = async <S, R>(wish: Receiving<S, R>): Promise<IncomingTransferFile<R>> => {
  const { folder, expected: total, requireRoom, coming, carryOut } = wish;
  const over = async () => {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    wish.over();
  };
  coming({ bytes: 0, total });
  try {
    await requireRoom(total);
    const reader = await TransferReader.open(wish);
    coming({
      get bytes() {
        return reader.bytes;
      },
      total,
    });
    return {
      write: (chunk) => reader.write(chunk),
      finish: async () => {
        try {
          return await carryOut(await reader.finish());
        } finally {
          await over();
        }
      },
      abort: async () => {
        await reader.abort();
        await over();
      },
    };
  } catch (error) {
    await over();
    throw error;
  }
};

export class TransferReader<S> {
  readonly #deps: Deps<S>;
  readonly #frames = new FrameSplitter();
  readonly #entries = new EntrySplitter();
  readonly #pieces: Landed[] = [];
  #header: TransferHeader | undefined;
  #opener: Opener | undefined;
  #state: S | undefined;
  /** File into which the current piece is written. */
  #file: FileHandle | undefined;
  #due = 0;
  /** Resolves when all chunks so far are written. The last chunk may still be in progress when the stream has ended. */
  #working: Promise<void> = Promise.resolve();
  #bytes = 0;

  private constructor(deps: Deps<S>) {
    this.#deps = deps;
  }

  static async open<S>(deps: Deps<S>): Promise<TransferReader<S>> {
    await rm(deps.folder, { recursive: true, force: true });
    await mkdir(deps.folder, { recursive: true, mode: 0o700 });
    return new TransferReader(deps);
  }

  /** Number of bytes received. */
  get bytes(): number {
    return this.#bytes;
  }

  write(chunk: Buffer): Promise<void> {
    this.#working = this.#working.then(() => this.#refusing(() => this.#take(chunk)));
    // Prevents an unhandled rejection. The callers of the last `write` and of `finish` get the error nevertheless.
    this.#working.catch(() => {});
    return this.#working;
  }

  /** Returns the complete transfer file. After an error, everything that was written is removed. */
  async finish(): Promise<ReceivedTransferFile<S>> {
    try {
      await this.#working;
      return await this.#refusing(async () => {
        this.#frames.end();
        this.#entries.end();
        if (this.#state === undefined) throw new BadBytes('contains no entries');
        return { header: this.#header!, state: this.#state, pieces: this.#pieces };
      });
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Removes everything that was written. */
  async abort(): Promise<void> {
    await this.#working.catch(() => {});
    await this.#file?.close().catch(() => {});
    this.#file = undefined;
    await rm(this.#deps.folder, { recursive: true, force: true });
  }

  async #refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof BadBytes ? this.#deps.refused(error) : diskError(error);
    }
  }

  async #take(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    for (const next of this.#frames.push(chunk)) {
      if (typeof next === 'string') this.#begin(next);
      else await this.#takePlain(this.#opener!.open(next));
    }
  }

  #begin(line: string): void {
    const { begins, sealing } = this.#deps;
    const header = readTransferHeader(line);
    begins(header);
    if (!isSignedBy(header.key, transferText(header), header.signature)) throw changed();
    this.#header = header;
    this.#opener = new Opener(line, header, sealing);
  }

  async #takePlain(plain: Buffer): Promise<void> {
    for (const coming of this.#entries.push(plain)) {
      if ('line' in coming) await this.#entry(coming.line);
      else await this.#land(coming.bytes);
    }
  }

  async #entry(line: string): Promise<void> {
    if (this.#state === undefined) {
      const state = this.#deps.state.safeParse(jsonOf(line));
      if (!state.success) throw unreadable(state.error);
      this.#deps.told(this.#header!, state.data);
      this.#state = state.data;
      return;
    }
    const piece = TransferPiece.safeParse(jsonOf(line));
    if (!piece.success) throw unreadable(piece.error);
    if (this.#pieces.length >= MAX_TRANSFER_PIECES) throw new BadBytes(`has more than ${MAX_TRANSFER_PIECES} files`);
    const path = join(this.#deps.folder, String(this.#pieces.length));
    this.#pieces.push({ ...piece.data, path });
    this.#file = await open(path, 'wx', 0o600);
    this.#due = piece.data.bytes;
    this.#entries.expect(this.#due);
    await this.#closeWhole();
  }

  async #land(bytes: Uint8Array): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      // A short write means that the disk is nearly full. Writing the remaining bytes either succeeds or fails with the
      // reason.
      const { bytesWritten } = await this.#file!.write(rest);
      rest = rest.subarray(bytesWritten);
    }
    this.#due -= bytes.length;
    await this.#closeWhole();
  }

  async #closeWhole(): Promise<void> {
    if (this.#due > 0) return;
    await this.#file!.close();
    this.#file = undefined;
  }
}

const unreadable = (error: z.ZodError): BadBytes =>
  new BadBytes(`has an entry with an invalid ${error.issues[0]?.path.join('.') || 'form'}`);
