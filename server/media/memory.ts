/**
 * Memory limits for the decoding of untrusted files. The header shows how much memory a picture needs, and a picture
 * that needs too much is not decoded (inspect.ts). A file with a false header ends the media process, not the server.
 */
import { MEBIBYTE, MEMORY_LIMIT_MB } from './kinds/inspection.ts';

/** Interval in milliseconds at which a process checks its memory. A decoder allocates about 50 MB in that time. */
const LOOK_EVERY_MS = 50;
/** Allowance in MB beyond resident memory: stacks of threads, and memory that is reserved but never used. */
const RESERVED_MB = 512;

/**
 * Ends this process when it has grown too large. Works on all systems. Between two checks, only {@link limited} stops a
 * fast allocation.
 */
export const watchMemory = (): void => {
  setInterval(() => {
    if (process.memoryUsage.rss() > MEMORY_LIMIT_MB * MEBIBYTE) process.exit(1);
  }, LOOK_EVERY_MS).unref();
};

/**
 * Returns the command with a memory limit that the operating system enforces, if the system can limit used memory
 * (Linux). RLIMIT_AS would also count memory that Node only reserves.
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
 * Limits the total memory of concurrent jobs. A job waits until its bytes are available. A job larger than the total
 * runs alone.
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
