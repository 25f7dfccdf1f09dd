/**
 * What reading other people's files may take of the machine's memory. The header says how much a picture takes once it
 * is decoded, and too much is not begun (inspect.ts); a file that lies about it ends its process and not the server's.
 */
import { MEBIBYTE, MEMORY_LIMIT_MB } from './inspection.ts';

/** How often a process looks at its own size: a decoder fills some fifty megabytes in that time. */
const LOOK_EVERY_MS = 50;
/** Beyond what is resident: stacks of threads, and what was asked for and never touched. */
const RESERVED_MB = 512;

/**
 * Ends this process when it has grown too large. Works everywhere; {@link limited} is for what grows faster than it
 * looks.
 */
export const watchMemory = (): void => {
  setInterval(() => {
    if (process.memoryUsage.rss() > MEMORY_LIMIT_MB * MEBIBYTE) process.exit(1);
  }, LOOK_EVERY_MS).unref();
};

/**
 * The same command with its memory limited by the system, where that limits what is really used (Linux; RLIMIT_AS would
 * count what Node only reserves).
 */
export const limited = (
  command: string,
  args: readonly string[],
  limitMb = MEMORY_LIMIT_MB,
): { readonly command: string; readonly args: readonly string[] } => {
  if (process.platform !== 'linux') return { command, args };
  return {
    command: '/bin/sh',
    args: ['-c', `ulimit -d ${(limitMb + RESERVED_MB) * 1024} 2>/dev/null; exec "$0" "$@"`, command, ...args],
  };
};

/**
 * Lets so many bytes be taken at a time; who asks for more than there is left waits. What is more than all of it goes
 * alone.
 */
export class MemoryBudget {
  readonly #total: number;
  #free: number;
  readonly #waiting: { readonly bytes: number; readonly go: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  async with<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(bytes, this.#total);
    if (this.#waiting.length > 0 || taken > this.#free)
      await new Promise<void>((go) => this.#waiting.push({ bytes: taken, go }));
    else this.#free -= taken;
    try {
      return await work();
    } finally {
      this.#free += taken;
      for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
        this.#waiting.shift();
        this.#free -= next.bytes;
        next.go();
      }
    }
  }
}
