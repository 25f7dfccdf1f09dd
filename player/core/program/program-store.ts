/**
 * The program of the screen, in two values. `#wanted` is the last message of the server, complete; `#current` is the
 * program that plays. Each message replaces `#wanted` at once and nothing else does, so the newest message wins;
 * waiting work reads `#wanted` only after its wait. Settings of the screen (orientation, hours, tile, time zone) apply
 * at once. A program plays only after it and all its files were downloaded and checked. After any failure before that,
 * the old program plays on. The document on disk follows `#current`.
 */

import type { Asset, Placement, Program } from '../../../shared/program/program.ts';
import type { ProgramPush } from '../../../shared/protocol/messages.ts';
import { downloadDelay } from '../connection/backoff.ts';
import { messageOf, ProgramInvalid } from '../errors.ts';
import type { AssetCache, Needed } from '../files/asset-cache.ts';
import { type Fetching, fetchWhole } from '../files/download.ts';
import type { Get, Host, Undo } from '../ports.ts';
import { Serial } from '../serial.ts';
import { type Current, type ProgramFiles, type StoredProgram, withMutes } from './stored-program.ts';

/** Memory limit. A year of schedules for a large store is far below 1 MB. */
const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

type Mute = Current['mutes'][number];

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly files: ProgramFiles;
  readonly assets: AssetCache;
  readonly get: Get;
  readonly authorization: () => string | undefined;
  /** Called when the program, the placement or the mutes changed, or were written to disk. */
  readonly changed: () => void;
  /** Called once per program and reason. The download is retried if a retry can help. */
  readonly failed: (failure: { id: string; reason: string; asset?: string }) => void;
  /**
   * Called when the current program cannot be read from disk. This happens at the start, when there may be no
   * connection to a server.
   */
  readonly damaged: (failure: { id: string; reason: string }) => void;
}

interface Job {
  readonly id: string;
  readonly stop: AbortController;
  attempt: number;
  said: string | undefined;
  wake: (() => void) | undefined;
  done: Promise<void>;
}

