/**
 * Desired states: for each store, a small signed document that names the running editions for this store.
 * A desired state is built again when a campaign is started or stopped, and when the store changes; only the newest
 * revision counts. Thousands of stores are processed in slices, so that other requests run meanwhile.
 */
import { type CampaignDoc, type DesiredDoc, desiredText, type SignedDesired } from '../../../shared/chain/campaign.ts';
import { namesUsedByDoc, picked, valuesOf } from '../../../shared/chain/values.ts';
import { type CampaignBody, MAX_RUNNING } from '../../../shared/contract/headquarters/campaigns.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { meantBy } from '../campaigns/campaign-where.ts';
import type { LateStarts } from '../campaigns/late-starts.ts';
import { ProgressRegistry } from '../campaigns/progress-registry.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import type { DesiredStatesStore } from './desired-states.store.ts';
import type { Downlink } from './downlink.ts';
import type { DesiredStateSource } from './request-handlers.ts';

/** Maximum duration of a slice in milliseconds. A slice with its commit blocks other requests for little longer. */
const SLICE_MS = 6;
/**
 * Delay in milliseconds that spreads downloads: each further store that is notified in a row starts this much later.
 */
const EACH_MS = 1;
/** Delay in milliseconds before a failed write is repeated. */
const AGAIN_MS = 5_000;
/** Maximum revision that a store may report. No clock reaches this number, so a higher number must be forged. */
const MAX_REV = 2 ** 50;

/** Matches the beginning of a desired state as this file writes it. */
const HEAD = /^\{"vitrine":"desired","version":1,"store":"[^"]*","rev":\d+,"issued_ms":\d+,/;

/** A running edition of a campaign, with the facts that desired states need. */
interface Edition {
  readonly campaign: string;
  readonly edition: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Hash of the document of the edition, and hashes of the files that this document needs. */
  readonly blobs: readonly string[];
  /** Names of the values that the edition uses. */
  readonly values: readonly string[];
  readonly isMeant: (store: StoreNow) => boolean;
}

interface Running {
  readonly editions: readonly Edition[];
  readonly byCampaign: ReadonlyMap<string, Edition>;
  /** Editions by the hash of each file or document that they need. */
  readonly byBlob: ReadonlyMap<string, readonly Edition[]>;
}
const NOTHING: Running = { editions: [], byCampaign: new Map(), byBlob: new Map() };

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: DesiredStatesStore;
  readonly registry: Pick<StoreRegistry, 'all' | 'byRef'>;
  readonly downlink: Pick<Downlink, 'send'>;
  readonly identity: { sign(text: string): string };
  /** Receives the reports of stores about campaigns. */
  readonly late: Pick<LateStarts, 'markReported'>;
}

