/**
 * Records the planned programs: for each screen, connected or not, the program and the time span. Each program is
 * stored once. Changes are written shortly after the screens were notified, in slices, so that neither a publish nor
 * other work waits. Changes lost in a crash are found at the next start by comparing the current programs with the last
 * written ones. While the clock is untrusted nothing is written; changes are dated by their age once the time is known.
 */
import { hash } from 'node:crypto';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { archivedOf } from './program-archive.ts';
import type { Beginning, ProgramHistoryStore } from './program-history.store.ts';
import type { ProgramChange, Programs } from './programs.ts';

/** Time in milliseconds without an edit before changes are written, because edits usually come in groups. */
const QUIET_MS = 1_000;
const MOST_MS = 5_000;
/** Delay in milliseconds after the start of the server, when other parts have more urgent work. */
const FIRST_MS = 3_000;
/** Interval in milliseconds of retries while the clock is untrusted or the disk is full. */
const AGAIN_MS = 10_000;
/**
 * Number of devices that are compared and written per turn of the event loop. They take two or three milliseconds.
 */
const SLICE = 250;
const PAUSE_MS = 40;
interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'log'> {
  readonly store: ProgramHistoryStore;
  readonly programs: Pick<Programs, 'planned' | 'onMaybeChanged'>;
}

/** A device whose program has changed, with the facts to write. */
interface Found {
  readonly id: string;
  /** Time of the change in monotonic milliseconds. */
  readonly at: number;
  readonly planned: NonNullable<ReturnType<Programs['planned']>>;
  /** Hash of the program in the archive. */
  readonly name: string;
}

