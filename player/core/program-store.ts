/**
 * Which program plays. A new one is fetched with all its files and checked; only then does it replace the old one, by one
 * atomic write. Whatever goes wrong before that, the old one plays on.
 */

import type { Asset, Placement, Program } from '../../shared/program/program.ts';
import type { ProgramPush } from '../../shared/protocol/messages.ts';
import type { AssetCache, Needed } from './asset-cache.ts';
import { downloadDelay } from './backoff.ts';
import { type Fetching, fetchWhole } from './download.ts';
import { messageOf, ProgramInvalid } from './errors.ts';
import { type Current, type HeldProgram, type ProgramFiles, withMutes } from './held-program.ts';
import type { Crypto, Get, Log, Time, Undo } from './ports.ts';
import { Serial } from './serial.ts';

/** A year of schedules for a large store is far below 1 MB; this only bounds memory. */
const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

/** Why a job that has done its work is stopped. */
const SWITCHED = 'switched';

interface Needs {
  readonly files: ProgramFiles;
  readonly assets: AssetCache;
  readonly get: Get;
  readonly authorization: () => string | undefined;
  readonly time: Time;
  readonly crypto: Crypto;
  readonly log: Log;
  /** What is held changed: program, placement or mutes. */
  readonly changed: () => void;
  /** Said once per program and reason; trying goes on where that can help. */
  readonly failed: (failure: { id: string; reason: string; asset?: string }) => void;
  /** The program that was to play cannot be read from disk. Said at the start, when no server may be there to hear it. */
  readonly damaged: (failure: { id: string; reason: string }) => void;
}

interface Job {
  push: ProgramPush;
  readonly stop: AbortController;
  attempt: number;
  said: string | undefined;
  wake: (() => void) | undefined;
  done: Promise<void>;
}

