/** Makes sure that only one tab of this browser plays. The other tabs show a notice and wait. */
import { browserCrypto, browserTime, consoleLog } from '../browser-ports.ts';
import { answer, type Database } from '../storage/database.ts';
import { textsFor } from '../text.ts';
import { showNotice } from './notice.ts';
import { type Lease, type LeaseStore, type TabChannel, TabLease, type TabMessage } from './tab-lease.ts';

/**
 * Interval in milliseconds at which a waiting tab asks again; the longest time until it notices that the playing tab
 * has crashed.
 */
const ASK_AGAIN_MS = 2_000;
const TAB = 'vitrine.tab';

interface Plays {
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Deps {
  readonly root: HTMLElement;
  readonly db: Database;
  /** Creates a new player, which has not been started yet. */
  readonly makePlayer: () => Plays;
}

export class OneTab {
  readonly #deps: Deps;
  readonly #lease: TabLease;
  #player: Plays | undefined;
  #hideNotice: (() => void) | undefined;
  #cancelAsking: (() => void) | undefined;
  #asking = false;
  #insists = false;
  #started: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#lease = new TabLease({
      store: leaseIn(deps.db),
      channel: broadcast(),
      time: browserTime,
      page: browserCrypto.uuid(),
      tab: tabId(),
      hidden: () => document.visibilityState === 'hidden',
      yielded: () => this.#yield(),
    });
  }

  start(): void {
    this.#lease.start();
    this.#lease.onFree(() => void this.#ask());
    document.addEventListener('visibilitychange', () => void this.#ask());
    window.addEventListener('pagehide', () => this.#leave());
    // The page was restored from the browser's back-forward cache. Its player was stopped when the page left.
    window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
    void this.#ask();
  }

  async #ask({ insists = false } = {}): Promise<void> {
    // A hidden tab must not take the lease from a visible tab.
    if (this.#lease.isHeld || document.visibilityState === 'hidden') return;
    if (this.#asking) {
      this.#insists ||= insists;
      return;
    }
    this.#asking = true;
    try {
      if (await this.#lease.acquire({ insists })) await this.#play();
      else this.#wait();
    } catch (error) {
      consoleLog.error('the player could not start', error);
      await this.#stop();
      await this.#lease.release().catch(() => {});
      this.#askLater();
    } finally {
      this.#asking = false;
      if (this.#insists) {
        // The button was pressed while a request was already running.
        this.#insists = false;
        void this.#ask({ insists: true });
      }
    }
  }

  async #play(): Promise<void> {
    this.#hideNotice?.();
    this.#hideNotice = undefined;
    this.#player = this.#deps.makePlayer();
    this.#started = this.#player.start();
    await this.#started;
  }

  async #stop(): Promise<void> {
    // Waits for the start first, because a player that has not started completely cannot be stopped.
    await this.#started?.catch(() => {});
    await this.#player?.stop();
    this.#player = undefined;
  }

  #wait(): void {
    this.#askLater();
    const { texts } = textsFor(navigator.languages);
    const action = { label: texts.playHere, run: () => void this.#ask({ insists: true }) };
    this.#hideNotice ??= showNotice(this.#deps.root, {
      title: texts.elsewhereTitle,
      hint: texts.elsewhereHint,
      action,
    });
  }

  #askLater(): void {
    this.#cancelAsking?.();
    this.#cancelAsking = browserTime.after(ASK_AGAIN_MS, () => void this.#ask());
  }

  async #yield(): Promise<void> {
    await this.#stop();
    this.#wait();
  }

  /** Stops as far as possible while the page closes. The next page closes the remaining open plays. */
  #leave(): void {
    this.#lease.abandon();
    void this.#stop();
  }
}

/** Storage that survives reloads of a tab. */
function tabId(): string {
  const id = sessionStorage.getItem(TAB) ?? browserCrypto.uuid();
  sessionStorage.setItem(TAB, id);
  return id;
}

const leaseIn = (db: Database): LeaseStore => ({
  update: (change) =>
    db.write(['lease'], async (tx) => {
      const store = tx.objectStore('lease');
      const before = await answer<Lease | undefined>(store.get('player'));
      const after = change(before);
      if (after === undefined) store.delete('player');
      else if (after !== before) store.put(after, 'player');
      return after;
    }),
  removeNow: () => db.removeNow('lease', 'player'),
});

function broadcast(): TabChannel {
  const channel = new BroadcastChannel('vitrine-player');
  return {
    send: (message) => channel.postMessage(message),
    listen: (listener) => {
      const hear = ({ data }: MessageEvent<TabMessage>) => listener(data);
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
  };
}
