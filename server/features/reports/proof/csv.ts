/** CSV export for spreadsheets. */

export const CSV_HEADER = 'Device,Content,Started,Ended,Duration (sec),Completed\n';

export interface CsvPlay {
  /** The cells with the names of a play, for one set of {@link csvNames}. */
  readonly names: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: number;
}

/**
 * Returns the cells for the names of screen and content. Thousands of plays share these cells, and making them costs
 * more than the rest of the line.
 */
export const csvNames = (device: string, content: string): string => `${csvCell(device)},${csvCell(content)}`;

export const csvLine = ({ names, started_ms, ended_ms, completed }: CsvPlay): string =>
  names + scratch.toString('latin1', 0, writeRest(scratch, 0, started_ms, ended_ms, completed));

/**
 * Memory blocks grow in steps of this number of bytes, so that the block of a chunk mostly also fits the next chunk.
 */
const BLOCK_STEP = 64 * 1024;

/** Collects lines as bytes. With strings instead, an export of a million lines would take 50 % longer. */
export class CsvLines {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param block memory to reuse; replaced by a larger block when needed */
  constructor(block = new ArrayBuffer(BLOCK_STEP)) {
    this.#bytes = new Uint8Array(block);
  }

  /** @param names bytes of {@link csvNames} */
  add(names: Uint8Array, startedMs: number, endedMs: number, completed: number): void {
    const most = this.#length + names.length + MAX_REST;
    if (most > this.#bytes.length) this.#grow(most);
    this.#bytes.set(names, this.#length);
    this.#length = writeRest(this.#bytes, this.#length + names.length, startedMs, endedMs, completed);
  }

  get block(): ArrayBuffer {
    return this.#bytes.buffer;
  }

  /** Number of bytes of the memory block that contain lines. */
  get length(): number {
    return this.#length;
  }

  #grow(least: number): void {
    const grown = new Uint8Array(Math.ceil(Math.max(least, 2 * this.#bytes.length) / BLOCK_STEP) * BLOCK_STEP);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Characters that begin a formula, including full-width forms, as part of a regular expression. */
export const FORMULA_SIGNS = String.raw`[=+\-@\uff0b\uff0d\uff1d\uff20]`;
/**
 * Matches the start of a formula, also after a semicolon: spreadsheets of many countries split cells there, even within
 * quotes.
 */
const FORMULA = new RegExp(String.raw`(^|;)(\s*)(?=${FORMULA_SIGNS})`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: tabs and line ends are what a cell must not have
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Returns a cell that a spreadsheet shows and never runs. */
export const csvCell = (text: string): string => {
  const safe = text.replace(CONTROL, ' ').replace(FORMULA, "$1$2'");
  return /[",;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const DAY_MS = 86_400_000;
/** Bytes of the longest line without its names: two times of any year, and any number. */
const MAX_REST = 96;
const [COMMA, POINT, COLON, ZERO, ZULU, LINE_END] = [44, 46, 58, 48, 90, 10];
const scratch = Buffer.alloc(MAX_REST);
const [YES, NO] = [Buffer.from(',Yes'), Buffer.from(',No')];

/**
 * Writes the part of a line that follows the names.
 * @returns the end position
 */
const writeRest = (into: Uint8Array, at: number, startedMs: number, endedMs: number, completed: number): number => {
  let next = writeStarted(into, at, startedMs);
  next = writeEnded(into, next, endedMs);
  next = writeSeconds(into, next, endedMs - startedMs);
  next = write(into, next, completed ? YES : NO);
  into[next] = LINE_END;
  return next + 1;
};

const write = (into: Uint8Array, at: number, bytes: Uint8Array): number => {
  // For so few bytes a loop is faster than a call of a copy function.
  for (let n = 0; n < bytes.length; n++) into[at + n] = bytes[n]!;
  return at + bytes.length;
};

/** @param n below 100 */
const writeTwo = (into: Uint8Array, at: number, n: number): number => {
  const tens = Math.floor(n / 10);
  into[at] = ZERO + tens;
  into[at + 1] = ZERO + n - 10 * tens;
  return at + 2;
};

/**
 * Returns a function that writes a comma and the time in the format of `toISOString`. The date is cached, because
 * consecutive times mostly lie in the same day; without the cache, dates would take half the time of an export.
 */
const isoTimes = (): ((into: Uint8Array, at: number, ms: number) => number) => {
  let day = Number.NaN;
  let date = Buffer.alloc(0);
  return (into, at, ms) => {
    const its = Math.floor(ms / DAY_MS);
    if (its !== day) {
      date = Buffer.from(`,${new Date(its * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)}`);
      day = its;
    }
    let next = write(into, at, date);
    let rest = Math.floor(ms - its * DAY_MS);
    const hours = Math.floor(rest / 3_600_000);
    rest -= hours * 3_600_000;
    const minutes = Math.floor(rest / 60_000);
    rest -= minutes * 60_000;
    const seconds = Math.floor(rest / 1000);
    rest -= seconds * 1000;
    const hundreds = Math.floor(rest / 100);
    next = writeTwo(into, next, hours);
    into[next++] = COLON;
    next = writeTwo(into, next, minutes);
    into[next++] = COLON;
    next = writeTwo(into, next, seconds);
    into[next++] = POINT;
    into[next++] = ZERO + hundreds;
    next = writeTwo(into, next, rest - hundreds * 100);
    into[next++] = ZULU;
    return next;
  };
};
const writeStarted = isoTimes();
const writeEnded = isoTimes();

/** Writes a comma and the seconds, in the number format of JavaScript. */
const writeSeconds = (into: Uint8Array, at: number, ms: number): number => {
  into[at] = COMMA;
  const text = String(ms / 1000);
  for (let n = 0; n < text.length; n++) into[at + 1 + n] = text.charCodeAt(n);
  return at + 1 + text.length;
};
