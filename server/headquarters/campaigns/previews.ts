/**
 * Previews of campaigns: what a campaign would change on screens, before anything is sent. Each store is asked,
 * because only the store knows what its screens show; the answers are summed. Results are kept in memory for an
 * hour.
 */
import type { StorePreview, StorePreviewAnswer } from '../../../shared/chain/store-preview.ts';
import type { CampaignPreview } from '../../../shared/contract/headquarters/campaigns.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { workspaceOf } from '../stores/stores.service.ts';
import { type Downlink, NotDone } from '../transport/downlink.ts';
import { meantBy } from './campaign-where.ts';
import type { CampaignsService } from './campaigns.service.ts';

/** Maximum number of stores that are asked at the same time, over all previews. */
const MAX_AT_ONCE = 64;
const KEPT_MS = 3_600_000;
const MAX_KEPT = 50;
/**
 * Maximum numbers of items that a campaign would hide: how many a preview collects, and how many its answer contains.
 */
const MAX_NAMES = 10_000;
const MAX_TOLD = 100;
/** Interval in milliseconds at which admin windows are notified while stores answer. */
const ANNOUNCE_MS = 2_000;

type Other = StorePreviewAnswer['hidden'][number];
type Sums = Map<string, Other & { stores: number }>;

interface Run {
  readonly campaign: string;
  readonly workspaceId: string;
  readonly said: StorePreview;
  /** Start of the preview in milliseconds of the monotonic clock. */
  readonly since: number;
  /** Stores that have not been asked yet. */
  readonly waiting: StoreNow[];
  asking: number;
  readonly counts: Omit<CampaignPreview, 'state' | 'hidden' | 'before'>;
  readonly hidden: Sums;
  readonly before: Sums;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'log'> {
  readonly campaigns: Pick<CampaignsService, 'decided' | 'values'>;
  readonly registry: Pick<StoreRegistry, 'all'>;
  readonly downlink: Pick<Downlink, 'request'>;
}

export class CampaignPreviews implements Lifecycle {
  readonly name = 'dry-runs';
  readonly #deps: Deps;
  /** Previews by campaign, the oldest first. */
  readonly #runs = new Map<string, Run>();
  readonly #changed = new Set<string>();
  #asking = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.announceChanges(), ANNOUNCE_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#runs.clear();
  }

  /** Starts a preview, which replaces the previous preview of the campaign. @throws ApiError 404 */
  begin(actor: Actor, id: string): CampaignPreview {
    const { campaigns, registry, clock, mono } = this.#deps;
    const { where, ...decided } = campaigns.decided(actor, id);
    const workspaceId = workspaceOf(actor);
    const stores = registry.all(workspaceId).filter(meantBy(where));
    const none = { answered: 0, unreached: 0, unable: 0, screens: 0, meant: 0, changes: 0, changed_stores: 0 };
    const lacking = campaigns.values(actor, id).filter((one) => one.is_needed && one.lacking > 0);
    const run: Run = {
      campaign: id,
      workspaceId,
      said: {
        id,
        rank: decided.rank,
        screen_tags: decided.screen_tags,
        start_time: decided.start_time,
        end_time: decided.end_time,
        recurrence: decided.recurrence,
        recurrence_end: decided.recurrence_end,
        has_layout: decided.layout_id !== null || decided.whole_screen,
      },
      since: mono(),
      waiting: stores,
      asking: 0,
      counts: { asked_at: seconds(clock), stores: stores.length, ...none, lacking },
      hidden: new Map(),
      before: new Map(),
    };
    this.#runs.delete(id);
    this.#runs.set(id, run);
    this.#drop();
    this.#pump();
    return viewOf(run);
  }

  /** Returns the preview of a campaign; null if there is none or it has expired. @throws ApiError 404 */
  get(actor: Actor, id: string): CampaignPreview | null {
    this.#deps.campaigns.decided(actor, id);
    this.#drop();
    const run = this.#runs.get(id);
    return run ? viewOf(run) : null;
  }

  announceChanges(): void {
    for (const workspaceId of this.#changed)
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'campaigns' });
    this.#changed.clear();
  }

  #drop(): void {
    const now = this.#deps.mono();
    for (const [id, { since }] of this.#runs)
      if (since + KEPT_MS <= now || this.#runs.size > MAX_KEPT) this.#runs.delete(id);
  }

  /** Asks the next stores, up to the limit. The limit holds for all previews together, and previews take turns. */
  #pump(): void {
    for (;;) {
      let isAny = false;
      for (const run of this.#runs.values()) {
        if (this.#asking >= MAX_AT_ONCE) return;
        const store = run.waiting.pop();
        if (!store) continue;
        isAny = true;
        void this.#ask(run, store);
      }
      if (!isAny) return;
    }
  }

  async #ask(run: Run, store: StoreNow): Promise<void> {
    const { downlink, log } = this.#deps;
    this.#asking++;
    run.asking++;
    try {
      add(run, await downlink.request(store, 'rehearse', run.said));
    } catch (error) {
      if (!(error instanceof NotDone)) log.warn('A store could not be asked what a campaign would change', { error });
      if (error instanceof NotDone && isUnable(error)) run.counts.unable++;
      else run.counts.unreached++;
    } finally {
      this.#asking--;
      run.asking--;
      this.#changed.add(run.workspaceId);
      this.#pump();
    }
  }
}

/**
 * Returns whether the store received the request but will never be able to answer it, for example because its version
 * is too old.
 */
const isUnable = ({ code }: NotDone): boolean => code === 'unsupported' || code === 'not_allowed' || code === 'failed';

const add = ({ counts, hidden, before }: Run, answer: StorePreviewAnswer): void => {
  counts.answered++;
  counts.screens += answer.screens;
  counts.meant += answer.meant;
  counts.changes += answer.changes;
  if (answer.changes > 0) counts.changed_stores++;
  for (const one of answer.hidden) sum(hidden, one);
  for (const one of answer.before) sum(before, one);
};

const sum = (sums: Sums, { what, name, screens }: Other): void => {
  const key = `${what} ${name}`;
  const known = sums.get(key);
  if (!known && sums.size >= MAX_NAMES) return;
  sums.set(key, { what, name, screens: (known?.screens ?? 0) + screens, stores: (known?.stores ?? 0) + 1 });
};

const viewOf = ({ waiting, asking, counts, hidden, before }: Run): CampaignPreview => ({
  ...counts,
  state: waiting.length + asking > 0 ? 'asking' : 'done',
  hidden: most(hidden),
  before: most(before),
});

/** Returns the entries, sorted by number of screens in descending order. */
const most = (sums: Sums): CampaignPreview['hidden'] =>
  [...sums.values()].sort((a, b) => b.screens - a.screens || (a.name < b.name ? -1 : 1)).slice(0, MAX_TOLD);
