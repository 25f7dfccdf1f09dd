/**
 * Keeps the last lines of a program's stderr. Reads everything, because a full pipe would stop the program, and stores
 * very little, because Chromium writes for months.
 */
import type { Readable } from 'node:stream';

const MOST_LINES = 5;
const MOST_CHARS = 300;

/**
 * Prefix of a Chromium log line, `[4711:4711:0131/120000.123456:ERROR:ui/ozone/…/ozone_platform_x11.cc:257] `. Its
 * numbers differ at each start and do not help a person.
 */
const PREFIX = /^\[\d+:\d+:[^\]]*\]\s*/;
/**
 * Patterns of lines that are ignored: lines that Chromium also writes when it works (no D-Bus, hints), and lines after
 * the reason of a crash (messages of helper processes, "Exiting.", addresses).
 */
const NOISE =
  /^\[[^\]]*(:(INFO|WARNING|VERBOSE\d*):|\bdbus\/|zygote_(linux|communication))|The platform failed to initialize|^\s*#\d+ |^\s*[a-z0-9]{2,3}: [0-9a-f]{16}|^\[end of stack trace\]|^Calling _exit/;

export class LastLines {
  readonly #stream: Readable;
  #lines: string[] = [];
  /** The last line so far, if its end has not arrived. */
  #rest = '';

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.#take(text));
    stream.on('error', () => stream.destroy());
  }

  /** Returns the last meaningful line, without Chromium's prefix and the full stop; undefined: none. */
  get telling(): string | undefined {
    return [...this.#lines, told(this.#rest)].filter((line) => line !== '').at(-1);
  }

  /** Resolves when all output has been read, or after `stop`. */
  get whole(): Promise<void> {
    if (this.#stream.closed) return Promise.resolve();
    return new Promise((resolve) => this.#stream.once('close', () => resolve()));
  }

  /** Stops reading. */
  stop(): void {
    this.#stream.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = cut(lines.pop() ?? '');
    const telling = lines.map((line) => told(cut(line))).filter((line) => line !== '');
    this.#lines = [...this.#lines, ...telling].slice(-MOST_LINES);
  }
}

const cut = (line: string): string => line.slice(0, MOST_CHARS);

/** Returns the meaningful part of a line, or ''. */
const told = (line: string): string => (NOISE.test(line) ? '' : line.replace(PREFIX, '').trim().replace(/\.$/, ''));
