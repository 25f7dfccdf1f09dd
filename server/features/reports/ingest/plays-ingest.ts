/**
 * Saves plays exactly once, despite failures of network or power. Plays are gathered for a moment and written for many
 * devices in one transaction, together with the sums of reports. Plays are acknowledged after the commit.
 */
import { MAX_PLAYS_PER_MESSAGE, type Play, type PlaysChain } from '../../../../shared/protocol/messages.ts';
import { announce } from '../../../kernel/bus.ts';
import type { Lifecycle } from '../../../kernel/lifecycle.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { PlayNumbers, type Whose } from './play-numbers.ts';
import { storeSeal } from './play-seals.ts';
import { PlaySums } from './play-sums.ts';
import type { PlayingDevice, PlaysIngestStore } from './plays-ingest.store.ts';

/**
 * Plays that arrive within this time share a commit, so that a small fleet does not make the disk sync for every play.
 * Players wait 30 s for their answer.
 */
const GATHER_MS = 1_000;
/**
 * Number of waiting rows that are saved without further waiting. A player that was offline sends full messages, and
 * continues after each answer.
 */
const FULL_ROWS = MAX_PLAYS_PER_MESSAGE;
/** Maximum number of rows per turn of the event loop. More rows would delay other work noticeably. */
const MAX_ROWS = 1_000;
/** Maximum number of waiting rows. Above this limit players get no answer and send their rows again later. */
const MAX_WAITING_ROWS = 100_000;
const DAY_MS = 86_400_000;
/** Longest possible play (DurationSec). A longer play comes from a broken clock, and would distort every sum. */
const MAX_PLAY_MS = 366 * DAY_MS;
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Source of plays: the connection of a player. Messages of a connection are numbered in order. */
export type PlaysSource = object;

/**
 * The first message on a connection that the server did not save. The player must send this message again. Until then
 * the server saves no later message: the player would take its acknowledgement for both, delete the unsaved plays, and
 * the server would report them as lost.
 */
interface Postponed {
  readonly first: number;
  /** First number of the newest message that was refused because of the postponed message. */
  newest: number;
}

interface Batch {
  readonly source: PlaysSource;
  readonly deviceId: string;
  readonly first: number;
  readonly plays: readonly Play[];
  readonly chain: PlaysChain | undefined;
  readonly done: (through: number | undefined) => void;
}

/** Times of a play, epoch milliseconds. `isRedated`: the server corrected the player's times. */
interface Times {
  readonly started: number;
  readonly ended: number;
  readonly isRedated: boolean;
}

/** Data of one write transaction, which is dropped after it. */
interface Writing {
  readonly numbers: PlayNumbers;
  readonly sums: PlaySums;
  /** Highest id of a play so far. */
  newest: number;
  readonly now: number;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log' | 'activity'> {
  readonly store: PlaysIngestStore;
}