export class ProgramHistory implements Lifecycle {
  readonly name = 'program history';
  readonly #deps: Deps;
  /** Program and time zone of the newest span of each device. */
  readonly #known = new Map<string, string>();
  /** Devices whose program may have changed, with the monotonic time of the change. */
  #waiting = new Map<string, number>();
  /** Workspaces in which any program may have changed, with the monotonic time of the change. */
  #workspaces = new Map<string, number>();
  /**
   * Monotonic time since which programs are known; undefined after this time has been stored.
   */
  #startedAt: number | undefined;
  #firstAt = 0;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = true;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.programs.onMaybeChanged((change) => this.#note(change));
  }

  start(): void {
    const { bus, mono } = this.#deps;
    this.#isStopped = false;
    this.#startedAt = mono();
    this.#undo = [
      bus.on('deviceRemoved', ({ deviceId }) => this.#note({ deviceIds: [deviceId] })),
      bus.on('workspaceGone', () => this.#known.clear()),
    ];
    this.#later(FIRST_MS);
  }

  /** Writes pending changes. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    if (this.#waiting.size + this.#workspaces.size > 0) await this.write();
  }

  /** Writes changes. Resolves when they are on disk or will be retried. Never rejects. */
  write(): Promise<void> {
    this.#running ??= this.#write()
      .then(() => QUIET_MS)
      .catch((error: unknown) => {
        this.#deps.log.warn('What screens are to show could not be written down', { error });
        return AGAIN_MS;
      })
      .then((ms) => {
        this.#running = undefined;
        if (this.#isWaiting) this.#later(ms);
      });
    return this.#running;
  }

  get #isWaiting(): boolean {
    return this.#waiting.size + this.#workspaces.size > 0 || this.#startedAt !== undefined;
  }

  #note(change: ProgramChange): void {
    if (this.#isStopped) return;
    const now = this.#deps.mono();
    if ('workspaceId' in change) this.#workspaces.set(change.workspaceId, now);
    else for (const id of change.deviceIds) this.#waiting.set(id, now);
    if (this.#waiting.size + this.#workspaces.size === 0) return;
    if (this.#timer === undefined) this.#firstAt = now;
    this.#lastAt = now;
    this.#later(QUIET_MS);
  }

  #later(ms: number): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = this.#deps.mono();
      const left = Math.min(this.#lastAt + QUIET_MS, this.#firstAt + MOST_MS) - now;
      if (left > 0) this.#later(left);
      else void this.write();
    }, ms).unref();
  }

  async #write(): Promise<void> {
    const { clock, mono, store, db } = this.#deps;
    if (clock.doubtful) return;
    // All changes of this write are converted with the same difference between both clocks, so that changes of the same
    // moment get the same date.
    const zero = clock.now() - mono();
    const due = this.#due();
    if (this.#startedAt !== undefined) {
      const from = Math.round(zero + this.#startedAt);
      db.write(() => store.beginAt(from));
    }
    this.#startedAt = undefined;
    const ids = [...due.keys()];
    for (let first = 0; first < ids.length; first += SLICE) {
      const some = ids.slice(first, first + SLICE);
      try {
        await this.#slice(some, due, zero);
      } catch (error) {
        for (const id of ids.slice(first)) {
          this.#known.delete(id);
          if (!this.#waiting.has(id)) this.#waiting.set(id, due.get(id)!);
        }
        throw error;
      }
      if (!this.#isStopped) await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }

  #due(): Map<string, number> {
    const { store } = this.#deps;
    const due = new Map<string, number>();
    const add = (ids: readonly string[], at: number) => {
      for (const id of ids) due.set(id, at);
    };
    if (this.#startedAt !== undefined) add(store.everyDevice(), this.#startedAt);
    for (const [id, at] of this.#workspaces) add(store.devices(id), at);
    for (const [id, at] of this.#waiting) due.set(id, Math.max(at, due.get(id) ?? at));
    this.#workspaces = new Map();
    this.#waiting = new Map();
    return due;
  }

  async #slice(ids: readonly string[], due: ReadonlyMap<string, number>, zero: number): Promise<void> {
    const { db, store, programs, clock } = this.#deps;
    for (const { device_id, sha256, timezone } of store.lasting(ids.filter((id) => !this.#known.has(id))))
      this.#known.set(device_id, keyOf(sha256, timezone));
    const changed: Found[] = [];
    const gone: string[] = [];
    for (const id of ids) {
      const planned = programs.planned(id);
      if (!planned) gone.push(id);
      else {
        const name = nameOf(planned);
        if (this.#known.get(id) !== keyOf(name, planned.timezone))
          changed.push({ id, at: due.get(id)!, planned, name });
      }
    }
    if (changed.length + gone.length === 0) return;
    const bodies = await this.#bodies(changed);
    // If the clock has become untrusted meanwhile, the write is retried when the clock is trusted again.
    if (clock.doubtful) throw new Error('The clock of the server jumped');
    db.write(() => {
      for (const [at, devices] of Map.groupBy(gone, (id) => due.get(id)!)) store.end(devices, Math.round(zero + at));
      for (const alike of Map.groupBy(
        changed,
        ({ at, name, planned }) => `${at} ${keyOf(name, planned.timezone)}`,
      ).values())
        this.#begin(alike, bodies, zero);
    });
    await db.durable();
    for (const id of gone) this.#known.delete(id);
    for (const { id, name, planned } of changed) this.#known.set(id, keyOf(name, planned.timezone));
  }

  /** Returns the bytes of programs that are not in the archive yet. */
  async #bodies(changed: readonly Found[]): Promise<Map<string, Buffer>> {
    const bodies = new Map<string, Buffer>();
    for (const { name, planned } of changed) {
      if (bodies.has(name) || this.#deps.store.archived(name) !== undefined) continue;
      bodies.set(name, await archivedOf(planned.bytes, planned.hours));
    }
    return bodies;
  }

  #begin(alike: readonly Found[], bodies: ReadonlyMap<string, Buffer>, zero: number): void {
    const { store } = this.#deps;
    const [{ at, name, planned }] = alike as [Found];
    const since = Math.round(zero + at);
    const program = store.archived(name) ?? store.archive(name, bodies.get(name)!, Math.floor(since / 1000));
    const devices = alike.map(({ id, planned: { workspaceId } }) => ({ id, workspaceId }));
    store.end(
      devices.map(({ id }) => id),
      since,
    );
    store.begin({ devices, program, timezone: planned.timezone, since } satisfies Beginning);
  }
}

const keyOf = (name: string, timezone: string): string => `${name} ${timezone}`;
const nameOf = ({ id, hours }: Found['planned']): string =>
  hours.length === 0 ? id : hash('sha256', `${id} ${JSON.stringify(hours)}`);
