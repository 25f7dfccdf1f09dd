/**
 * Keeps copies of remote content, so that screens need no internet: two at a time, in the background, tried again with growing
 * pauses while the other side is away. What turns out to be a page is shown live instead.
 */
import type { Database } from '../../db/database.ts';
import type { Bus } from '../../kernel/bus.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { kindOfMime } from '../../media/media-types.ts';
import type { Fetched, GuardedFetch } from '../../net/guarded-fetch.ts';
import type { FollowUp } from './content.service.ts';
import type { ContentRow, ContentStore, NewContentRow } from './content.store.ts';
import type { Intake, Taken } from './intake.ts';

const AT_ONCE = 2;
const SILENCE_MS = 30_000;
/** Of an answer that does not say how long it is: some are streams that never end. */
const UNANNOUNCED_BYTES = 512 * 1024 * 1024;

/** 1, 2, 4 … 64 minutes, then every 6 hours, ±20 %: a site that was down is not met by all copies in one second. */
export const retryDelayMs = (failures: number, random: () => number = Math.random): number => (failures > 7 ? 6 * 60 : 2 ** (failures - 1)) * 60_000 * (0.8 + random() * 0.4);

/** What a fetch brought: columns to save, with the file they refer to, if any. */
interface Outcome {
  readonly change: Partial<NewContentRow>;
  readonly taken?: Taken;
}

export class RemoteCopies implements Lifecycle, FollowUp {
  readonly name = 'remote-copies';
  readonly #db: Database;
  readonly #store: ContentStore;
  readonly #intake: Intake;
  readonly #fetch: GuardedFetch;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #onError: (error: unknown) => void;
  /** By content; an edited address starts afresh. */
  readonly #retries = new Map<string, { address: string; failures: number; notBefore: number }>();
  readonly #inFlight = new Set<string>();
  readonly #workers = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();
  #started = false;

  constructor(deps: { db: Database; store: ContentStore; intake: Intake; fetch: GuardedFetch; bus: Bus; clock: Clock; maxBytes: number; onError: (error: unknown) => void }) {
    this.#db = deps.db;
    this.#store = deps.store;
    this.#intake = deps.intake;
    this.#fetch = deps.fetch;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#maxBytes = deps.maxBytes;
    this.#onError = deps.onError;
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

  /** A slow download holds up one worker, not what comes after it. */
  wake(): void {
    if (!this.#started) return;
    while (this.#workers.size < AT_ONCE && this.#next()) {
      const worker: Promise<void> = this.#work()
        .catch(this.#onError)
        .finally(() => {
          this.#workers.delete(worker);
          this.#plan();
        });
      this.#workers.add(worker);
    }
  }

  async #work(): Promise<void> {
    for (let row = this.#next(); row && !this.#abort.signal.aborted; row = this.#next()) {
      this.#inFlight.add(row.id);
      await this.#copy(row).finally(() => this.#inFlight.delete(row!.id));
    }
  }

  /** The oldest that is due and nobody is at. */
  #next(): ContentRow | undefined {
    return this.#store.uncopied().find((row) => !this.#inFlight.has(row.id) && this.#dueAt(row) <= this.#clock.now());
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const waiting = this.#started ? this.#store.uncopied().filter((row) => !this.#inFlight.has(row.id)) : [];
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map((row) => this.#dueAt(row)));
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(next - this.#clock.now(), 1000), 3_600_000)).unref();
  }

  #dueAt(row: ContentRow): number {
    const retry = this.#retries.get(row.id);
    return retry?.address === row.remote_url ? retry.notBefore : 0;
  }

  async #copy(row: ContentRow): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = await this.#bring(row);
      this.#retries.delete(row.id);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#later(row);
      outcome = { change: { fetch_error: (error as Error).message } };
    }
    await this.#save(row, outcome);
  }

  #later(row: ContentRow): void {
    const before = this.#retries.get(row.id);
    const failures = before?.address === row.remote_url ? before.failures + 1 : 1;
    this.#retries.set(row.id, { address: row.remote_url!, failures, notBefore: this.#clock.now() + retryDelayMs(failures) });
  }

  async #save(row: ContentRow, { change, taken }: Outcome): Promise<void> {
    let saved = false;
    try {
      this.#db.write(() => {
        // Deleted, replaced or given another address while it was fetched: then this is nobody's.
        const now = this.#store.find(row.workspace_id, row.id);
        if (!now || now.remote_url !== row.remote_url || now.sha256 !== null) return;
        const at = seconds(this.#clock);
        const changed = this.#store.note(row.id, { ...change, ...(taken && this.#intake.record(taken, at)), fetched_at: at });
        const screens = changed?.sha256 !== now.sha256 || changed?.kind !== now.kind;
        this.#db.afterCommit(() => this.#bus.emit('changed', { workspaceId: row.workspace_id, topic: 'content', ids: [row.id], screens, by: null }));
        saved = true;
      });
      await this.#db.durable();
    } catch (error) {
      saved = false;
      // A full disk, say: at once again would be for ever again.
      this.#later(row);
      this.#onError(error);
    }
    if (!taken) return;
    if (saved) taken.release();
    else this.#intake.drop(taken);
  }

  /** @throws Error whose sentence says why there is no copy */
  async #bring(row: ContentRow): Promise<Outcome> {
    const { signal } = this.#abort;
    const answer = await this.#fetch.get(row.remote_url!, { signal, silenceMs: SILENCE_MS });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new Error(`${answer.url.host} answered ${answer.status}`);
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
    const announced = Number(headers['content-length'] ?? 0) || 0;
    const limit = announced > 0 ? this.#maxBytes : Math.min(this.#maxBytes, UNANNOUNCED_BYTES);
    if (announced > limit) {
      body.destroy();
      throw new Error(`The file is larger than this server takes (${announced} bytes)`);
    }
    const writer = await this.#intake.open(announced).catch((error) => {
      body.destroy();
      throw error;
    });
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (writer.size + chunk.length > limit) throw new Error(`${url.host} sends more than this server takes (${limit} bytes)`);
        await writer.write(chunk);
      }
      if (announced > 0 && writer.size !== announced) throw new Error(`${url.host} broke off its answer`);
    } catch (error) {
      body.destroy();
      await writer.abort();
      throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? new Error(`${url.host} broke off its answer`) : error;
    }
    return this.#intake.take(writer);
  }
}

/** Of an address about which nothing was known: types that are files, or that servers give to files they don't know. */
const mayBeFile = (mime: string): boolean =>
  mime === '' ||
  mime === 'application/octet-stream' ||
  mime === 'binary/octet-stream' ||
  mime === 'application/ogg' ||
  ['image', 'video', 'audio', 'pdf'].includes(kindOfMime(mime) ?? '');