export class ProgramStore {
  readonly #deps: Deps;
  /** The last program message of the server since the player started; undefined: none yet. */
  #wanted: ProgramPush | undefined;
  /** A program text that arrived before the message that refers to it. */
  #offered: { readonly id: string; readonly body: string } | undefined;
  /** Mute changes since the wanted program was announced. The program itself contains earlier changes. */
  #mutes: readonly Mute[] = [];
  #current: Current | undefined;
  #held: StoredProgram | undefined;
  #previous: StoredProgram | undefined;
  /** The program being downloaded. Its files must not be evicted. */
  #coming: StoredProgram | undefined;
  #job: Job | undefined;
  #repair: Job | undefined;
  #repairs = 0;
  /** Runs reads and writes of programs one at a time: a removal must not overlap with a lookup of the same program. */
  readonly #disk = new Serial();
  /** The version of `#current` that is stored on disk. */
  #saved: Current | undefined;
  /** Number of consecutive refused writes. */
  #refused = 0;
  #cancelSave: Undo | undefined;
  /** Whether old programs have to be removed. */
  #untidy = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Plays the program on disk at once, even if a file is missing: the screen skips the item, and the file is downloaded
   * when the server is back. If the program is damaged, the previous program plays; if that is unknown, the newest
   * undamaged program.
   */
  async start(): Promise<void> {
    const { files, damaged } = this.#deps;
    const current = await files.current();
    const newest = current && (await files.find(current.program_id));
    const before = current?.previous_id ? await files.find(current.previous_id) : undefined;
    if (current && newest) {
      [this.#current, this.#saved, this.#held, this.#previous] = [current, current, newest, before];
    } else {
      if (current) damaged({ id: current.program_id, reason: 'the program is damaged on disk' });
      await this.#playInstead(current, before ?? (await files.newest()));
    }
    this.repair();
  }

  async stop(): Promise<void> {
    const ending = [end(this.#job), end(this.#repair)];
    this.#job = this.#repair = undefined;
    await Promise.all(ending);
    await this.#disk.run(async () => {});
    this.#cancelSave?.();
  }

  get id(): string | null {
    return this.#current?.program_id ?? null;
  }

  get program(): Program | null {
    return this.#held && this.#current ? withMutes(this.#held.program, this.#current.mutes) : null;
  }

  get placement(): Placement | null {
    return this.#current?.placement ?? null;
  }

  /** Id that the server gave to the placement; null: none. */
  get placementId(): string | null {
    return this.#current?.placement_id ?? null;
  }

  /** Whether the wanted program plays and is on the disk, or the disk refuses it. */
  get settled(): boolean {
    const isWanted = !this.#wanted || this.#wanted.id === this.id;
    return isWanted && (this.#current === this.#saved || this.#refused > 0);
  }

  /** Number of missing files that were downloaded again since the player started. */
  get repairs(): number {
    return this.#repairs;
  }

  /**
   * Returns the files that must not be evicted (`playing`: of the current and the incoming program), and the files that
   * are evicted last (`kept`: of the previous program).
   */
  needed(): Needed {
    const assets = (held: StoredProgram | undefined): readonly Asset[] => held?.program.assets ?? [];
    return { playing: [...assets(this.#held), ...assets(this.#coming)], kept: assets(this.#previous) };
  }

  /** Accepts the text of a program that a later message will refer to. */
  offer(offered: { readonly id: string; readonly body: string }): void {
    this.#offered = offered;
  }

  /** Accepts a message of the server. The program includes all earlier mute changes. */
  push(push: ProgramPush): void {
    this.#wanted = push;
    this.#mutes = [];
    const current = this.#current;
    if (current)
      this.#set({ ...current, ...placeOf(push), mutes: push.id === current.program_id ? [] : current.mutes });
    if (this.#offered?.id !== push.id || push.id === this.id) this.#offered = undefined;
    this.#follow(push.id);
  }

  mute({ item_id, muted }: Mute): void {
    const with_ = (mutes: readonly Mute[]): Mute[] => [
      ...mutes.filter((other) => other.item_id !== item_id),
      { item_id, muted },
    ];
    this.#mutes = with_(this.#mutes);
    if (this.#current) this.#set({ ...this.#current, mutes: with_(this.#current.mutes) });
  }

  /** Makes downloads that wait for a retry start at once, because the connection is back. */
  retryNow(): void {
    this.#job?.wake?.();
    this.#repair?.wake?.();
  }

  /** Downloads missing files of the current program. */
  repair(): void {
    const held = this.#held;
    if (this.#repair || !held || this.#deps.assets.missing(held.program.assets).length === 0) return;
    const job = this.#begin(held.id, async ({ stop }) => {
      await this.#deps.assets.ensure(held.program.assets, this.#fetching(stop.signal));
      this.#repairs++;
      this.#tell();
    });
    this.#repair = job;
    void job.done.then(() => {
      if (this.#repair !== job) return;
      this.#repair = undefined;
      this.repair(); // a file may have been lost in the meantime
    });
  }

  async forget(): Promise<void> {
    await this.stop();
    this.#wanted = this.#offered = this.#current = this.#saved = this.#held = this.#previous = undefined;
    this.#refused = 0;
    await this.#disk.run(() => this.#deps.files.clear());
  }

  /** Plays another program in place of a lost program. Muted items stay muted, because muting belongs to items. */
  async #playInstead(lost: Current | undefined, other: StoredProgram | undefined): Promise<void> {
    const { files, log } = this.#deps;
    if (lost)
      log.warn(
        `program ${short(lost.program_id)} cannot be played; ${other ? `${short(other.id)} plays instead` : 'there is no other'}`,
      );
    if (!other) return;
    const placement = lost?.placement ?? (await files.placement());
    this.#held = other;
    this.#current = {
      format: 1,
      program_id: other.id,
      previous_id: null,
      placement,
      placement_id: lost?.placement_id ?? null,
      mutes: lost?.mutes ?? [],
    };
    // The document on disk stays as it is and still names the damaged program.
    if (lost) this.#saved = this.#current;
    else {
      log.warn(`what was to play is not known any more: ${short(other.id)}, the newest program on disk, plays`);
      this.#save();
    }
  }

  /** Sets the current program. No other code changes `#current`. */
  #set(current: Current): void {
    if (JSON.stringify(current) === JSON.stringify(this.#current)) return;
    this.#current = current;
    this.#save();
    this.#tell();
  }

  /** Saves the newest value. Intermediate values are skipped. */
  #save(): void {
    void this.#disk.run(async () => {
      const { files, time, crypto, log } = this.#deps;
      const current = this.#current;
      if (!current || current === this.#saved) return;
      try {
        await files.switchTo(current);
        [this.#saved, this.#refused] = [current, 0];
        if (this.#untidy) await this.#tidy();
      } catch (error) {
        if (this.#refused === 0)
          log.error('what is shown cannot be saved: it is shown all the same, and saved once the disk takes it', error);
        this.#cancelSave?.();
        this.#cancelSave = time.after(downloadDelay(this.#refused++, crypto.random()), () => this.#save());
      }
      this.#tell();
    });
  }

  /** A listener that throws must not stop the caller. */
  #tell(): void {
    try {
      this.#deps.changed();
    } catch (error) {
      this.#deps.log.error('what is shown has changed, and not everybody could be told', error);
    }
  }

  /** Downloads the wanted program unless it plays already. */
  #follow(id: string): void {
    if (id === this.id) return void this.#drop();
    if (this.#job?.id === id) return this.retryNow();
    const superseded = this.#drop();
    this.#job = this.#begin(id, async (job) => {
      await superseded;
      await this.#fetch(job);
    });
  }

  #drop(): Promise<void> {
    const job = this.#job;
    this.#job = undefined;
    return end(job);
  }

  /** Tries until success, until a stop, or until a failure that a retry cannot help. */
  #begin(id: string, run: (job: Job) => Promise<void>): Job {
    const job: Job = {
      id,
      stop: new AbortController(),
      attempt: 0,
      said: undefined,
      wake: undefined,
      done: Promise.resolve(),
    };
    job.done = this.#attempts(job, run);
    return job;
  }

  async #attempts(job: Job, run: (job: Job) => Promise<void>): Promise<void> {
    while (!job.stop.signal.aborted) {
      try {
        return await run(job);
      } catch (error) {
        if (job.stop.signal.aborted) return;
        this.#sayFailed(job, error);
        if ((error as { progressed?: unknown }).progressed === true) job.attempt = 0;
        if (error instanceof ProgramInvalid) break;
        await this.#pause(job);
      }
    }
    // If the server has announced the program again, a new attempt starts.
    if (this.#job === job) this.#job = undefined;
  }

  async #fetch(job: Job): Promise<void> {
    const fetching = this.#fetching(job.stop.signal);
    const { files, assets } = this.#deps;
    const offered = this.#accept(job.id);
    const held = (await this.#disk.run(() => files.find(job.id))) ?? (await this.#download(job, fetching, offered));
    job.stop.signal.throwIfAborted();
    this.#coming = held;
    try {
      await assets.ensure(held.program.assets, fetching);
      if (!job.stop.signal.aborted) this.#take(held);
    } finally {
      this.#coming = undefined;
    }
  }

  #accept(id: string): string | undefined {
    const offered = this.#offered;
    if (offered?.id !== id) return undefined;
    this.#offered = undefined;
    return offered.body;
  }

  /** @param offered text of the program, ignored if its hash differs */
  async #download({ id }: Job, fetching: Fetching, offered: string | undefined): Promise<StoredProgram> {
    const { files, crypto } = this.#deps;
    const text =
      offered !== undefined && crypto.sha256(offered) === id
        ? offered
        : new TextDecoder().decode(await fetchWhole(this.#wanted!.url, { ...fetching, most: MAX_PROGRAM_BYTES }));
    return this.#disk.run(() => files.insert(id, text));
  }

  /**
   * Switches to the program synchronously, so that every earlier message is included and every later message finds the
   * switch complete.
   */
  #take(held: StoredProgram): void {
    void end(this.#repair);
    [this.#previous, this.#held] = [this.#held, held];
    this.#untidy = true;
    this.#deps.log.info(`program ${short(held.id)} is complete`);
    this.#set({
      format: 1,
      program_id: held.id,
      previous_id: this.#previous?.id ?? null,
      ...placeOf(this.#wanted!),
      mutes: [...this.#mutes],
    });
  }

  /**
   * Removes old programs. Files that remain are harmless and are removed with the next switch. The wanted program
   * stays, because it may be partly stored.
   */
  async #tidy(): Promise<void> {
    const { files, log } = this.#deps;
    const isKept = (id: string) => [this.#held?.id, this.#previous?.id, this.#wanted?.id].includes(id);
    this.#untidy = false;
    await files.removeOthers(isKept).catch((error) => log.warn('old programs could not be removed', error));
  }

  #fetching(signal: AbortSignal): Fetching {
    const { get, time, authorization } = this.#deps;
    return { get, time, authorization, signal };
  }

  #sayFailed(job: Job, error: unknown): void {
    const reason = messageOf(error);
    if (job.said === reason) return;
    job.said = reason;
    const asset = (error as { asset?: unknown }).asset;
    this.#deps.log.warn(`program ${short(job.id)} is not complete: ${reason}`);
    this.#deps.failed({ id: job.id, reason, ...(typeof asset === 'string' && { asset }) });
  }

  #pause(job: Job): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Undo = () => {};
      const wake = () => {
        cancel();
        job.stop.signal.removeEventListener('abort', wake);
        resolve();
      };
      job.wake = wake;
      job.stop.signal.addEventListener('abort', wake);
      cancel = this.#deps.time.after(downloadDelay(job.attempt++, this.#deps.crypto.random()), wake);
    });
  }
}

const placeOf = ({ placement, placement_id }: ProgramPush): Pick<Current, 'placement' | 'placement_id'> => ({
  placement,
  placement_id: placement_id ?? null,
});
const short = (id: string): string => id.slice(0, 12);

async function end(job: Job | undefined): Promise<void> {
  job?.stop.abort();
  await job?.done;
}