export class DesiredStates implements DesiredStateSource, Lifecycle {
  readonly name = 'wishes';
  readonly #deps: Deps;
  readonly #readiness: ProgressRegistry;
  /** Running editions of each workspace, by id of the workspace. */
  readonly #running = new Map<string, Running>();
  #revs: Map<number, number> | undefined;
  /**
   * Two collections by id of the store: stores whose desired state must be checked, and (`#floors`) revisions that
   * stores reported and that are higher than headquarters' revision.
   */
  readonly #due = new Set<string>();
  readonly #floors = new Map<string, number>();
  #working: Promise<void> | undefined;
  /** Number of stores that were notified in this round. Each further store gets a longer delay for its downloads. */
  #told = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#readiness = new ProgressRegistry({
      ...deps,
      isWanted: (store, campaign) => this.#isWanted(store, campaign),
    });
    deps.db.onLost(() => {
      this.#revs = undefined;
      this.#readiness.forget();
      if (this.#running.size > 0) this.#lookAtAll();
    });
    deps.bus.on('changed', ({ topic, ids }) => {
      if (topic === 'stores' && ids) this.#look(ids);
    });
    deps.bus.on('workspaceGone', (workspaceId) => this.#running.delete(workspaceId));
  }

  /** Checks all stores. After a crash, stored states may not match the running campaigns. */
  start(): void {
    this.#readiness.start();
    this.#lookAtAll();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#wake?.();
    await this.#working;
    this.#readiness.stop();
  }

  /** Resolves when the desired states of all stores are signed. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** For tests: writes the pending reports of stores, and notifies admin windows. */
  flush(): void {
    this.#readiness.flush();
    this.#readiness.announceChanges();
  }

  /** Processes a change of the running editions of a workspace. */
  editionsChanged(workspaceId: string): void {
    this.#load(workspaceId);
    this.#look(this.#deps.registry.all(workspaceId).map(({ ref }) => ref));
  }

  rev({ id }: Pick<KnownStore, 'id'>): number {
    this.#revs ??= this.#deps.store.revs();
    return this.#revs.get(id) ?? 0;
  }

  newer({ id }: Pick<KnownStore, 'id'>, rev: number): SignedDesired | null {
    const row = this.#deps.store.desired(id);
    return row && row.rev > rev ? { text: row.text, signature: row.signature } : null;
  }

  record(store: KnownStore, { desired_rev, campaigns }: Parameters<DesiredStateSource['record']>[1]): void {
    // A store has a higher revision than headquarters, so headquarters was restored from a backup. The next revision
    // must be higher than the revision of the store.
    if (desired_rev !== undefined && desired_rev > this.rev(store) && desired_rev < MAX_REV) {
      this.#floors.set(store.ref, desired_rev);
      this.#look([store.ref]);
    }
    if (campaigns) this.#readiness.record(store, campaigns);
  }

  /**
   * Returns whether a store needs this file: its desired state names this document, or a document that contains the
   * file.
   */
  needs(store: Pick<KnownStore, 'ref'>, sha256: string): boolean {
    const now = this.#deps.registry.byRef(store.ref);
    return now !== undefined && (this.#of(now.workspace_id).byBlob.get(sha256) ?? []).some((one) => one.isMeant(now));
  }

  /** Returns hashes of documents and files that a store needs, in the order in which the campaigns were started. */
  blobs(store: StoreNow): string[] {
    return [...new Set(this.#wanted(store).flatMap(({ blobs }) => blobs))];
  }

  /**
   * Returns a store that would have too many campaigns if this campaign started; undefined when there is no such store.
   */
  crowded(workspaceId: string, campaign: string, where: CampaignBody['where']): StoreNow | undefined {
    const others = this.#of(workspaceId).editions.filter((one) => one.campaign !== campaign);
    if (others.length < MAX_RUNNING) return undefined;
    return this.#deps.registry
      .all(workspaceId)
      .filter(meantBy(where))
      .find((store) => others.filter((one) => one.isMeant(store)).length >= MAX_RUNNING);
  }

  #isWanted({ ref }: Pick<KnownStore, 'ref'>, campaign: string): boolean {
    const now = this.#deps.registry.byRef(ref);
    return now !== undefined && this.#of(now.workspace_id).byCampaign.get(campaign)?.isMeant(now) === true;
  }

  #wanted(store: StoreNow): Edition[] {
    // A store that is moved may be targeted by too many campaigns. The store then gets the campaigns that were started
    // first.
    return this.#of(store.workspace_id)
      .editions.filter((one) => one.isMeant(store))
      .slice(0, MAX_RUNNING)
      .sort((a, b) => (a.campaign < b.campaign ? -1 : 1));
  }

  #of(workspaceId: string): Running {
    return this.#running.get(workspaceId) ?? NOTHING;
  }

  #lookAtAll(): void {
    for (const workspaceId of new Set([...this.#deps.store.workspaces(), ...this.#running.keys()]))
      this.editionsChanged(workspaceId);
  }

  #load(workspaceId: string): void {
    const { store } = this.#deps;
    const before = this.#of(workspaceId).editions;
    const editions = store.live(workspaceId).map(({ campaign, edition, sha256, body }): Edition => {
      const known = before.find((one) => one.campaign === campaign && one.edition === edition);
      if (known) return known;
      const { bytes, files, template } = store.needs(campaign, edition);
      const isMeant = meantBy((JSON.parse(body) as CampaignBody).where);
      const values = template === null ? [] : [...namesUsedByDoc(JSON.parse(template) as CampaignDoc).keys()];
      return { campaign, edition, sha256, bytes, blobs: [sha256, ...files], values, isMeant };
    });
    const byBlob = new Map<string, Edition[]>();
    for (const edition of editions)
      for (const blob of edition.blobs) {
        const those = byBlob.get(blob);
        if (those) those.push(edition);
        else byBlob.set(blob, [edition]);
      }
    const byCampaign = new Map(editions.map((one) => [one.campaign, one]));
    this.#running.set(workspaceId, { editions, byCampaign, byBlob });
  }

  #look(refs: readonly string[]): void {
    for (const ref of refs) this.#due.add(ref);
    if (this.#isOver || this.#working || this.#due.size === 0) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      // Processes stores that were added during the last turn of the event loop.
      this.#look([]);
    });
  }

  async #work(): Promise<void> {
    const { db, log } = this.#deps;
    this.#told = 0;
    while (this.#due.size > 0 && !this.#isOver) {
      const taken: string[] = [];
      // Ends the current turn of the event loop first, so that the writes made in this turn get their own commit.
      await new Promise(setImmediate);
      try {
        const began = performance.now();
        db.write(() => {
          for (const ref of this.#due) {
            this.#due.delete(ref);
            taken.push(ref);
            this.#make(ref);
            if (performance.now() - began > SLICE_MS) break;
          }
        });
        await db.durable();
      } catch (error) {
        for (const ref of taken) this.#due.add(ref);
        log.warn('What stores are to show could not be saved; it is tried again', { error });
        await this.#pause();
      }
    }
  }

  async #pause(): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, AGAIN_MS).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Signs the desired state of a store when it has changed. Called within a write transaction. */
  #make(ref: string): void {
    const { db, store, registry, clock, identity } = this.#deps;
    const now = registry.byRef(ref);
    if (!now) this.#readiness.gone(ref);
    if (!now || now.key === null) return;
    const { id } = now;
    const wanted = this.#wanted(now);
    const campaigns: DesiredDoc['campaigns'] = wanted.map(({ campaign, edition, sha256, bytes }) => ({
      id: campaign,
      edition,
      sha256,
      bytes,
    }));
    const kept = store.desired(id);
    const floor = this.#floors.get(ref) ?? 0;
    const asked = new Set(wanted.flatMap(({ values }) => values));
    // Values that no campaign uses are not sent, so that their changes need no new revision.
    const said = { ...(asked.size > 0 && { values: picked(valuesOf(now), asked) }), campaigns };
    const isSame = kept ? kept.text.replace(HEAD, '{') === JSON.stringify(said) : campaigns.length === 0;
    if (isSame && floor <= (kept?.rev ?? 0)) return;
    const issued_ms = clock.now();
    // After a restore from a backup, the stored revision is too low. A revision is at least the present time, so the
    // new revision is higher than every revision that the store has.
    const rev = Math.max(kept?.rev ?? 0, floor, issued_ms - 1) + 1;
    // Keeps this order of the fields: the comparison above removes the first fields from the JSON text and compares the
    // rest.
    const doc: DesiredDoc = { vitrine: 'desired', version: 1, store: ref, rev, issued_ms, ...said };
    const text = JSON.stringify(doc);
    const signed = { text, signature: identity.sign(desiredText(text)) };
    store.setDesired(id, { ...signed, rev, issued_ms });
    if (kept)
      store.forgetTold(
        id,
        campaigns.map((one) => one.id),
      );
    db.afterCommit(() => {
      this.#revs?.set(id, rev);
      if (this.#floors.get(ref) === floor) this.#floors.delete(ref);
      this.#readiness.expectFullReport(ref);
      // Notifies the store if it is connected. Otherwise, the answer to its next presence tells the store about the new
      // revision.
      if (this.#deps.downlink.send({ id }, 'desired', signed, this.#told * EACH_MS)) this.#told++;
    });
  }
}
