/**
 * Downloads documents and files that campaigns of headquarters need, one at a time. Documents are fetched at once,
 * files within the hours and the rate that the store allows. An interrupted download continues where it ended; a file
 * with wrong bytes is deleted and reported.
 */
import type { Readable } from 'node:stream';
import { MAX_CAMPAIGN_BYTES } from '../../../shared/chain/campaign.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { createGate, type Gate } from '../../../shared/program/dayparting.ts';
import type { Block } from '../../../shared/program/program.ts';
import { diskError } from '../../kernel/disk/disk-trouble.ts';
import type { Parts as KernelParts } from '../../kernel/parts.ts';
import type { MediaStore } from '../../media/media-store.ts';
import { type Connection, ConnectionDown, RequestRefused, Unproved } from '../connection/connection.ts';
import { Nap, type Pause } from '../connection/pause.ts';
import type { DesiredState, Missing } from './desired-state.ts';
import { Meter, type Pace, pieceOf } from './pace.ts';
import type { Part, PartialFiles } from './partial-files.ts';

/**
 * Pause in milliseconds after a failure. Doubled with each further failure, and random so that thousands of stores do
 * not retry at once.
 */
const RETRY_MS = { least: 5_000, most: 300_000 };
/** Time in milliseconds without data after which the connection is closed. */
const SILENCE_MS = 30_000;
/**
 * Interval in milliseconds for checking the disk and the allowed hours again. The hours are checked because the
 * clock may have been set.
 */
const LOOK_MS = 60_000;
/** Number of downloads with wrong bytes after which a file is requested only once per hour. */
const MAX_WRONG = 3;
const WRONG_MS = 3_600_000;
/** Bytes between two checks of the free disk space. */
const ROOM_EVERY = 16 * 1024 * 1024;

/** Download limits of a store. */
export interface Limits {
  /** Kilobytes per second; null: no limit. */
  readonly fetch_rate: number | null;
  /** Hours in which files may be downloaded; empty: always. */
  readonly fetch_hours: readonly Block[];
}

/** Reason why a file does not arrive. */
export interface Trouble {
  readonly why: string;
  /** True: headquarters has sent bytes several times that do not match the hash. */
  readonly isWrong: boolean;
}

interface Deps extends Pick<KernelParts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly connection: Pick<Connection, 'blob'>;
  readonly desired: Pick<DesiredState, 'missing' | 'documentCame' | 'fileCame' | 'refuse' | 'addIncident'>;
  readonly media: Pick<MediaStore, 'adopt' | 'requireRoom'>;
  readonly parts: PartialFiles;
  readonly limits: Limits;
  /** Rate limit, shared by all fetchers of a store. */
  readonly pace: Pace;
  /** Time zone in which the allowed hours are given. */
  readonly timezone: () => string;
  readonly pause: Pause;
  readonly random: () => number;
}

/** A file or document to fetch, with all campaigns that need it. */
interface Wanted {
  readonly sha256: string;
  readonly size: number;
  readonly for: Missing[];
}

interface Failed extends Trouble {
  /** Number of failures in a row, and how often the bytes were wrong. */
  readonly failures: number;
  readonly wrong: number;
  /** Time on the monotonic clock before which the file is not requested again. */
  readonly until: number;
}

/** Error: the bytes from headquarters do not match the hash or size. The message says how they differ. */
class Wrong extends Error {}

