/**
 * Splits a transfer file while it arrives, in pieces of any size, into its header line, its frames, and the entries in
 * the frames.
 */
import { AlteredBytes, BadBytes } from './bytes.ts';
import {
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  MAX_ENTRY_LINE_BYTES,
  MAX_TRANSFER_HEADER_BYTES,
  NoTransferFile,
  TAG_BYTES,
} from './transfer-file.ts';

const NEWLINE = 10;
const LAST = 0x8000_0000;

export interface Frame {
  readonly sealed: Uint8Array;
  readonly isLast: boolean;
}

/** Returns the header of a frame. @param length of the sealed bytes with their seal */
export const frameHead = (length: number, isLast: boolean): Uint8Array => {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, isLast ? LAST + length : length);
  return head;
};

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  if (a.length === 0) return b;
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
};

const text = new TextDecoder('utf-8', { fatal: true });
const textOf = (bytes: Uint8Array): string => {
  try {
    return text.decode(bytes);
  } catch {
    throw new BadBytes('has a line that is not text');
  }
};

export class FrameSplitter {
  #rest: Uint8Array = new Uint8Array();
  #hasHeader = false;
  #isOver = false;

  /** Yields the header line, then frames. @throws BadBytes */
  *push(bytes: Uint8Array): Generator<string | Frame> {
    this.#rest = joined(this.#rest, bytes);
    for (;;) {
      const next = this.#hasHeader ? this.#frame() : this.#header();
      if (next === undefined) return;
      yield next;
    }
  }

  /** Checks the end of the input. @throws BadBytes if the input is incomplete */
  end(): void {
    if (!this.#hasHeader) throw new NoTransferFile();
    if (!this.#isOver) throw new BadBytes('is incomplete: its end is missing');
  }

  #header(): string | undefined {
    const end = this.#rest.subarray(0, MAX_TRANSFER_HEADER_BYTES).indexOf(NEWLINE);
    if (end < 0 && this.#rest.length >= MAX_TRANSFER_HEADER_BYTES) throw new NoTransferFile();
    if (end < 0) return undefined;
    this.#hasHeader = true;
    return textOf(this.#taken(end + 1).subarray(0, end));
  }

  #frame(): Frame | undefined {
    if (this.#isOver && this.#rest.length > 0) throw new BadBytes('has extra data after its end');
    if (this.#rest.length < FRAME_HEAD_BYTES) return undefined;
    const said = new DataView(this.#rest.buffer, this.#rest.byteOffset).getUint32(0);
    const isLast = said >= LAST;
    const length = isLast ? said - LAST : said;
    if (length < TAG_BYTES || length > FRAME_BYTES + TAG_BYTES) throw changed();
    if (this.#rest.length < FRAME_HEAD_BYTES + length) return undefined;
    this.#isOver = isLast;
    return { isLast, sealed: this.#taken(FRAME_HEAD_BYTES + length).subarray(FRAME_HEAD_BYTES) };
  }

  #taken(length: number): Uint8Array {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

export const changed = (): BadBytes => new AlteredBytes('was changed after it was written, or is for another server');

/** Part of an entry: the line of the entry, or some of its bytes. */
export type Coming = { readonly line: string } | { readonly bytes: Uint8Array };

export class EntrySplitter {
  #rest: Uint8Array = new Uint8Array();
  /** Number of bytes of the current entry that have not arrived yet. */
  #due = 0;

  /** @throws BadBytes */
  *push(bytes: Uint8Array): Generator<Coming> {
    let rest = joined(this.#rest, bytes);
    while (rest.length > 0) {
      if (this.#due > 0) {
        const own = rest.subarray(0, this.#due);
        rest = rest.subarray(own.length);
        this.#due -= own.length;
        yield { bytes: own };
        continue;
      }
      const end = rest.subarray(0, MAX_ENTRY_LINE_BYTES).indexOf(NEWLINE);
      if (end < 0 && rest.length >= MAX_ENTRY_LINE_BYTES) throw new BadBytes('has a line that is too long');
      if (end < 0) break;
      const line = textOf(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      yield { line };
    }
    this.#rest = rest;
  }

  /** Sets the number of bytes that follow the entry's line. Called after each line. */
  expect(bytes: number): void {
    this.#due = bytes;
  }

  /** @throws BadBytes if input is missing */
  end(): void {
    if (this.#rest.length > 0 || this.#due > 0) throw new BadBytes('ends in the middle of an entry');
  }
}
