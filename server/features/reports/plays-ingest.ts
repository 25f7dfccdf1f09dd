/**
 * Takes plays in, each exactly once, however often the network or the power fails: gathered for a moment, one
 * transaction for many devices, the sums of reports in the same one, acknowledged after the commit.
 */
import type { Play, PlaysChain } from '../../../shared/protocol/messages.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { keepSeal } from './play-seals.ts';
import { PlaySums } from './play-sums.ts';
import type { PlayingDevice, PlaysIngestStore } from './plays-ingest.store.ts';

/**
 * What arrives within this time shares a commit. Players wait 30 s for their answer; one that has been away sends
 * {@link MAX_ROWS} at once, which do not wait.
 */
const GATHER_MS = 1_000;
/** Rows of one turn of the event loop: more would hold up everything else noticeably. */
const MAX_ROWS = 500;
/** Beyond this players are not answered; they send again later. */
const MAX_WAITING_ROWS = 100_000;
const DAY_MS = 86_400_000;
/** No turn is longer (DurationSec); a longer play is a broken clock, and would ruin every sum. */
const MAX_PLAY_MS = 366 * DAY_MS;
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const CONTROL = /[\u0000-\u001f\u007f]/g;

interface Batch {
  readonly deviceId: string;
  readonly first: number;
  readonly plays: readonly Play[];
  readonly chain: PlaysChain | undefined;
  readonly done: (through: number | undefined) => void;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'activity'> {
  readonly store: PlaysIngestStore;
}

export class PlaysIngest implements Lifecycle {
  readonly name = 'plays';
  readonly #deps: Deps;
  #batches: Batch[] = [];
  #rows = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {}

  /** What is gathered is written; its senders are gone, and will find out when they come back. */
  stop(): void {
    while (this.#batches.length > 0) this.#flush();
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  /** Resolves with the journal number up to which all is on disk; undefined when it must be sent again later. */
  add(deviceId: string, first: number, plays: readonly Play[], chain?: PlaysChain): Promise<number | undefined> {
    // By a wrong clock they would be re-dated for good. The players keep them, and deliver them once it is right.
    if (this.#deps.clock.doubtful || this.#rows + plays.length > MAX_WAITING_ROWS) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.#batches.push({ deviceId, first, plays, chain, done });
      this.#rows += plays.length;
      this.#schedule();
    });
  }

  /**
   * One transaction a turn of the event loop at most, however much arrives in one: the loop stays free for everything
   * else.
   */
  #schedule(): void {
    if (this.#batches.length === 0 || this.#immediate) return;
    if (this.#rows >= MAX_ROWS) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#immediate = setImmediate(() => {
        this.#immediate = undefined;
        this.#flush();
      });
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#flush();
      }, GATHER_MS);
    }
  }

  /** Writes at most {@link MAX_ROWS} (or one message), so that the loop stays free; the rest comes in the next turn. */
  #flush(): void {
    if (this.#batches.length === 0) return;
    const taken: Batch[] = [];
    let rows = 0;
    while (this.#batches[0] && (taken.length === 0 || rows + this.#batches[0].plays.length <= MAX_ROWS)) {
      const batch = this.#batches.shift()!;
      taken.push(batch);
      rows += batch.plays.length;
    }
    this.#rows -= rows;
    try {
      if (this.#deps.clock.doubtful) throw new Error('The clock of the server jumped');
      const throughs = this.#deps.db.write(() => this.#save(taken));
      const durable = this.#deps.db.durable() ?? Promise.resolve();
      durable.then(
        () => taken.forEach((batch, i) => void batch.done(throughs[i])),
        (error: unknown) => this.#failed(taken, error),
      );
    } catch (error) {
      this.#failed(taken, error);
    }
    this.#schedule();
  }

  #failed(taken: readonly Batch[], error: unknown): void {
    this.#deps.log.warn('Plays could not be saved; the players will send them again', { error });
    for (const batch of taken) batch.done(undefined);
  }

  #save(batches: readonly Batch[]): (number | undefined)[] {
    const now = this.#deps.clock.now();
    const devices = new Map<string, PlayingDevice | undefined>();
    const sums = new PlaySums(this.#deps.store);
    const throughs = batches.map((batch) => {
      if (!devices.has(batch.deviceId)) devices.set(batch.deviceId, this.#deps.store.device(batch.deviceId));
      const device = devices.get(batch.deviceId);
      // Deleted meanwhile: nobody is left to be told.
      return device && this.#saveBatch(device, batch, sums, now);
    });
    sums.save();
    const workspaces = new Set([...devices.values()].flatMap((device) => (device ? [device.workspace_id] : [])));
    for (const workspaceId of workspaces)
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'plays', screens: false });
    return throughs;
  }

  #saveBatch(device: PlayingDevice, { first, plays, chain }: Batch, sums: PlaySums, now: number): number {
    const { store } = this.#deps;
    const last = first + plays.length - 1;
    let fresh = 0;
    for (const [i, play] of plays.entries()) {
      const { started, ended } = sane(play, now);
      const content_name = play.content_name.replace(CONTROL, ' ');
      // By its own id and not by its number: a player whose journal was lost starts to count anew, and its plays are
      // new all the same.
      const isNew = store.insert(play, { device, seq: first + i, started, ended, content_name });
      if (!isNew) continue;
      fresh++;
      sums.add(device, { content_id: play.content_id, widget_id: play.widget_id, content_name, started, ended });
    }
    if (fresh > 0) keepSeal(store, { device, first, plays, chain });
    this.#noticeGap(device, first);
    const restarted = first <= device.plays_through && fresh === plays.length;
    if (last > device.plays_through || restarted) {
      device.plays_through = last;
      store.setThrough(device.id, last);
    }
    return last;
  }

  /** The player gave rows up (its journal is bounded): the report has a hole, and somebody should know. */
  #noticeGap(device: PlayingDevice, first: number): void {
    const missing = first - device.plays_through - 1;
    if (missing <= 0 || device.plays_through === 0) return;
    this.#deps.activity.add({
      workspaceId: device.workspace_id,
      actor: null,
      action: 'device.plays_lost',
      details: `${missing} plays of ${device.name} were lost before they could be delivered`,
      deviceId: device.id,
    });
  }
}

/**
 * Whole milliseconds that a report can sum: not ended before they started, not in the days to come, not longer than any
 * turn.
 */
const sane = (play: Play, now: number): { started: number; ended: number } => {
  let started = Math.round(play.started_at);
  let ended = Math.max(started, Math.round(play.ended_at));
  if (ended - started > MAX_PLAY_MS) ended = started + MAX_PLAY_MS;
  // A clock that was ahead by days: when it was received is the best that is known.
  if (started > now + DAY_MS) [started, ended] = [now - Math.min(ended - started, DAY_MS), now];
  return { started, ended };
};
