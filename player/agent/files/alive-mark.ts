/**
 * Writes the alive mark, the time until which the open plays were visible, twice a second into a file of constant size.
 * The mark survives a crash of the process at once, and a power cut after the sync every two seconds. A memory card
 * bears this for years (43,200 page writes a day).
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Log } from '../../core/ports.ts';
import { makeFolder, PRIVATE_FILE, unlessMissing } from './files.ts';

const SYNC_MS = 2_000;
/**
 * Size of each of the two places in the file. They are written alternately, so that one place is complete when a write
 * is interrupted.
 */
const PLACE_BYTES = 96;

export interface Mark {
  /** Id of the run of the player (one start of its process) that wrote the mark. */
  readonly boot_id: string;
  /** Time on the server clock until which the open plays were visible, epoch milliseconds. */
  readonly alive_at: number;
}

interface Deps {
  readonly path: string;
  readonly log: Log;
  /** Returns monotonic milliseconds. */
  readonly mono: () => number;
}

export class AliveMark {
  readonly #deps: Deps;
  #file: FileHandle | undefined;
  #count = 0;
  #waiting: Mark | undefined;
  #writing: Promise<void> | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #syncing: Promise<void> | undefined;
  #said = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async read(): Promise<Mark | undefined> {
    const text = (await unlessMissing(readFile(this.#deps.path, 'latin1')).catch(() => undefined)) ?? '';
    const found = [0, PLACE_BYTES].flatMap((at) => parse(text.slice(at, at + PLACE_BYTES)) ?? []);
    const newest = found.sort((a, b) => b.count - a.count)[0];
    this.#count = newest?.count ?? 0;
    return newest?.mark;
  }

  /**
   * Writes the mark to the file. Resolves once the mark would survive a crash of the process. If several marks wait for
   * a slow disk, only the newest mark is written. Never rejects.
   */
  write(mark: Mark): Promise<void> {
    this.#waiting = mark;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async stop(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#close();
  }

  async #writeAll(): Promise<void> {
    for (let mark = this.#waiting; mark; mark = this.#waiting) {
      this.#waiting = undefined;
      try {
        await this.#write(mark);
        this.#said = false;
      } catch (error) {
        if (!this.#said)
          this.#deps.log.warn(
            'what is on screen cannot be marked as seen: cut off now, it counts as seen until it was last saved',
            error,
          );
        this.#said = true;
        await this.#close();
      }
    }
  }

  async #write(mark: Mark): Promise<void> {
    const file = (this.#file ??= await this.#open());
    const count = ++this.#count;
    await file.write(Buffer.from(lineOf(mark, count), 'latin1'), 0, PLACE_BYTES, (count % 2) * PLACE_BYTES);
    const now = this.#deps.mono();
    // The sync is not awaited, so that a slow memory card does not delay the next mark.
    if (this.#syncing || now - this.#syncedAt < SYNC_MS) return;
    this.#syncedAt = now;
    this.#syncing = this.#sync(file).finally(() => (this.#syncing = undefined));
  }

  async #sync(file: FileHandle): Promise<void> {
    try {
      await file.datasync();
      // A file that was deleted is created again by the next write.
      if ((await file.stat()).nlink === 0 && this.#file === file) await this.#close();
    } catch {
      // A failure needs no action, since the next sync retries.
    }
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#deps;
    await makeFolder(dirname(path));
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
    if ((await file.stat()).size < 2 * PLACE_BYTES)
      await file.write(Buffer.alloc(2 * PLACE_BYTES, ' '), 0, 2 * PLACE_BYTES, 0);
    return file;
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => {});
  }
}

function lineOf({ boot_id, alive_at }: Mark, count: number): string {
  const text = `${count} ${boot_id} ${Math.floor(alive_at)}`;
  return `${`${text} ${crc32(text)}`.padEnd(PLACE_BYTES - 1)}\n`;
}

function parse(line: string): { readonly mark: Mark; readonly count: number } | undefined {
  const [, text = '', count, boot_id = '', alive_at, sum] = /^((\d+) (\S+) (\d+)) (\d+) *\n$/.exec(line) ?? [];
  return sum !== undefined && crc32(text) === Number(sum)
    ? { mark: { boot_id, alive_at: Number(alive_at) }, count: Number(count) }
    : undefined;
}