export class PlaysIngest implements Lifecycle {
  readonly name = 'plays';
  readonly #deps: Deps;
  #batches: Batch[] = [];
  readonly #postponed = new WeakMap<PlaysSource, Postponed>();
  #rows = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
  }

  /**
   * Saves all gathered plays and waits until they are on disk. The players are already disconnected, and get the result
   * when they reconnect.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#batches.length > 0) this.#flush();
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    await this.#deps.db.durable()?.catch(() => {});
  }

  /**
   * Resolves with the journal number through which all rows are on disk; undefined when this message, and all later
   * messages of the connection, must be sent again.
   * @param source is the connection
   */
  add(
    source: PlaysSource,
    deviceId: string,
    first: number,
    plays: readonly Play[],
    chain?: PlaysChain,
  ): Promise<number | undefined> {
    // With a wrong clock the server would store wrong times for good. Players keep the plays, and send them again once
    // the server's clock is right.
    const isRefused = this.#stopped || this.#deps.clock.doubtful;
    if (isRefused || this.#rows + plays.length > MAX_WAITING_ROWS) {
      this.#postpone(source, first);
      return Promise.resolve(undefined);
    }
    if (this.#mustWait(source, first)) return Promise.resolve(undefined);
    return new Promise((done) => {
      this.#batches.push({ source, deviceId, first, plays, chain, done });
      this.#rows += plays.length;
      this.#schedule();
    });
  }

  #postpone(source: PlaysSource, first: number): void {
    const before = this.#postponed.get(source);
    this.#postponed.set(source, {
      first: Math.min(first, before?.first ?? first),
      newest: Math.max(first, before?.newest ?? first),
    });
  }

  /** Returns whether a message must wait until the postponed message of its connection was sent again. */
  #mustWait(source: PlaysSource, first: number): boolean {
    const postponed = this.#postponed.get(source);
    if (!postponed) return false;
    if (first > postponed.newest) {
      postponed.newest = first;
      return true;
    }
    // Either the postponed message has arrived again, or a later message is sent again without it, because the player
    // gave up the older rows of its limited journal.
    this.#postponed.delete(source);
    return false;
  }

  /** Runs at most one transaction per turn of the event loop, so that other work is not delayed. */
  #schedule(): void {
    if (this.#batches.length === 0 || this.#immediate) return;
    if (this.#rows >= FULL_ROWS) {
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

  /** Writes at most {@link MAX_ROWS} rows (or one message). Further rows follow in the next turn of the event loop. */
  #flush(): void {
    if (this.#batches.length === 0) return;
    const taken: Batch[] = [];
    let rows = 0;
    while (this.#batches[0] && (taken.length === 0 || rows + this.#batches[0].plays.length <= MAX_ROWS)) {
      const batch = this.#batches.shift()!;
      rows += batch.plays.length;
      // An earlier message of the connection may have failed since this message arrived. Then this message is refused
      // too.
      if (this.#mustWait(batch.source, batch.first)) batch.done(undefined);
      else taken.push(batch);
    }
    this.#rows -= rows;
    if (taken.length === 0) return this.#schedule();
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
    for (const batch of taken) {
      this.#postpone(batch.source, batch.first);
      batch.done(undefined);
    }
  }

  #save(batches: readonly Batch[]): (number | undefined)[] {
    const now = this.#deps.clock.now();
    const devices = new Map<string, PlayingDevice | undefined>();
    const writing = {
      numbers: new PlayNumbers(this.#deps.store, now),
      sums: new PlaySums(),
      newest: this.#deps.store.newest(),
      now,
    };
    const throughs = batches.map((batch) => {
      if (!devices.has(batch.deviceId)) devices.set(batch.deviceId, this.#deps.store.device(batch.deviceId));
      const device = devices.get(batch.deviceId);
      // The device was deleted meanwhile, so no answer is needed.
      return device && this.#saveBatch(device, batch, writing);
    });
    this.#deps.store.setNewest(writing.newest);
    writing.sums.save((sum) => this.#deps.store.addToSum(sum));
    const workspaces = new Set([...devices.values()].flatMap((device) => (device ? [device.workspace_id] : [])));
    for (const workspaceId of workspaces) announce(this.#deps, { workspaceId, userId: null }, { topic: 'plays' });
    return throughs;
  }

  #saveBatch(device: PlayingDevice, { first, plays, chain }: Batch, writing: Writing): number {
    const { store } = this.#deps;
    const last = first + plays.length - 1;
    // Known plays are found by id, not by number: a player whose journal was lost starts numbering again, and its plays
    // are new.
    const known = store.known(device, first, plays);
    const times = plays.map((play) => sane(play, writing.now));
    const isFresh = plays.some(({ id }) => !known.has(id));
    const whose = isFresh ? writing.numbers.whose(device, Math.max(...times.map(({ started }) => started))) : undefined;
    let fresh = 0;
    const ids = plays.map((play, i) => {
      let id = known.get(play.id);
      if (id === undefined) {
        id = this.#savePlay(device, whose!, { play, seq: first + i, ...times[i]! }, writing);
        known.set(play.id, id);
        fresh++;
      }
      return id;
    });
    if (fresh > 0) storeSeal(store, { device, first, plays, ids, chain });
    this.#noticeGap(device, first);
    const restarted = first <= device.plays_through && fresh === plays.length;
    if (last > device.plays_through || restarted) {
      device.plays_through = last;
      store.setThrough(device.id, last);
    }
    return last;
  }

  /** Returns the id of the play. */
  #savePlay(
    { workspace_id, name }: PlayingDevice,
    whose: Whose,
    { play, seq, started, ended, isRedated }: { play: Play; seq: number } & Times,
    writing: Writing,
  ): number {
    const { numbers, sums } = writing;
    const id = ++writing.newest;
    const { content_id, widget_id, zone_id, playlist_id, item_id } = play;
    const content_name = play.content_name.replace(CONTROL, ' ');
    const named = { device_name: name, content_id, widget_id, content_name, zone_id, playlist_id, item_id };
    const { shown, turn } = numbers.shown(workspace_id, whose, named, started);
    // Also keeps the player's own times if the server has corrected them, because the hash of the player's journal
    // covers them. A player that sends fractions of a millisecond has no such hash, so rounding alone is no correction.
    const isWhole = Number.isInteger(play.started_at) && Number.isInteger(play.ended_at);
    const isBelieved = play.started_at === started && play.ended_at === ended;
    this.#deps.store.insert({
      id,
      workspace: whose.workspace,
      device: whose.device,
      shown,
      turn,
      boot: play.boot_id === undefined ? null : numbers.boot(play.boot_id),
      seq,
      started_ms: started,
      lasted_ms: ended - started,
      completed: play.completed,
      uncertainty_ms: play.uncertainty_ms ?? null,
      play_id: play.id,
      claimed: isRedated || (isWhole && !isBelieved) ? [play.started_at, play.ended_at] : null,
    });
    sums.add(whose, shown, started, ended - started);
    return id;
  }

  /** Reports lost plays: the player gave up rows of its limited journal, so reports have a gap. */
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
 * Returns times in whole milliseconds that reports can sum: the end is not before the start, nothing is in the future,
 * and the play is not longer than any play can be.
 */
const sane = (play: Play, now: number): Times => {
  const started = Math.round(play.started_at);
  const ended = Math.min(Math.max(started, Math.round(play.ended_at)), started + MAX_PLAY_MS);
  // The player's clock is days ahead, so the time of arrival is the best estimate.
  if (started > now + DAY_MS) return { started: now - Math.min(ended - started, DAY_MS), ended: now, isRedated: true };
  return { started, ended, isRedated: false };
};
