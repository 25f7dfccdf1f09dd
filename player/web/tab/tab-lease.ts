/**
 * Lease of the screen among the tabs of one browser: one browser is one screen. The playing tab holds a lease, a record
 * that it renews and whose age the other tabs see. Before another tab takes the lease, it asks the tab that holds it: a
 * hidden tab may get no timers for minutes and renew late, but answers messages at once. (Web Locks would work too, but
 * on secure pages only.)
 */
import type { Time, Undo } from '../../core/ports.ts';

const RENEW_MS = 3_000;
/** Age in milliseconds at which a lease counts as expired: its tab has missed three renewals. */
export const STALE_MS = 10_000;
/** Time limit for an answer. A tab answers within a few milliseconds unless it is busy with rendering. */
const ANSWER_MS = 250;
/** Milliseconds that the playing tab has to release its lease when asked. It closes its journal first. */
const YIELD_MS = 5_000;

export interface Lease {
  /** Id of a loaded page. */
  readonly page: string;
  /** Id of a tab, unchanged after a reload. A duplicated tab has the same id, so the id alone proves nothing. */
  readonly tab: string;
  /** Wall clock time of the last renewal. */
  readonly at: number;
}

export interface LeaseStore {
  /** Replaces the lease by the result of `change`, atomically across tabs. Returns the new lease. */
  update(change: (lease: Lease | undefined) => Lease | undefined): Promise<Lease | undefined>;
  /** Removes the lease. Starts and ends within the present task, because the page is about to close. */
  removeNow(): void;
}

export type TabMessage =
  /**
   * Message that asks the tab with the lease to answer. `insists`: a person at the asking tab wants the picture there.
   */
  | { readonly type: 'ask'; readonly page: string; readonly insists: boolean }
  | { readonly type: 'held' }
  | { readonly type: 'yielding' }
  | { readonly type: 'free' };

/** Channel to all other tabs of this browser. */
export interface TabChannel {
  send(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): Undo;
}

interface Deps {
  readonly store: LeaseStore;
  readonly channel: TabChannel;
  readonly time: Time;
  readonly page: string;
  readonly tab: string;
  /** Returns whether the tab is hidden. A hidden tab gives the lease to a tab that asks for it. */
  readonly hidden: () => boolean;
  /** Stops the player. Resolves when all its work has ended. */
  readonly yielded: () => Promise<void>;
}

export class TabLease {
  readonly #deps: Deps;
  #held = false;
  #cancelRenewal: Undo | undefined;
  #undo: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#undo = this.#deps.channel.listen((message) => {
      if (message.type === 'ask' && this.#held) void this.#asked(message.insists);
    });
  }

  stop(): void {
    this.#undo?.();
    this.#cancelRenewal?.();
  }

  get isHeld(): boolean {
    return this.#held;
  }

  /** Tries to get the lease. Returns false if another tab plays. */
  async acquire({ insists }: { insists: boolean }): Promise<boolean> {
    const { store, time, page, tab } = this.#deps;
    const isThere = (await store.update((lease) => lease)) !== undefined;
    if (isThere && (await this.#ask(insists)) === 'held') return false;
    const isOver = (lease: Lease) =>
      lease.page === page || lease.tab === tab || Math.abs(time.wall() - lease.at) > STALE_MS;
    const lease = await store.update((there) => (there && !isOver(there) ? there : { page, tab, at: time.wall() }));
    this.#held = lease?.page === page;
    if (this.#held) this.#renewLater();
    return this.#held;
  }

  /** Releases the lease. Called after all work of the player has ended. */
  async release(): Promise<void> {
    const { store, channel, page } = this.#deps;
    this.#held = false;
    this.#cancelRenewal?.();
    await store.update((lease) => (lease?.page === page ? undefined : lease));
    channel.send({ type: 'free' });
  }

  /** Releases the lease at once, because the page closes. */
  abandon(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#cancelRenewal?.();
    this.#deps.store.removeNow();
    this.#deps.channel.send({ type: 'free' });
  }

  /** Calls the listener when a tab releases the lease, which is a good moment to ask for it. */
  onFree(listener: () => void): Undo {
    return this.#deps.channel.listen(({ type }) => type === 'free' && listener());
  }

  async #asked(insists: boolean): Promise<void> {
    const { channel, hidden, yielded } = this.#deps;
    if (!insists && !hidden()) return channel.send({ type: 'held' });
    this.#held = false;
    channel.send({ type: 'yielding' });
    await yielded();
    await this.release();
  }

  /** Resolves with the answer of the tab that holds the lease; `silence`: no tab holds the lease, or it hangs. */
  #ask(insists: boolean): Promise<'held' | 'free' | 'silence'> {
    const { channel, time, page } = this.#deps;
    return new Promise((resolve) => {
      let cancel: Undo = () => {};
      const settle = (how: 'held' | 'free' | 'silence') => {
        cancel();
        undo();
        resolve(how);
      };
      const undo = channel.listen(({ type }) => {
        if (type === 'held' || type === 'free') return settle(type);
        if (type !== 'yielding') return;
        cancel();
        cancel = time.after(YIELD_MS, () => settle('silence'));
      });
      cancel = time.after(ANSWER_MS, () => settle('silence'));
      channel.send({ type: 'ask', page, insists });
    });
  }

  #renewLater(): void {
    const { store, time, page, yielded } = this.#deps;
    this.#cancelRenewal?.();
    this.#cancelRenewal = time.after(RENEW_MS, async () => {
      // If the write failed (a full disk), the tab keeps the lease, because the failure says nothing about other tabs.
      const lease = await store
        .update((there) => (there && there.page !== page ? there : this.#own()))
        .catch(() => this.#own());
      if (!this.#held) return;
      if (lease?.page === page) return this.#renewLater();
      // This tab slept for so long that another tab has taken over.
      this.#held = false;
      await yielded();
    });
  }

  #own(): Lease {
    const { page, tab, time } = this.#deps;
    return { page, tab, at: time.wall() };
  }
}
