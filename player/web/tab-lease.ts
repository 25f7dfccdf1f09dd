/**
 * One browser is one screen, however many of its tabs have the page open. Who plays holds a lease: a record that it
 * renews and that others see grow old when it is gone. Before anybody takes it over the holder is asked, since a tab
 * that cannot be seen is allowed no timers for minutes and renews late, but answers messages at once. (Web Locks would
 * do, on secure pages only.)
 */
import type { Time, Undo } from '../core/ports.ts';

const RENEW_MS = 3_000;
/** Three renewals missed. */
export const STALE_MS = 10_000;
/** A tab answers within a few milliseconds unless it is busy with pictures. */
const ANSWER_MS = 250;
/** The holder closes its journal before it lets go. */
const YIELD_MS = 5_000;

export interface Lease {
  /** One loaded page. */
  readonly page: string;
  /** One tab: the same after a reload. A duplicated tab has it too, so it alone proves nothing. */
  readonly tab: string;
  /** Wall clock of the last renewal. */
  readonly at: number;
}

export interface LeaseStore {
  /** Atomic across tabs: what is there becomes what `change` makes of it. @returns what is there then */
  update(change: (lease: Lease | undefined) => Lease | undefined): Promise<Lease | undefined>;
  /** Begun and ended within this task: the page is about to go. */
  removeNow(): void;
}

export type TabMessage =
  /** Who holds it? `insists`: whoever sits before this tab wants the picture here. */
  | { readonly type: 'ask'; readonly page: string; readonly insists: boolean }
  | { readonly type: 'held' }
  | { readonly type: 'yielding' }
  | { readonly type: 'free' };

/** To all other tabs of this browser. */
export interface TabChannel {
  say(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): Undo;
}

interface Deps {
  readonly store: LeaseStore;
  readonly channel: TabChannel;
  readonly time: Time;
  readonly page: string;
  readonly tab: string;
  /** A tab that nobody can see plays to nobody: it yields to one that asks. */
  readonly hidden: () => boolean;
  /** Stops the player; resolves when nothing of it runs any more. */
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

  get held(): boolean {
    return this.#held;
  }

  /** False: another tab plays. */
  async take({ insists }: { insists: boolean }): Promise<boolean> {
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

  /** Called once nothing of the player runs any more. */
  async release(): Promise<void> {
    const { store, channel, page } = this.#deps;
    this.#held = false;
    this.#cancelRenewal?.();
    await store.update((lease) => (lease?.page === page ? undefined : lease));
    channel.say({ type: 'free' });
  }

  /** Releases the lease at once, since the page goes away. */
  abandon(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#cancelRenewal?.();
    this.#deps.store.removeNow();
    this.#deps.channel.say({ type: 'free' });
  }

  /** Calls when a tab lets go, which is a good moment to ask for it. */
  onFree(listener: () => void): Undo {
    return this.#deps.channel.listen(({ type }) => type === 'free' && listener());
  }

  async #asked(insists: boolean): Promise<void> {
    const { channel, hidden, yielded } = this.#deps;
    if (!insists && !hidden()) return channel.say({ type: 'held' });
    this.#held = false;
    channel.say({ type: 'yielding' });
    await yielded();
    await this.release();
  }

  /** Resolves to what the holder says; `silence`: there is none, or it hangs. */
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
      channel.say({ type: 'ask', page, insists });
    });
  }

  #renewLater(): void {
    const { store, time, page, yielded } = this.#deps;
    this.#cancelRenewal?.();
    this.#cancelRenewal = time.after(RENEW_MS, async () => {
      // A write that fails (a full disk) proves nothing about other tabs.
      const lease = await store
        .update((there) => (there && there.page !== page ? there : this.#own()))
        .catch(() => this.#own());
      if (!this.#held) return;
      if (lease?.page === page) return this.#renewLater();
      // Slept for so long that another tab has taken over.
      this.#held = false;
      await yielded();
    });
  }

  #own(): Lease {
    const { page, tab, time } = this.#deps;
    return { page, tab, at: time.wall() };
  }
}
