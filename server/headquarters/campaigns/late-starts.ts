/**
 * Computes which stores miss the start of a campaign or refuse the campaign. Every admin window of headquarters shows
 * the number. For each running campaign, keeps the usually few stores without the whole edition, and checks only these
 * stores again when time passes or a connection changes.
 */
import { forecast, type Heard, isThere } from '../../../shared/chain/readiness.ts';
import type { CampaignBody } from '../../../shared/contract/headquarters/campaigns.ts';
import { DAY_MS, dayOf, parseDate, parseLocal } from '../../../shared/program/civil.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { isSeen } from '../stores/region-rights.ts';
import type { Missed, StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { isAway } from '../stores/store-view.ts';
import { meantBy } from './campaign-where.ts';
import type { CampaignsStore, LiveCampaign } from './campaigns.store.ts';

/** Interval of checks in milliseconds. Admin windows are notified at most this often. */
const LOOK_MS = 5_000;
/** Maximum number of late campaigns that are named for each store. */
const MAX_NAMED = 5;
/**
 * Maximum number of stores that are read one by one. Above this number, all stores of the campaign are read at once.
 */
const MAX_ONE_BY_ONE = 500;

/** Numbers of stores that miss a campaign, among the stores that a person sees. */
export interface Misses {
  /** Number of late stores, including stores that refuse the campaign. */
  readonly late: number;
  readonly refused: number;
  /** Number of late stores that are not connected. People cannot help such a store until its connection is back. */
  readonly waiting: number;
}
export const NOTHING: Misses = { late: 0, refused: 0, waiting: 0 };

/** State of a running campaign for the checks of this class. */
interface Watched {
  readonly edition: number;
  readonly isMeant: (store: StoreNow) => boolean;
  /** Start of the campaign in epoch seconds. */
  readonly starts: number;
  readonly ends: number;
  readonly given: number;
  /** Last reports by store number, of stores without the whole edition. */
  readonly behind: Map<number, Heard | undefined>;
  /** Numbers of stores whose report may have changed. */
  readonly stale: Set<number>;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: Pick<CampaignsStore, 'live' | 'edition' | 'behind' | 'lastReportOf'>;
  readonly registry: Pick<StoreRegistry, 'all' | 'byId' | 'byRef' | 'setMissed'>;
  /** Time zone of headquarters. */
  readonly zone: () => Zone;
}

export class LateStarts implements Lifecycle {
  readonly name = 'late starts';
  readonly #deps: Deps;
  /** Watched campaigns by id. */
  readonly #watched = new Map<string, Watched>();
  /** Results of the last check, by id of the campaign, then by region. */
  #found: ReadonlyMap<string, ReadonlyMap<string, Misses>> = new Map();
  #said = new Map<string, string>();
  #looking: Promise<void> | undefined;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.db.onLost(() => this.#watched.clear());
    deps.bus.on('changed', ({ topic, ids }) => {
      // Ignores events without ids: events of this class, and events about presences of stores, which arrive all the
      // time.
      if (!ids || (topic !== 'stores' && topic !== 'campaigns')) return;
      if (topic === 'stores')
        for (const ref of ids) {
          const id = deps.registry.byRef(ref)?.id;
          if (id !== undefined) for (const { stale } of this.#watched.values()) stale.add(id);
        }
      if (this.#timer) void this.check();
    });
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), LOOK_MS).unref();
    void this.check();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  /** Marks a store that sent a changed report about a campaign. */
  markReported(campaign: string, store: number): void {
    this.#watched.get(campaign)?.stale.add(store);
  }

  /** Counts the stores that miss a campaign at this moment. */
  of(actor: Actor, campaign: LiveCampaign): Misses {
    let sum = NOTHING;
    for (const [store, missed] of this.#judged(campaign)) if (isSeen(actor, store)) sum = added(sum, missed);
    return sum;
  }

  /**
   * Returns the campaigns that stores will not have in time. The result comes from the last check, which is at most
   * some seconds old.
   */
  needing(actor: Actor): ReadonlyMap<string, Misses> {
    const found = new Map<string, Misses>();
    for (const [campaign, regions] of this.#found) {
      let sum = NOTHING;
      for (const [region, missed] of regions) if (isSeen(actor, { region })) sum = added(sum, missed);
      if (sum.late > sum.waiting) found.set(campaign, sum);
    }
    return found;
  }

  /**
   * Checks all campaigns, and notifies admin windows of changes. If a check is already running, another check follows
   * it.
   */
  async check(): Promise<void> {
    this.#isDue = true;
    this.#looking ??= this.#work().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #work(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      try {
        await this.#lookAtAll();
      } catch (error) {
        this.#deps.log.warn('Which stores miss a campaign could not be looked at; it is tried again', { error });
      }
    }
  }

  async #lookAtAll(): Promise<void> {
    const { store, registry } = this.#deps;
    const campaigns = store.live();
    const found = new Map<string, ReadonlyMap<string, Misses>>();
    const missed = new Map<number, Missed>();
    const said = new Map<string, string>();
    for await (const campaign of inSlices(campaigns)) {
      const regions = new Map<string, Misses>();
      for (const [{ id, region }, misses] of this.#judged(campaign)) {
        regions.set(region, added(regions.get(region) ?? NOTHING, misses));
        missed.set(id, withOne(missed.get(id), campaign, misses.refused > 0));
      }
      if (regions.size === 0) continue;
      found.set(campaign.id, regions);
      const before = said.get(campaign.workspace_id) ?? '';
      said.set(campaign.workspace_id, `${before}${campaign.id} ${JSON.stringify([...regions])}\n`);
    }
    const live = new Set(campaigns.map(({ id }) => id));
    for (const id of this.#watched.keys()) if (!live.has(id)) this.#watched.delete(id);
    this.#found = found;
    registry.setMissed(missed);
    const before = this.#said;
    this.#said = said;
    for (const workspaceId of new Set([...before.keys(), ...said.keys()]))
      if (before.get(workspaceId) !== said.get(workspaceId))
        for (const topic of ['campaigns', 'stores'] as const)
          announce(this.#deps, { workspaceId, userId: null }, { topic });
  }

  /**
   * Yields each store that will not have the campaign in time, with its contribution to the counts (late, refused, not
   * connected).
   */
  *#judged(campaign: LiveCampaign): Generator<[StoreNow, Misses]> {
    const { registry, clock } = this.#deps;
    const now = seconds(clock);
    const { behind, ...asked } = this.#fresh(campaign);
    for (const [id, heard] of behind) {
      const store = registry.byId(id);
      if (!store) {
        behind.delete(id);
        continue;
      }
      const { phase, is_late } = forecast(heard, { ...asked, isLineUp: store.line === 'up', now });
      const isRefused = phase === 'refused';
      const isWaiting = !isRefused && isAway(store);
      if (is_late) yield [store, { late: 1, refused: isRefused ? 1 : 0, waiting: isWaiting ? 1 : 0 }];
    }
  }

  #fresh(campaign: LiveCampaign): Watched {
    const known = this.#watched.get(campaign.id);
    if (known?.edition !== campaign.edition || known.stale.size > MAX_ONE_BY_ONE) return this.#read(campaign);
    for (const id of known.stale) {
      const store = this.#deps.registry.byId(id);
      const heard = this.#deps.store.lastReportOf(campaign.id, id);
      if (!store || !known.isMeant(store) || isThere(heard, known.edition)) known.behind.delete(id);
      else known.behind.set(id, heard);
    }
    known.stale.clear();
    return known;
  }

  #read({ id, workspace_id, edition }: LiveCampaign): Watched {
    const { store, registry, zone } = this.#deps;
    const { body, made_at: given } = store.edition(id, edition)!;
    const decided = JSON.parse(body) as CampaignBody;
    const isMeant = meantBy(decided.where);
    const { there, lastReports } = store.behind(id, edition);
    const behind = new Map<number, Heard | undefined>();
    for (const one of registry.all(workspace_id))
      if (!there.has(one.id) && isMeant(one)) behind.set(one.id, lastReports.get(one.id));
    const watched = { edition, isMeant, given, ...timesOf(decided, zone()), behind, stale: new Set<number>() };
    this.#watched.set(id, watched);
    return watched;
  }
}

