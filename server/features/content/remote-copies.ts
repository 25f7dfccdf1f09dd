/**
 * Stores copies of remote content in the background, so that screens need no internet: a few at a time, at most two per
 * host, with growing pauses after failures. Hosts with failures come after all other hosts, and slow senders are cut
 * off. An address that turns out to be a web page is shown live instead.
 */

import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { type Clock, seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import { isOver } from '../../kernel/time/window.ts';
import { kindOfMime } from '../../media/kinds/media-types.ts';
import type { Fetched, GuardedFetch } from '../../net/guarded-fetch.ts';
import type { ContentRow, ContentStore, NewContentRow } from './content.store.ts';
import type { Intake, Taken } from './intake.ts';

const AT_ONCE = 5;
/**
 * Maximum number of parallel copies per host, so that a film does not delay a picture. A host with failures gets only
 * one.
 */
const AT_ONCE_PER_HOST = 2;
const SILENCE_MS = 30_000;
/** Maximum size of an answer that states no length, because some answers are endless streams. */
const UNANNOUNCED_BYTES = 512 * 1024 * 1024;

/** Minimum average rate over `PACE_MS`. A slower download is ended: at this rate, 3 MB take five minutes. */
const LEAST_BYTES_A_SECOND = 10_000;
const PACE_MS = 30_000;
/** Time limit for a whole file: its size at this rate (bytes per second), plus a fixed time for slow starts. */
const WHOLE_BYTES_A_SECOND = 50_000;
const WHOLE_MS = 10 * 60_000;
/** Maximum number of hosts with failures that are remembered. Beyond this number, the oldest are forgotten. */
const MAX_TROUBLED = 1_000;

/** Longer than any delay of a retry, in milliseconds. A later retry was planned with another clock. */
const LONGEST_RETRY_MS = 12 * 3_600_000;
/**
 * Returns the delay of a retry: 1, 2, 4 … 64 minutes, then every 6 hours, ±20 %, so that copies do not all reach a
 * recovered site in the same second.
 */
export const retryDelayMs = (failures: number, random: () => number = Math.random): number =>
  (failures > 7 ? 6 * 60 : 2 ** (failures - 1)) * 60_000 * (0.8 + random() * 0.4);

/** Result of a fetch: columns to save, and the stored file, if any. */
interface Outcome {
  readonly change: Partial<NewContentRow>;
  readonly taken?: Taken;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: ContentStore;
  readonly intake: Intake;
  readonly fetch: GuardedFetch;
  readonly maxBytes: number;
  readonly onError: (error: unknown) => void;
}

export class RemoteCopies implements Lifecycle {
  readonly name = 'remote-copies';
  readonly #deps: Deps;
  /** Number of failures of each content. A changed address starts again at zero. */
  readonly #retries = new Map<string, { address: string; failures: number; notBefore: number }>();
  readonly #inFlight = new Set<string>();
  readonly #perHost = new Map<string, number>();
  /** Number of consecutive failed copies, by host. */
  readonly #troubled = recent<string, number>(MAX_TROUBLED);
  readonly #workers = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();
  #started = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#started = true;
    this.#abort = new AbortController();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    this.#abort.abort();
    await Promise.all(this.#workers);
  }

  /** Starts workers up to the limit. A slow download occupies one worker and delays no other. */
  wake(): void {
    if (!this.#started) return;
    while (this.#workers.size < AT_ONCE && this.#next()) {
      const worker: Promise<void> = this.#work()
        .catch(this.#deps.onError)
        .finally(() => {
          this.#workers.delete(worker);
          this.#plan();
        });
      this.#workers.add(worker);
    }
  }

  async #work(): Promise<void> {
    for (let row = this.#next(); row && !this.#abort.signal.aborted; row = this.#next()) {
      const [id, host] = [row.id, hostOf(row)];
      this.#inFlight.add(id);
      this.#perHost.set(host, this.#atHost(host) + 1);
      await this.#copy(row).finally(() => {
        this.#inFlight.delete(id);
        const left = this.#atHost(host) - 1;
        if (left > 0) this.#perHost.set(host, left);
        else this.#perHost.delete(host);
      });
      // Starts copies that waited only for a free worker of this host.
      this.wake();
    }
  }

  #atHost(host: string): number {
    return this.#perHost.get(host) ?? 0;
  }

  /** Returns the oldest content that is due, from the host with the fewest failures among hosts below their limit. */
  #next(): ContentRow | undefined {
    const now = this.#deps.clock.now();
    let next: { row: ContentRow; trouble: number } | undefined;
    for (const row of this.#deps.store.uncopied()) {
      if (this.#inFlight.has(row.id) || this.#dueAt(row) > now) continue;
      const host = hostOf(row);
      const trouble = this.#troubled.get(host) ?? 0;
      if (this.#atHost(host) >= (trouble > 0 ? 1 : AT_ONCE_PER_HOST)) continue;
      if (trouble === 0) return row;
      if (!next || trouble < next.trouble) next = { row, trouble };
    }
    return next?.row;
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const waiting = this.#started ? this.#deps.store.uncopied().filter((row) => !this.#inFlight.has(row.id)) : [];
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map((row) => this.#dueAt(row)));
    this.#timer = setTimeout(
      () => this.wake(),
      Math.min(Math.max(next - this.#deps.clock.now(), 1000), 3_600_000),
    ).unref();
  }

  #dueAt(row: ContentRow): number {
    const retry = this.#retries.get(row.id);
    if (retry?.address !== row.remote_url) return 0;
    return isOver({ end: retry.notBefore, now: this.#deps.clock.now(), length: LONGEST_RETRY_MS })
      ? 0
      : retry.notBefore;
  }

  async #copy(row: ContentRow): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.#bring(row);
      this.#retries.delete(row.id);
      this.#troubled.delete(hostOf(row));
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#later(row);
      this.#blame(hostOf(row));
      outcome = { change: { fetch_error: (error as Error).message } };
    }
    await this.#save(row, outcome);
  }

  #later(row: ContentRow): void {
    const before = this.#retries.get(row.id);
    const failures = before?.address === row.remote_url ? before.failures + 1 : 1;
    this.#retries.set(row.id, {
      address: row.remote_url!,
      failures,
      notBefore: this.#deps.clock.now() + retryDelayMs(failures),
    });
  }

  #blame(host: string): void {
    this.#troubled.set(host, (this.#troubled.get(host) ?? 0) + 1);
  }

  async #save(row: ContentRow, { change, taken }: Outcome): Promise<void> {
    const { db, store, clock, intake, onError } = this.#deps;
    let saved = false;
    try {
      db.write(() => {
        // Discards the copy if the content was meanwhile deleted, replaced or given another address.
        const now = store.find(row.workspace_id, row.id);
        if (!now || now.remote_url !== row.remote_url || now.sha256 !== null) return;
        const at = seconds(clock);
        const changed = store.note(row.id, {
          ...change,
          ...(taken && intake.record(taken, at)),
          fetched_at: at,
        });
        const screens = changed?.sha256 !== now.sha256 || changed?.kind !== now.kind;
        announce(
          this.#deps,
          { workspaceId: row.workspace_id, userId: null },
          { topic: 'content', ids: [row.id], screens },
        );
        saved = true;
      });
      await db.durable();
    } catch (error) {
      saved = false;
      // This error is not about the file, but for example a full disk. Without a pause, the copy would be retried
      // endlessly.
      this.#later(row);
      onError(error);
    }
    if (!taken) return;
    if (saved) taken.release();
    else intake.drop(taken);
  }

  /** @throws Error whose message says why there is no copy */
  async #bring(row: ContentRow): Promise<Outcome> {
    const { signal } = this.#abort;
    const answer = await this.#deps.fetch.get(row.remote_url!, { signal, silenceMs: SILENCE_MS });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new Error(`${answer.url.host} answered with the status ${answer.status}`);
    }
    const mime = String(answer.headers['content-type'] ?? '')
      .split(';')[0]!
      .trim()
      .toLowerCase();
    const isPage = kindOfMime(mime) === 'web';
    if (isPage || (row.kind === 'web' && !mayBeFile(mime))) {
      answer.body.destroy();
      return { change: { kind: 'web', mime_type: isPage ? mime : 'text/html', fetch_error: null } };
    }
    return { change: { fetch_error: null }, taken: await this.#download(answer) };
  }

  async #download({ headers, body, url }: Fetched): Promise<Taken> {
    const { maxBytes, intake, clock } = this.#deps;
    const announced = Number(headers['content-length'] ?? 0) || 0;
    const limit = announced > 0 ? maxBytes : Math.min(maxBytes, UNANNOUNCED_BYTES);
    if (announced > limit) {
      body.destroy();
      throw new Error(`The file has ${announced} bytes, more than this server accepts`);
    }
    const writer = await intake.open(announced).catch((error) => {
      body.destroy();
      throw error;
    });
    const pace = new Pace(clock, announced || limit, url.host);
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (writer.size + chunk.length > limit)
          throw new Error(`${url.host} sends a file of more than ${limit} bytes, the limit for this download`);
        pace.count(chunk.length);
        await writer.write(chunk);
      }
      if (announced > 0 && writer.size !== announced) throw new Error(`${url.host} ended its answer too early`);
    } catch (error) {
      body.destroy();
      await writer.abort();
      throw (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        ? new Error(`${url.host} ended its answer too early`)
        : error;
    }
    return intake.storeUpload(writer, url.pathname);
  }
}

