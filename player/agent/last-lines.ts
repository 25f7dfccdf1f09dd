/**
 * What a program said last on its stderr. Everything is read, since a full pipe would stop the program, and next to
 * nothing is kept: Chromium talks for months.
 */
import type { Readable } from 'node:stream';

const MOST_LINES = 5;
const MOST_CHARS = 300;

/**
 * `[4711:4711:0131/120000.123456:ERROR:ui/ozone/…/ozone_platform_x11.cc:257] `: other numbers at each start, and
 * nothing for a person.
 */
const PREFIX = /^\[\d+:\d+:[^\]]*\]\s*/;
/**
 * What Chromium also says where it works (no D-Bus, hints), and what follows the reason and buries it: the helpers'
 * laments, "Exiting.", the addresses of a crash.
 */
const NOISE =
  /^\[[^\]]*(:(INFO|WARNING|VERBOSE\d*):|\bdbus\/|zygote_(linux|communication))|The platform failed to initialize|^\s*#\d+ |^\s*[a-z0-9]{2,3}: [0-9a-f]{16}|^\[end of stack trace\]|^Calling _exit/;

export class LastLines {
  readonly #stream: Readable;
  #lines: string[] = [];
  /** The beginning of a line whose end has not come. */
  #rest = '';

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.#take(text));
    stream.on('error', () => stream.destroy());
  }

  /** The last line that tells something, without Chromium's prefix and a full stop; undefined: there was none. */
  get telling(): string | undefined {
    return [...this.#lines, told(this.#rest)].filter((line) => line !== '').at(-1);
  }

  /** Settles when all of it has been read, or no more is wanted. */
  get whole(): Promise<void> {
    if (this.#stream.closed) return Promise.resolve();
    return new Promise((resolve) => this.#stream.once('close', () => resolve()));
  }

  /** No more is wanted. */
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

/** '' for what tells nothing. */
const told = (line: string): string => (NOISE.test(line) ? '' : line.replace(PREFIX, '').trim().replace(/\.$/, ''));