/**
 * Returns start and end of a campaign in epoch seconds, by the clock of headquarters. For stores in other time zones
 * the times are some hours off, which does not matter for a warning.
 */
export const timesOf = (
  { start_time, end_time, recurrence, recurrence_end }: CampaignBody,
  zone: Zone,
): { starts: number; ends: number } => {
  const at = (local: number) => Math.floor(zone.toInstant(local) / 1000);
  const [start, end] = [parseLocal(start_time), parseLocal(end_time)];
  const starts = at(start);
  if (recurrence === null) return { starts, ends: at(end) };
  if (recurrence_end === null) return { starts, ends: Number.POSITIVE_INFINITY };
  // The campaign ends with the repetition that begins on the last day.
  return { starts, ends: at(end + (parseDate(recurrence_end) - dayOf(start)) * DAY_MS) };
};

const added = (a: Misses, b: Misses): Misses => ({
  late: a.late + b.late,
  refused: a.refused + b.refused,
  waiting: a.waiting + b.waiting,
});

const withOne = (
  { late, refused, named }: Missed = { late: 0, refused: 0, named: [] },
  { id, name }: LiveCampaign,
  isRefused: boolean,
): Missed => ({
  late: late + (isRefused ? 0 : 1),
  refused: refused + (isRefused ? 1 : 0),
  named: named.length < MAX_NAMED ? [...named, { id, name, is_refused: isRefused }] : named,
});