/** Enforces a minimum rate. A sender that sends no data at all is detected elsewhere, by a timeout. */
class Pace {
  readonly #clock: Clock;
  readonly #host: string;
  readonly #until: number;
  #since: number;
  #bytes = 0;

  constructor(clock: Clock, bytes: number, host: string) {
    this.#clock = clock;
    this.#host = host;
    this.#since = clock.now();
    this.#until = this.#since + WHOLE_MS + (bytes / WHOLE_BYTES_A_SECOND) * 1000;
  }

  /** @throws Error when it is too slow */
  count(bytes: number): void {
    const now = this.#clock.now();
    this.#bytes += bytes;
    const isSlow = now - this.#since >= PACE_MS && (this.#bytes / (now - this.#since)) * 1000 < LEAST_BYTES_A_SECOND;
    if (isSlow || now > this.#until) throw new Error(`${this.#host} sends too slowly`);
    if (now - this.#since < PACE_MS) return;
    this.#since = now;
    this.#bytes = 0;
  }
}

/** Addresses were checked when the content was created. */
const hostOf = ({ remote_url }: ContentRow): string =>
  remote_url && URL.canParse(remote_url) ? new URL(remote_url).host : '';

/**
 * Returns whether this MIME type may belong to a media file: a media type, or a type that servers use for unknown
 * files.
 */
const mayBeFile = (mime: string): boolean =>
  mime === '' ||
  mime === 'application/octet-stream' ||
  mime === 'binary/octet-stream' ||
  mime === 'application/ogg' ||
  ['image', 'video', 'audio', 'pdf'].includes(kindOfMime(mime) ?? '');