export class ProgramStore {
  readonly #needs: Needs;
  #current: Current | undefined;
  #held: HeldProgram | undefined;
  #previous: HeldProgram | undefined;
  /** The program being fetched: its files must not be evicted by anybody. */
  #coming: HeldProgram | undefined;
  #job: Job | undefined;
  #repair: Job | undefined;
  #repairs = 0;
  /** The current document is read, changed and written; two changes at once would lose one. */
  readonly #writes = new Serial();
  /** Removal of old programs after a switch. Never rejects. */
  #tidying: Promise<void> = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /**
   * Whatever is on disk plays at once, also when a file of it is missing: the screen skips that, and it is fetched when the server is
   * back. In the place of a program that is damaged itself the one before plays.
   */
  async start(): Promise<void> {
    const { files, log, damaged } = this.#needs;
    const current = await files.current();
    if (!current) return;
    const { program_id, previous_id } = current;
    const newest = await files.find(program_id);
    const before = previous_id === null ? undefined : await files.find(previous_id);
    if (newest) {
      [this.#current, this.#held, this.#previous] = [current, newest, before];
    } else {
      damaged({ id: program_id, reason: 'the program is damaged on disk' });
      // Only in memory: what is on disk still says what was to play. Mutes are by item, and stay what somebody wanted.
      if (before) [this.#current, this.#held] = [{ ...current, program_id: before.id, previous_id: null }, before];
      log.warn(`program ${program_id.slice(0, 12)} cannot be played; ${before ? `${before.id.slice(0, 12)}, the one before, plays instead` : 'there is none before it'}`);
    }
    this.repair();
  }

  async stop(): Promise<void> {
    const ending = [end(this.#job), end(this.#repair)];
    this.#job = this.#repair = undefined;
    await Promise.all(ending);
    await this.#tidying;
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

  /** How often something the program missed was fetched again in this run. */
  get repairs(): number {
    return this.#repairs;
  }

  /** Assets of the kept programs, for eviction and for serving. */
  needed(): Needed {
    const assets = (held: HeldProgram | undefined): readonly Asset[] => held?.program.assets ?? [];
    return { playing: [...assets(this.#held), ...assets(this.#coming)], kept: assets(this.#previous) };
  }

  async push(push: ProgramPush): Promise<void> {
    if (push.id === this.id) await this.#drop();
    // Asked again: what was dropped may have been in the middle of its switch, which it then finished.
    if (push.id === this.id) return this.#place(push.placement);
    // The program waits for its files, perhaps for ever; its screen's hours do not.
    if (this.#current) await this.#place(withHoursOf(this.#current.placement, push.placement));
    if (this.#job?.push.id === push.id) {
      this.#job.push = push;
      return this.retryNow();
    }
    const superseded = this.#drop();
    this.#job = this.#begin(push, async (job) => {
      await superseded;
      await this.#fetch(job);
    });
  }

  /** The connection is back: whoever waits for the next attempt need not. */
  retryNow(): void {
    this.#job?.wake?.();
    this.#repair?.wake?.();
  }

  /** Fetches again what the playing program misses. */
  repair(): void {
    const [held, current] = [this.#held, this.#current];
    if (this.#repair || !held || !current || this.#needs.assets.missing(held.program.assets).length === 0) return;
    const push: ProgramPush = { type: 'program', id: held.id, url: '/', placement: current.placement };
    const job = this.#begin(push, async ({ stop }) => {
      await this.#needs.assets.ensure(held.program.assets, this.#fetching(stop.signal));
      this.#repairs++;
      this.#needs.changed();
    });
    this.#repair = job;
    void job.done.then(() => {
      if (this.#repair !== job) return;
      this.#repair = undefined;
      this.repair(); // a file may have been lost meanwhile
    });
  }

  async mute(change: { item_id: number; muted: boolean }): Promise<void> {
    await this.#change((current) => {
      const others = current.mutes.filter((mute) => mute.item_id !== change.item_id);
      return { ...current, mutes: [...others, { item_id: change.item_id, muted: change.muted }] };
    });
  }

  async forget(): Promise<void> {
    await this.stop();
    this.#current = this.#held = this.#previous = undefined;
    await this.#needs.files.clear();
  }

  async #place(placement: Placement): Promise<void> {
    if (JSON.stringify(placement) === JSON.stringify(this.#current?.placement)) return;
    await this.#change((current) => ({ ...current, placement }));
  }

  async #change(change: (current: Current) => Current): Promise<void> {
    await this.#writes.run(async () => {
      if (!this.#current) return;
      const current = change(this.#current);
      await this.#needs.files.switchTo(current);
      this.#current = current;
    });
    this.#needs.changed();
  }

  #drop(): Promise<void> {
    const job = this.#job;
    this.#job = undefined;
    return end(job);
  }

  /** Runs until it succeeds, is stopped, or cannot succeed. */
  #begin(push: ProgramPush, run: (job: Job) => Promise<void>): Job {
    const job: Job = { push, stop: new AbortController(), attempt: 0, said: undefined, wake: undefined, done: Promise.resolve() };
    job.done = this.#attempts(job, run);
    return job;
  }

  async #attempts(job: Job, run: (job: Job) => Promise<void>): Promise<void> {
    while (!job.stop.signal.aborted) {
      try {
        return await run(job);
      } catch (error) {
        if (job.stop.signal.reason === SWITCHED) this.#needs.log.error(`after the switch to program ${job.push.id.slice(0, 12)}`, error);
        if (job.stop.signal.aborted) return;
        this.#sayFailed(job, error);
        if ((error as { progressed?: unknown }).progressed === true) job.attempt = 0;
        if (error instanceof ProgramInvalid) break;
        await this.#pause(job);
      }
    }
    // Announced again, it is tried again.
    if (this.#job === job) this.#job = undefined;
  }

  async #fetch(job: Job): Promise<void> {
    // It removes by what is held; a program that is being put on disk, or is found there, is not yet.
    await this.#tidying;
    const fetching = this.#fetching(job.stop.signal);
    const { files, assets } = this.#needs;
    const { id } = job.push;
    const held = (await files.find(id)) ?? (await files.insert(id, await fetchWhole(job.push.url, { ...fetching, most: MAX_PROGRAM_BYTES })));
    this.#coming = held;
    try {
      await assets.ensure(held.program.assets, fetching);
      await this.#writes.run(async () => {
        if (!job.stop.signal.aborted) await this.#take(held, job);
      });
    } finally {
      this.#coming = undefined;
    }
  }

  async #take(held: HeldProgram, job: Job): Promise<void> {
    const previous = this.#held;
    const current: Current = { format: 1, program_id: held.id, previous_id: previous?.id ?? null, placement: job.push.placement, mutes: [] };
    await this.#needs.files.switchTo(current);
    [this.#current, this.#held, this.#previous] = [current, held, previous];
    this.#over(job);
    void end(this.#repair);
    this.#repair = undefined;
    this.#needs.log.info(`program ${held.id.slice(0, 12)} is complete`);
    this.#tidying = this.#tidy([held, previous]);
    this.#needs.changed();
  }

  /** The job has switched: whatever goes wrong from here on, it must not run again, when another program may be playing. */
  #over(job: Job): void {
    if (this.#job === job) this.#job = undefined;
    job.stop.abort(SWITCHED);
  }

  /** No part of any job: old programs on disk harm nobody, and those left over go with the next switch. */
  async #tidy(keep: readonly (HeldProgram | undefined)[]): Promise<void> {
    const { files, log } = this.#needs;
    await files.removeOthers(new Set(keep.flatMap((held) => held?.id ?? []))).catch((error) => log.warn('old programs could not be removed', error));
  }

  #fetching(signal: AbortSignal): Fetching {
    const { get, time, authorization } = this.#needs;
    return { get, time, authorization, signal };
  }

  #sayFailed(job: Job, error: unknown): void {
    const reason = messageOf(error);
    if (job.said === reason) return;
    job.said = reason;
    const asset = (error as { asset?: unknown }).asset;
    this.#needs.log.warn(`program ${job.push.id.slice(0, 12)} is not complete: ${reason}`);
    this.#needs.failed({ id: job.push.id, reason, ...(typeof asset === 'string' && { asset }) });
  }

  #pause(job: Job): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Undo = () => {};
      const wake = () => {
        cancel();
        job.wake = undefined;
        job.stop.signal.removeEventListener('abort', wake);
        resolve();
      };
      job.wake = wake;
      job.stop.signal.addEventListener('abort', wake);
      cancel = this.#needs.time.after(downloadDelay(job.attempt++, this.#needs.crypto.random()), wake);
    });
  }
}

const withHoursOf = ({ orientation, wall }: Placement, { timezone, hours }: Placement): Placement => ({ orientation, timezone, ...(hours && { hours }), wall });

async function end(job: Job | undefined): Promise<void> {
  job?.stop.abort();
  await job?.done;
}
