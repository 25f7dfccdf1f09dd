/**
 * Compact binary encoding of numbers and texts for segments: whole numbers as varints, signed numbers folded (zigzag)
 * so that small numbers stay short.
 */

/** Error: the bytes are truncated or are not the expected kind of data. The message names the fault. */
export class BadBytes extends Error {}

/**
 * Error: somebody changed the bytes after the author signed or sealed them. This is more serious than a wrong or an old
 * file.
 */
export class AlteredBytes extends BadBytes {}

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { fatal: true }) };

export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  /** Writes a whole number from 0 to 2^53 - 1. */
  whole(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number from 0`);
    this.#room(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a whole number from -2^52 to 2^52. */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value);
  }

  double(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    this.raw(bytes);
  }

  /** Writes bytes without a length prefix. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  text(text: string): void {
    const bytes = utf8.encoder.encode(text);
    this.whole(bytes.length);
    this.raw(bytes);
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads the output of {@link ByteWriter}. Every method throws {@link BadBytes} if the value is missing or invalid. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  whole(): number {
    let value = 0;
    for (let factor = 1; factor <= 0x80 ** 7; factor *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new BadBytes('the data ends too early');
      value += (byte & 0x7f) * factor;
      if (byte <= 0x7f) {
        if (byte === 0 && factor > 1) throw new BadBytes('a number in the data is written with too many bytes');
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw new BadBytes('a number in the data is too large');
  }

  signed(): number {
    const value = this.whole();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  double(): number {
    const bytes = this.raw(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  }

  /** Returns a view of the next `length` bytes. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw new BadBytes('the data ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const bytes = this.raw(this.whole());
    try {
      return utf8.decoder.decode(bytes);
    } catch {
      throw new BadBytes('a text in the data is not valid UTF-8');
    }
  }

  end(): void {
    if (this.left > 0) throw new BadBytes('the file has extra data after its end');
  }
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param hex an even number of hexadecimal digits */
export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
