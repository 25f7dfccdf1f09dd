/**
 * Connection of one workspace to its headquarters while the server runs: sends presence, asks headquarters which plays
 * it has, and sends the missing plays. Loaded only if the workspace has a headquarters. Failures here never affect
 * screens.
 */

import type { Readiness, SignedDesired } from '../../../shared/chain/campaign.ts';
import type { Cursor } from '../../../shared/chain/cursor.ts';
import { MAX_SEGMENT_PLAYS } from '../../../shared/chain/segment.ts';
import { type AnswerOf, PRESENCE_MS, type Presence, SEGMENT_MS } from '../../../shared/chain/wire.ts';
import type { ChainLink as LinkView } from '../../../shared/contract/headquarters/chain.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { DesiredState } from '../campaigns/desired-state.ts';
import type { Fetcher, Limits } from '../campaigns/fetcher.ts';
import type { Campaigns } from '../campaigns/progress.ts';
import type { SoftwareCommands } from '../commands/software-commands.ts';
import type { ChainStore } from '../membership/chain.store.ts';
import type { Incidents } from '../membership/incidents.ts';
import { type Connection, ConnectionDown, RequestRefused, Unproved } from './connection.ts';
import { createRequestAnswerer, type Doings } from './requests.ts';
import type { SegmentSender } from './segment-sender.ts';
import { createStagger } from './stagger.ts';
import type { TunnelServer } from './tunnel-server.ts';

/**
 * Pause in milliseconds after a failure. Doubled with each further failure, and random so that thousands of stores do
 * not retry at once.
 */
const RETRY_MS = { least: 5_000, most: 300_000 };
/**
 * Interval in milliseconds at which the link asks headquarters for its cursors even when no play waits, because
 * headquarters may have been restored.
 */
const THROUGH_MS = 60_000;
/**
 * Difference in milliseconds between the clocks of store and headquarters above which the store reports an incident.
 * Headquarters also shows smaller differences.
 */
const CLOCK_MS = 300_000;
const MAX_TOLD = 50;

type Heard = Pick<AnswerOf<'presence'>, 'name' | 'headquarters' | 'seal_key'> & {
  readonly incidents: readonly string[];
};

interface Deps extends Pick<Parts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly store: ChainStore;
  readonly incidents: Incidents;
  readonly segmentSender: SegmentSender;
  readonly connection: Connection;
  readonly workspaceId: string;
  /** Handlers for the requests of headquarters, except `rewind` and `desired`, which the link handles itself. */
  readonly doings: Omit<Doings, 'rewind' | 'desired'>;
  /** The campaigns that headquarters wants in this store. */
  readonly desired: Pick<DesiredState, 'rev' | 'accept'>;
  readonly fetcher: Pick<Fetcher, 'start' | 'stop' | 'hurry' | 'limit'>;
  readonly campaigns: Pick<Campaigns, 'start' | 'stop' | 'hurry' | 'readiness'>;
  /** Update orders for this server, and the fetcher of their files. */
  readonly software: {
    readonly orders: Pick<SoftwareCommands, 'start' | 'stop' | 'report'>;
    readonly fetcher: Pick<Fetcher, 'start' | 'stop' | 'hurry' | 'limit'>;
  };
  /** Connections through which visitors from headquarters reach this server. */
  readonly tunnels: Pick<TunnelServer, 'close'>;
  /** State of the store for the presence message, without the fields that the link itself adds. */
  readonly presence: () => Promise<
    Omit<Presence, 'waiting' | 'incidents' | 'clock_ms' | 'desired_rev' | 'campaigns' | 'update'>
  >;
  /** Called when the state of the link that the admin window shows has changed. */
  readonly changed: () => void;
}