export class Fetcher {
  readonly #deps: Deps;
  readonly #meter: Meter;
  readonly #nap: Nap;
  readonly #failed = new Map<string, Failed>();
  #limits: Limits;
  #gate: Gate;
  /** Number of connection failures in a row. */
  #failures = 0;
  #lineUntil = 0;
  #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#meter = new Meter(deps.mono);
    this.#nap = new Nap(deps.pause);
    this.#limits = deps.limits;
    this.#gate = this.#gateOf(deps.limits);
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#nap.wake();
    await this.#running;
  }

  /** Retries now, because the connection is back or there is another file to fetch. */
  hurry(): void {
    this.#failures = 0;
    this.#lineUntil = 0;
    for (const [sha256, failed] of this.#failed)
      if (!failed.isWrong) this.#failed.set(sha256, { ...failed, failures: 0, until: 0 });
    this.#nap.wake();
  }

  limit(limits: Limits): void {
    this.#limits = limits;
    this.#gate = this.#gateOf(limits);
    this.#nap.wake();
  }

  /** Returns the number of bytes of a file that this server already has. */
  has(sha256: string): number {
    return this.#deps.parts.sizeOf(sha256);
  }

  /** Returns bytes per second over the last minute; null: nothing was received. */
  get rate(): number | null {
    return this.#meter.rate;
  }

  troubleWith(sha256: string): Trouble | undefined {
    return this.#failed.get(sha256);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #gateOf({ fetch_hours }: Limits): Gate {
    return createGate(fetch_hours, this.#deps.timezone());
  }

  async #run(): Promise<void> {
    const { parts, log } = this.#deps;
    await parts.start().catch((error: unknown) => log.warn('What was fetched before cannot be found', { error }));
    while (!this.#isStopping) {
      const rest = await this.#turn().catch((error: unknown) => {
        log.warn('Nothing can be fetched from headquarters', { error });
        return LOOK_MS;
      });
      if (!this.#isStopping && rest > 0) await this.#nap.rest(rest);
    }
  }

  /** Fetches the next file. Returns the pause in milliseconds. */
  async #turn(): Promise<number> {
    const { mono, clock, parts } = this.#deps;
    const all = wantedOf(this.#deps.desired.missing());
    await parts.retain(new Set(all.map(({ sha256 }) => sha256)));
    for (const sha256 of this.#failed.keys())
      if (!all.some((one) => one.sha256 === sha256)) this.#failed.delete(sha256);
    const now = mono();
    const here = all.find((one) => this.#isHere(one) && (this.#failed.get(one.sha256)?.until ?? 0) <= now);
    if (here) {
      await this.#fetch(here);
      return 0;
    }
    if (this.#lineUntil > now) return this.#lineUntil - now;
    const hours = this.#gate(clock.now());
    const may = all.filter((one) => hours.open || isDocument(one));
    const next = may.find(({ sha256 }) => (this.#failed.get(sha256)?.until ?? 0) <= now);
    if (next) {
      await this.#fetch(next);
      return 0;
    }
    const untils = may.map(({ sha256 }) => this.#failed.get(sha256)!.until - now);
    const opens = all.length > may.length ? [hours.until - clock.now()] : [];
    // Checks the clock and the disk space regularly, because no event reports their changes.
    return Math.min(...untils, ...opens, LOOK_MS);
  }

  async #fetch(wanted: Wanted): Promise<void> {
    const { sha256, size } = wanted;
    try {
      if (isDocument(wanted) && size > MAX_CAMPAIGN_BYTES) return this.#refuse(wanted, 'The campaign is too large.');
      await this.#complete(wanted);
      this.#failed.delete(sha256);
    } catch (error) {
      if (!this.#isStopping) await this.#note(wanted, error);
    }
  }

  async #complete(wanted: Wanted): Promise<void> {
    const { db, desired, media, parts } = this.#deps;
    const { sha256 } = wanted;
    if (!(await this.#arrive(wanted))) return;
    const [first] = wanted.for;
    if (first?.what === 'file') {
      const release = await media.adopt({ path: parts.pathOf(sha256), sha256 });
      try {
        parts.forget(sha256);
        desired.fileCame(first.file);
        await db.durable();
      } finally {
        release();
      }
      return;
    }
    const bytes = await parts.read(sha256);
    for (const { campaign } of wanted.for) desired.documentCame(campaign, bytes);
    await parts.remove(sha256);
  }

  /**
   * @returns whether all bytes are here; false: continue later.
   * @throws Wrong, ConnectionDown, RequestRefused, ApiError 507
   */
  async #arrive(wanted: Wanted): Promise<boolean> {
    const { sha256, size } = wanted;
    const { media, parts } = this.#deps;
    if (!isDocument(wanted)) await media.requireRoom(size - parts.sizeOf(sha256));
    const part = await parts.open(sha256);
    try {
      while (part.size < size) {
        if (!this.#mayGoOn(wanted)) return false;
        await this.#ask(wanted, part);
      }
      if (part.size > size) throw new Wrong('the part that was received before is too long');
      if ((await part.finish()) !== sha256)
        throw new Wrong('the received data does not match the checksum from headquarters');
      return true;
    } finally {
      await part.close();
    }
  }

  /** Sends one request, and appends the bytes of its answer to the partial file. */
  async #ask(wanted: Wanted, part: Part): Promise<void> {
    const { connection } = this.#deps;
    const { sha256, size } = wanted;
    const from = part.size;
    const piece = isDocument(wanted) ? undefined : pieceOf(this.#rate);
    const ending = new AbortController();
    const end = () => ending.abort();
    this.#stopping.signal.addEventListener('abort', end);
    try {
      const to = piece === undefined ? undefined : Math.min(from + piece, size) - 1;
      const blob = await this.#inTime(connection.blob(sha256, { from, to, signal: ending.signal }));
      if (!blob) throw new Wrong('the file at headquarters is shorter than announced');
      const { start, total, bytes } = blob;
      try {
        if (total !== null && total !== size)
          throw new Wrong('the file does not have the length that headquarters announced');
        if (start > from)
          throw new ConnectionDown(
            'Headquarters sent an answer that this version of Vitrine does not understand. Update Vitrine on this server.',
          );
        await this.#take(wanted, part, { bytes, skip: from - start });
      } finally {
        bytes.destroy();
      }
    } finally {
      this.#stopping.signal.removeEventListener('abort', end);
      end();
    }
    if (part.size === from && this.#mayGoOn(wanted)) throw new ConnectionDown('Headquarters closed the connection.');
  }

  /** @param skip bytes at the start that are already here, when headquarters does not support ranges */
  async #take(wanted: Wanted, part: Part, { bytes, skip }: { bytes: Readable; skip: number }): Promise<void> {
    const { media, pause, pace } = this.#deps;
    const { size } = wanted;
    const rate = this.#rate;
    const coming = bytes.iterator({ destroyOnReturn: false });
    let passed = 0;
    let unlooked = 0;
    for (;;) {
      const next = await this.#inTime(
        coming.next().catch((error: unknown) => {
          throw new ConnectionDown(`Headquarters does not answer: ${(error as Error).message}.`);
        }),
      );
      if (next.done) return;
      const came = next.value as Buffer;
      this.#meter.count(came.length);
      const fresh = came.subarray(Math.min(came.length, Math.max(0, skip - passed)));
      passed += came.length;
      if (part.size + fresh.length > size) throw new Wrong('the file is longer than headquarters announced');
      await part.add(fresh);
      if (fresh.length > 0) this.#failures = 0;
      if (isDocument(wanted)) continue;
      unlooked += fresh.length;
      if (unlooked >= ROOM_EVERY) {
        unlooked = 0;
        await media.requireRoom(size - part.size);
      }
      const rest = pace.count(came.length, rate);
      if (rest > 0) await pause(rest, this.#stopping.signal);
      if (!this.#mayGoOn(wanted) || rate !== this.#rate) return;
    }
  }

  /** @throws ConnectionDown when nothing arrives in time */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const waiting = new AbortController();
    const silence = this.#deps.pause(SILENCE_MS, waiting.signal).then(() => {
      throw new ConnectionDown('Headquarters does not answer: no data arrived for too long.');
    });
    silence.catch(() => {});
    try {
      return await Promise.race([work, silence]);
    } finally {
      waiting.abort();
    }
  }

  /**
   * Returns whether all bytes have arrived, for example from a transfer file. The file is then completed without a
   * connection and outside of the allowed hours.
   */
  #isHere({ sha256, size }: Wanted): boolean {
    return this.#deps.parts.isWhole(sha256, size);
  }

  #mayGoOn(wanted: Wanted): boolean {
    return !this.#isStopping && (isDocument(wanted) || this.#gate(this.#deps.clock.now()).open);
  }

  /** Maximum rate in bytes per second; null: no limit. */
  get #rate(): number | null {
    return this.#limits.fetch_rate === null ? null : this.#limits.fetch_rate * 1000;
  }

  #refuse(wanted: Wanted, why: string): void {
    for (const { campaign } of wanted.for) this.#deps.desired.refuse(campaign, why);
  }

  async #note(wanted: Wanted, error: unknown): Promise<void> {
    const { mono, parts, desired, log } = this.#deps;
    const { sha256 } = wanted;
    if (error instanceof Wrong) {
      await parts.remove(sha256);
      const wrong = (this.#failed.get(sha256)?.wrong ?? 0) + 1;
      const why = `${nameOf(wanted)} cannot be fetched: ${error.message}.`;
      log.warn('What headquarters sent was thrown away', { sha256, why, times: wrong });
      if (wrong < MAX_WRONG) return this.#put(sha256, { why: '', wrong, isWrong: false });
      for (const { campaign } of wanted.for) desired.addIncident(campaign, why);
      return void this.#failed.set(sha256, { why, wrong, isWrong: true, failures: 0, until: mono() + WRONG_MS });
    }
    if (error instanceof RequestRefused && error.code === 'bad_request')
      return this.#put(sha256, { why: 'Headquarters does not have all files of the campaign.' });
    if (error instanceof ConnectionDown || error instanceof RequestRefused || error instanceof Unproved) {
      log.debug('Fetching from headquarters is interrupted', { reason: error.message });
      this.#lineUntil = mono() + this.#retryAfter(this.#failures++);
      return;
    }
    const known = diskError(error);
    const isFull = known instanceof ApiError && known.status === 507;
    if (!(known instanceof ApiError)) log.warn('What headquarters sent could not be kept', { sha256, error });
    const why = isFull
      ? 'This server’s disk is too full for the files of the campaign. Free some space.'
      : 'The files of the campaign cannot be written to this server’s disk. Have the disk checked.';
    const { wrong = 0 } = this.#failed.get(sha256) ?? {};
    this.#failed.set(sha256, { why, wrong, isWrong: false, failures: 0, until: mono() + LOOK_MS });
  }

  #put(sha256: string, facts: { why: string; wrong?: number; isWrong?: boolean }): void {
    const { failures = 0, wrong = 0 } = this.#failed.get(sha256) ?? {};
    const until = this.#deps.mono() + this.#retryAfter(failures);
    this.#failed.set(sha256, { wrong, isWrong: false, ...facts, failures: failures + 1, until });
  }

  #retryAfter(failures: number): number {
    return Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures) * (0.5 + this.#deps.random() / 2);
  }
}

const isDocument = ({ for: [first] }: Wanted): boolean => first?.what === 'document';

/** Returns the name of the file in sentences for people. */
const nameOf = (wanted: Wanted): string =>
  isDocument(wanted) ? 'The description of the campaign' : 'A file of the campaign';

/** Returns each file once, in the order of `missing`. */
const wantedOf = (missing: readonly Missing[]): Wanted[] => {
  const all = new Map<string, Wanted>();
  for (const one of missing) {
    const [sha256, size] = one.what === 'document' ? [one.sha256, one.bytes] : [one.file.sha256, one.file.size];
    const known = all.get(sha256);
    if (known) known.for.push(one);
    else all.set(sha256, { sha256, size, for: [one] });
  }
  return [...all.values()];
};
