/**
 * What is wanted of each store: a small signed value made of the editions that run and are meant for it (chain.md). It
 * is made anew when a campaign is started or stopped, and when a store is otherwise than before; the last one is all
 * that counts. Thousands of stores are done in slices, between which everybody else has their turn.
 */
import { type CampaignDoc, type DesiredDoc, desiredText, type SignedDesired } from '../../shared/chain/campaign.ts';
import { askedByDoc, picked, valuesOf } from '../../shared/chain/values.ts';
import { type CampaignBody, MAX_RUNNING } from '../../shared/contract/campaigns.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { meantBy } from './campaign-where.ts';
import type { Downlink } from './downlink.ts';
import type { LateStarts } from './late-starts.ts';
import { ReadinessBook } from './readiness-book.ts';
import type { StoreBook, StoreNow } from './store-book.ts';
import type { Wishes } from './verbs.ts';
import type { WishesStore } from './wishes.store.ts';
import type { KnownStore } from './writer.ts';

/** With the commit on top of it nobody waits for much more. */
const SLICE_MS = 6;
/** Between the moments at which two stores that were told in a row begin to fetch what they need. */
const EACH_MS = 1;
/** What could not be saved is tried again after so long. */
const AGAIN_MS = 5_000;
/** A store that tells a higher one has made it up: no clock goes so far. */
const MAX_REV = 2 ** 50;

/** Of a desired state as it is written here. */
const HEAD = /^\{"vitrine":"desired","version":1,"store":"[^"]*","rev":\d+,"issued_ms":\d+,/;

/** An edition that stores are to have. */
interface Edition {
  readonly campaign: string;
  readonly edition: number;
  readonly sha256: string;
  readonly bytes: number;
  /** Its document, and the files that this needs. */
  readonly blobs: readonly string[];
  /** Names of stores' values that it asks for. */
  readonly values: readonly string[];
  readonly isMeant: (store: StoreNow) => boolean;
}

interface Running {
  readonly editions: readonly Edition[];
  readonly byCampaign: ReadonlyMap<string, Edition>;
  /** By what they need. */
  readonly byBlob: ReadonlyMap<string, readonly Edition[]>;
}
const NOTHING: Running = { editions: [], byCampaign: new Map(), byBlob: new Map() };

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: WishesStore;
  readonly book: Pick<StoreBook, 'all' | 'byRef'>;
  readonly downlink: Pick<Downlink, 'tell'>;
  readonly identity: { sign(text: string): string };
  /** Hears what stores tell of campaigns. */
  readonly late: Pick<LateStarts, 'told'>;
}

export class SignedWishes implements Wishes, Lifecycle {
  readonly name = 'wishes';
  readonly #deps: Deps;
  readonly #readiness: ReadinessBook;
  /** By workspace. */
  readonly #running = new Map<string, Running>();
  #revs: Map<number, number> | undefined;
  /** Stores to be looked at, by their ids; what they told to have, where that is above what they were told. */
  readonly #due = new Set<string>();
  readonly #floors = new Map<string, number>();
  #working: Promise<void> | undefined;
  /** In a row. */
  #told = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#readiness = new ReadinessBook({
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

  /** What is kept may not be what runs: headquarters may have died in between. */
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

  /** Resolves when what every store is to have is signed. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Writes what stores told, and tells windows. For tests. */
  flush(): void {
    this.#readiness.flush();
    this.#readiness.announceChanges();
  }

  /** Stores of a workspace are to have other editions. */
  editionsChanged(workspaceId: string): void {
    this.#load(workspaceId);
    this.#look(this.#deps.book.all(workspaceId).map(({ ref }) => ref));
  }

  rev({ id }: Pick<KnownStore, 'id'>): number {
    this.#revs ??= this.#deps.store.revs();
    return this.#revs.get(id) ?? 0;
  }

  newer({ id }: Pick<KnownStore, 'id'>, rev: number): SignedDesired | null {
    const row = this.#deps.store.desired(id);
    return row && row.rev > rev ? { text: row.text, signature: row.signature } : null;
  }

  heard(store: KnownStore, { desired_rev, campaigns }: Parameters<Wishes['heard']>[1]): void {
    // Headquarters was put back to an earlier state: what it wants now is signed above what the store has.
    if (desired_rev !== undefined && desired_rev > this.rev(store) && desired_rev < MAX_REV) {
      this.#floors.set(store.ref, desired_rev);
      this.#look([store.ref]);
    }
    if (campaigns) this.#readiness.heard(store, campaigns);
  }

  /** Whether what is wanted of a store names this document, or this file is in one of those. */
  needs(store: Pick<KnownStore, 'ref'>, sha256: string): boolean {
    const now = this.#deps.book.byRef(store.ref);
    return now !== undefined && (this.#of(now.workspace_id).byBlob.get(sha256) ?? []).some((one) => one.isMeant(now));
  }

  /** Documents and files that a store needs, by their hashes: first of what was started first. */
  blobs(store: StoreNow): string[] {
    return [...new Set(this.#wanted(store).flatMap(({ blobs }) => blobs))];
  }

  /** A store that would have too many campaigns with this one. */
  crowded(workspaceId: string, campaign: string, where: CampaignBody['where']): StoreNow | undefined {
    const others = this.#of(workspaceId).editions.filter((one) => one.campaign !== campaign);
    if (others.length < MAX_RUNNING) return undefined;
    return this.#deps.book
      .all(workspaceId)
      .filter(meantBy(where))
      .find((store) => others.filter((one) => one.isMeant(store)).length >= MAX_RUNNING);
  }

  #isWanted({ ref }: Pick<KnownStore, 'ref'>, campaign: string): boolean {
    const now = this.#deps.book.byRef(ref);
    return now !== undefined && this.#of(now.workspace_id).byCampaign.get(campaign)?.isMeant(now) === true;
  }

  #wanted(store: StoreNow): Edition[] {
    // Where somebody gave a store more than it takes, those that were started first stay.
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
      const values = template === null ? [] : [...askedByDoc(JSON.parse(template) as CampaignDoc).keys()];
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
      // What came in its last turn.
      this.#look([]);
    });
  }

  async #work(): Promise<void> {
    const { db, log } = this.#deps;
    this.#told = 0;
    while (this.#due.size > 0 && !this.#isOver) {
      const taken: string[] = [];
      // What is being done for others in this turn is theirs.
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

  /** Signs what a store is to have, where it is something else than before. Within a write. */
  #make(ref: string): void {
    const { db, store, book, clock, identity } = this.#deps;
    const now = book.byRef(ref);
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
    // What no campaign asks for is not told: its change is none for this store.
    const said = { ...(asked.size > 0 && { values: picked(valuesOf(now), asked) }), campaigns };
    const isSame = kept ? kept.text.replace(HEAD, '{') === JSON.stringify(said) : campaigns.length === 0;
    if (isSame && floor <= (kept?.rev ?? 0)) return;
    const issued_ms = clock.now();
    // One that was put back counts from an earlier number: by the time no two states of a store have the same.
    const rev = Math.max(kept?.rev ?? 0, floor, issued_ms - 1) + 1;
    // In this order: by what follows on the head it is compared above.
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
      this.#readiness.lookAgain(ref);
      // It hears of it with its next presence where it does not listen.
      if (this.#deps.downlink.tell({ id }, 'desired', signed, this.#told * EACH_MS)) this.#told++;
    });
  }
}