export class ChainLink implements Lifecycle {
  readonly name = 'chain link';
  readonly #deps: Deps;
  #stopped = false;
  #running: Promise<unknown> | undefined;
  #wake = () => {};
  /** Ends the pause of `#listen`. */
  #hark = () => {};
  #state: LinkView['line'] = 'starting';
  #trouble: string | null = null;
  #heardAt: number | null = null;
  #delivered = 0;
  #failures = 0;
  /** Times of the next actions of each kind, on the monotonic clock. */
  #due = { through: 0, presence: 0, segment: 0 };
  /**
   * Reacts to a new desired state after the delay that headquarters assigned: fetches what the state needs, and
   * reports the progress to headquarters.
   */
  readonly #moment = createStagger(() => {
    if (this.#stopped) return;
    this.hurryCampaigns();
    this.#due.presence = 0;
    this.#wake();
  });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
    this.#deps.fetcher.start();
    this.#deps.campaigns.start();
    this.#deps.software.orders.start();
    this.#deps.software.fetcher.start();
    this.#running = Promise.all([this.#run(), this.#listen()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#moment.cancel();
    this.#wake();
    this.#hark();
    this.#deps.connection.close();
    this.#deps.tunnels.close();
    const { campaigns, fetcher, software } = this.#deps;
    await Promise.all([this.#running, campaigns.stop(), fetcher.stop(), software.fetcher.stop()]);
    await software.orders.stop();
  }

  /** Sends everything that waits now, without waiting for the next interval. */
  hurry(): void {
    this.#due = { through: 0, presence: 0, segment: 0 };
    this.#failures = 0;
    this.#wake();
    this.#hark();
    this.hurryCampaigns();
  }

  /** Sends presence now, because the state of the store has changed. */
  sendPresence(): void {
    this.#due.presence = 0;
    this.#wake();
  }

  /** Sets the rate limit and the allowed hours for downloads. */
  limit(limits: Limits): void {
    this.#deps.fetcher.limit(limits);
    this.#deps.software.fetcher.limit(limits);
  }

  /** Notifies headquarters that the store leaves, if headquarters answers. */
  async leave(): Promise<void> {
    await this.#deps.connection.request('leave', {});
  }

  get readiness(): readonly Readiness[] {
    return this.#deps.campaigns.readiness;
  }

  get view(): Pick<LinkView, 'line' | 'trouble' | 'heard_at' | 'waiting' | 'delivered'> {
    return {
      line: this.#state,
      trouble: this.#trouble,
      heard_at: this.#heardAt,
      waiting: this.#deps.segmentSender.waiting,
      delivered: this.#delivered,
    };
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      let pause: number;
      try {
        pause = await this.#turn();
        this.#failures = 0;
      } catch (error) {
        if (this.#stopped) return;
        pause = this.#failed(error);
      }
      // Checks again whether `stop()` has run meanwhile, because nothing would then end the following pause.
      if (this.#stopped) return;
      await sleep(pause, (wake) => (this.#wake = wake));
    }
  }

  /**
   * Receives requests of headquarters. Errors of the connection are not reported here, because sending reports them as
   * well.
   */
  async #listen(): Promise<void> {
    const { connection, doings, log } = this.#deps;
    const told = createRequestAnswerer({
      doings: {
        ...doings,
        rewind: () => this.#rewind(),
        desired: async (signed, after_ms) => {
          if (this.#deps.desired.accept(signed)) this.#moment.give(after_ms);
          return {};
        },
      },
      answer: (answer) => connection.request('answer', answer),
      failed: (verb, error) => this.#stopped || log.warn('What headquarters asked for was not done', { verb, error }),
    });
    for (let failures = 0; !this.#stopped; failures++) {
      const resetFailures = () => {
        failures = 0;
      };
      await connection
        .listen((line) => void told(line), resetFailures)
        .catch((error: unknown) => {
          if (!this.#stopped) log.debug('Headquarters is not heard', { reason: (error as Error).message });
        });
      if (this.#stopped) return;
      await sleep(pauseAfter(failures), (wake) => (this.#hark = wake));
    }
  }

  async #rewind(): Promise<Record<string, never>> {
    this.#due.through = 0;
    this.#wake();
    return {};
  }

  /** Runs all actions that are due. Returns the milliseconds until the next action. */
  async #turn(): Promise<number> {
    const { mono } = this.#deps;
    if (mono() >= this.#due.through) {
      await this.#askThrough();
      this.#due.through = mono() + THROUGH_MS;
    }
    if (mono() >= this.#due.presence) {
      // The time is set before sending, so that a change during the request causes another presence.
      this.#due.presence = mono() + PRESENCE_MS;
      const isNew = await this.#tell().catch((error: unknown) => {
        this.#due.presence = 0;
        throw error;
      });
      // Reports the progress with the new desired state to headquarters at once.
      if (isNew) this.#due.presence = 0;
    }
    const { waiting } = this.#deps.segmentSender;
    if (waiting > 0 && (mono() >= this.#due.segment || waiting >= MAX_SEGMENT_PLAYS)) {
      const hasMore = await this.#send();
      if (hasMore) return 0;
      this.#due.segment = mono() + SEGMENT_MS;
    }
    const next = Math.min(this.#due.through, this.#due.presence, this.#due.segment);
    return Math.max(1_000, next - mono());
  }

  async #askThrough(): Promise<void> {
    const { connection, segmentSender, clock } = this.#deps;
    const ask = async () => (await connection.request('through', { epochs: segmentSender.epochs })).cursors;
    const cursors = await ask();
    this.#isUp();
    const fork = await segmentSender.forked(cursors);
    if (!fork) return segmentSender.storeCursors(cursors);
    this.#parted(fork.from);
    segmentSender.part(fork.from, Math.floor(clock.now() / 1000));
    segmentSender.storeCursors(await ask());
  }

  #parted(from: number): void {
    const { incidents, workspaceId } = this.#deps;
    incidents.add(
      workspaceId,
      'forked',
      `Headquarters has other plays than this server for the numbers from ${from}: a copy of this server was running, or its disk was restored to an earlier state. The plays of both sides are kept, each play once.`,
    );
  }

  /** Returns the presence message for headquarters. */
  async presenceMessage(): Promise<Presence> {
    const { segmentSender, store, workspaceId, clock, presence, desired, campaigns, software } = this.#deps;
    const untold = store.untold(workspaceId, MAX_TOLD);
    return {
      ...(await presence()),
      desired_rev: desired.rev,
      campaigns: [...campaigns.readiness],
      update: software.orders.report,
      clock_ms: clock.now(),
      waiting: segmentSender.waiting,
      incidents: untold.map(({ id, kind, details, at }) => ({ id, kind, details: details.slice(0, 500), at })),
    };
  }

  /** Sends presence. Returns whether headquarters has a newer desired state. */
  async #tell(): Promise<boolean> {
    const { connection, workspaceId, clock, incidents, desired } = this.#deps;
    const presenceMessage = await this.presenceMessage();
    const { clock_ms, desired_rev, ...names } = await connection.request('presence', presenceMessage);
    const answered = clock.now();
    this.#isUp();
    const apart =
      Math.abs((presenceMessage.clock_ms + answered) / 2 - clock_ms) - (answered - presenceMessage.clock_ms) / 2;
    if (apart > CLOCK_MS)
      incidents.add(
        workspaceId,
        'clock_apart',
        `The clocks of this server and of headquarters differ by ${minutesOf(apart)}. Check which clock is wrong.`,
      );
    const isNew = desired_rev !== undefined && desired_rev > desired.rev && (await this.#askDesired());
    this.receiveAnswer({ ...names, incidents: presenceMessage.incidents.map(({ id }) => id) });
    return isNew;
  }

  /** Stores the names from headquarters, and marks the incidents that headquarters has received. */
  receiveAnswer({ name, headquarters, seal_key, incidents }: Heard): void {
    const { db, store, workspaceId, changed } = this.#deps;
    const link = store.find(workspaceId);
    const named = { name, headquarters, seal_key: seal_key ?? link?.seal_key ?? null };
    const isRenamed =
      link !== undefined &&
      (link.name !== name || link.headquarters !== headquarters || link.seal_key !== named.seal_key);
    if (incidents.length === 0 && !isRenamed) return;
    db.write(() => {
      store.setTold(incidents);
      if (isRenamed) store.setNames(workspaceId, named);
    });
    if (isRenamed) changed();
  }

  /** Applies cursors from a transfer file. Needed when the network connection to headquarters is down. */
  async carried(cursors: readonly Cursor[]): Promise<void> {
    const { segmentSender, clock, changed } = this.#deps;
    const fork = await segmentSender.forked(cursors);
    if (fork) {
      this.#parted(fork.from);
      segmentSender.part(fork.from, Math.floor(clock.now() / 1000));
    }
    segmentSender.storeCursors(cursors);
    changed();
  }

  /** Last answer from headquarters, epoch seconds; null: none since the start. */
  get answeredAt(): number | null {
    return this.#heardAt;
  }

  async #askDesired(): Promise<boolean> {
    const { connection, desired } = this.#deps;
    const { rev } = desired;
    const answer = await connection.request('desired', { rev });
    return answer.desired !== null && this.#takes(answer.desired, rev);
  }

  /** @param asked revision at the time of the request */
  #takes(signed: SignedDesired, asked: number): boolean {
    const isNew = this.#deps.desired.accept(signed, asked);
    if (isNew) this.hurryCampaigns();
    return isNew;
  }

  /** Starts downloads and campaigns now, because the files that they need may have arrived. */
  hurryCampaigns(): void {
    this.#deps.fetcher.hurry();
    this.#deps.campaigns.hurry();
  }

  /** Sends one segment. Returns whether more should be sent at once. */
  async #send(): Promise<boolean> {
    const { segmentSender, connection } = this.#deps;
    const segment = await segmentSender.next();
    if (!segment) return false;
    const { verdict, through, head } = await connection.send(segment.file);
    this.#isUp();
    const { epoch } = segment.end;
    if (verdict === 'taken') this.#delivered += segment.plays;
    // If the cursor of headquarters differs from the expected cursor, the link asks for all cursors and compares them
    // before it sends more.
    if (verdict === 'taken' && through === segment.end.through) segmentSender.storeCursors([{ epoch, through, head }]);
    else this.#due.through = 0;
    this.#deps.changed();
    return verdict !== 'taken' || segmentSender.waiting >= MAX_SEGMENT_PLAYS || segment.plays === 0;
  }

  #isUp(): void {
    this.#heardAt = Math.floor(this.#deps.clock.now() / 1000);
    if (this.#state === 'up' && this.#trouble === null) return;
    if (this.#state !== 'up') {
      this.#deps.fetcher.hurry();
      this.#deps.software.fetcher.hurry();
    }
    this.#state = 'up';
    this.#trouble = null;
    this.#deps.changed();
  }

  /** Stores the reason of a failure, which the admin window shows. Returns the pause in milliseconds. */
  #failed(error: unknown): number {
    const { incidents, workspaceId, log } = this.#deps;
    const isKnown = error instanceof ConnectionDown || error instanceof RequestRefused || error instanceof Unproved;
    const sentence = isKnown
      ? error.message
      : 'This server could not prepare plays for headquarters. The server tries again automatically.';
    if (!isKnown) log.warn('The link with headquarters failed', { error });
    if (error instanceof Unproved) incidents.add(workspaceId, 'headquarters_unproved', sentence);
    if (error instanceof RequestRefused) {
      // Headquarters has other plays under these numbers. The next attempt compares the cursors and begins a new epoch
      // (numbering of plays).
      if (error.code === 'forked') this.#due.through = 0;
      if (error.code === 'bad_segment') incidents.add(workspaceId, 'segment_refused', sentence);
    }
    const state = error instanceof RequestRefused && error.code !== 'not_enrolled' ? 'up' : 'down';
    if (this.#trouble !== sentence || this.#state !== state) {
      this.#trouble = sentence;
      this.#state = state;
      this.#deps.changed();
    }
    return pauseAfter(this.#failures++);
  }
}

const pauseAfter = (failures: number): number =>
  Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures) * (0.5 + Math.random() / 2);

/** @param wakes receives a function that ends the pause early */
const sleep = (ms: number, wakes: (wake: () => void) => void): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms).unref();
    wakes(() => {
      clearTimeout(timer);
      done();
    });
  });

const minutesOf = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
};
