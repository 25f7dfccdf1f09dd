/**
 * Keeps one window open on one display, with the page of the screen. Results of calls are not trusted: the position
 * of the window and the answers of the page are checked repeatedly and corrected, at most 30 s apart.
 */
import { isOf } from '../../shared/desktop/pages.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import type { Log, Time, Undo } from '../core/ports.ts';
import type { KioskWindow, Machine, Rectangle } from './machine.ts';

/**
 * Number of unanswered checks, 5 s apart, after which a page counts as hanging; a long decode of a picture takes less.
 */
const HUNG_LOOKS = 3;
/** Number of checks, 5 s apart, after which a page that is still loading is loaded again. */
const LATE_LOOKS = 6;
/** Number of failed loads after which the agent is at fault, although it reports that its page works. */
const MAX_FAILED_LOADS = 4;
const MOVED_AFTER_MS = 1_000;
const LAST_MOVE_MS = 30_000;
/**
 * Maximum number of moves. A window that was moved this often, and reopened, is left alone for a while, because each
 * attempt is visible.
 */
const MAX_MOVES = 6;
const LOOKS_LEFT_ALONE = 60;
/**
 * Number of checks, 5 s apart (two minutes), after which a screen whose page does not answer is reported as not well.
 */
const UNWELL_LOOKS = 24;
/** Minimum share of the display that the window must cover. macOS excludes a notch, and pixels are rounded. */
const COVERED = 0.95;

interface Deps {
  readonly machine: Machine;
  readonly time: Pick<Time, 'mono' | 'after'>;
  readonly log: Pick<Log, 'warn'>;
  readonly place: number;
  /** Called when the agent's page fails to load repeatedly. */
  readonly noPage: () => void;
}

const area = ({ width, height }: Rectangle): number => width * height;

/** Returns whether both rectangles have nearly the same position and size. */
export const covers = (a: Rectangle, b: Rectangle): boolean => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 && width * height >= COVERED * Math.max(area(a), area(b));
};

export class KioskKeeper {
  readonly #deps: Deps;
  #window: KioskWindow | undefined;
  #wanted: Rectangle | undefined;
  #page: string | undefined;
  #opens = NO_RESTARTS;
  #loads = NO_RESTARTS;
  #failedLoads = 0;
  /** Number of opened pages and loads. An answer with an earlier number is ignored. */
  #turn = 0;
  #isLoading = false;
  #isAsked = false;
  /** Number of checks without an answer. */
  #silent = 0;
  /** Number of checks of a loading page that still answers with the previous page. */
  #late = 0;
  /** Whether the page was ended because it hung. */
  #isEnded = false;
  #moves = 0;
  #leftAlone = 0;
  #unwell = 0;
  #cancelOpen: Undo | undefined;
  #cancelLoad: Undo | undefined;
  #cancelMove: Undo | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the display of the screen is present. */
  get isShown(): boolean {
    return this.#wanted !== undefined;
  }

  /** Whether the page has answered recently. False after two minutes without an answer. */
  get isWell(): boolean {
    return this.#unwell < UNWELL_LOOKS;
  }

  /** @param bounds of its display; undefined: the display is gone, and the window closes */
  showOn(bounds: Rectangle | undefined): void {
    if (!bounds) return this.close();
    const before = this.#wanted;
    this.#wanted = bounds;
    if (
      before &&
      before.x === bounds.x &&
      before.y === bounds.y &&
      before.width === bounds.width &&
      before.height === bounds.height
    )
      return;
    this.#moves = 0;
    this.#leftAlone = 0;
    this.#unwell = 0;
    if (this.#window) this.#settle();
    else this.#open();
  }

  /** @param page undefined: no page for now; the current content stays */
  show(page: string | undefined): void {
    this.#page = page;
    this.#failedLoads = 0;
    this.#cancelLoad?.();
    this.#load();
  }

  reload(): void {
    this.#load();
  }

  picture(): Promise<string | null> {
    return this.#window?.picture().catch(() => null) ?? Promise.resolve(null);
  }

  /** Resets the counters, because nothing could answer while the computer slept. */
  resetCounters(): void {
    this.#silent = 0;
    this.#unwell = 0;
    this.#leftAlone = 0;
  }

  /** Checks the window and its page, and corrects faults. Called every 5 s. */
  check(): void {
    if (!this.#wanted) return;
    this.#unwell++;
    // If there is no page to load, the agent is at fault, not this window.
    if (!this.#page && this.#window) this.#unwell = 0;
    if (this.#leftAlone > 0) this.#leftAlone--;
    this.#settle();
    if (this.#window && !this.#cancelLoad) this.#ask(this.#window);
  }

  close(): void {
    this.#wanted = undefined;
    for (const cancel of [this.#cancelOpen, this.#cancelLoad, this.#cancelMove]) cancel?.();
    this.#cancelOpen = this.#cancelLoad = this.#cancelMove = undefined;
    this.#destroy();
  }

  #destroy(): void {
    this.#turn++;
    const window = this.#window;
    this.#window = undefined;
    window?.destroy();
  }

  #open(): void {
    if (!this.#wanted || this.#window || this.#cancelOpen) return;
    let window: KioskWindow | undefined;
    let isGone = false;
    const closed = () => {
      isGone = true;
      if (!window || this.#window !== window) return;
      this.#window = undefined;
      this.#turn++;
      this.#openLater('was closed');
    };
    try {
      window = this.#deps.machine.open({
        place: this.#deps.place,
        bounds: this.#wanted,
        mayBeAt: (address) => this.#page !== undefined && isOf(new URL(this.#page).origin, address),
        closed,
        pageGone: (reason) => {
          if (this.#window !== window) return;
          this.#answers();
          this.#loadLater(`has ended (${reason})`);
        },
      });
    } catch (error) {
      this.#deps.log.warn('a window could not be opened', error);
    }
    if (!window || isGone) return this.#openLater('could not be opened');
    this.#window = window;
    this.#answers();
    this.#load();
    this.#settle();
  }

  #openLater(why: string): void {
    if (!this.#wanted) return;
    this.#deps.log.warn(`the window of screen ${this.#deps.place} ${why} and is opened again`);
    const next = restartAfter(this.#opens, this.#deps.time.mono());
    this.#opens = next.restarts;
    this.#cancelOpen?.();
    this.#cancelOpen = this.#deps.time.after(next.delayMs, () => {
      this.#cancelOpen = undefined;
      this.#open();
    });
  }

  #reopen(why: string): void {
    this.#destroy();
    this.#openLater(why);
  }

  #load(): void {
    this.#cancelLoad?.();
    this.#cancelLoad = undefined;
    const turn = ++this.#turn;
    this.#isAsked = false;
    this.#late = 0;
    if (!this.#window || !this.#page) return;
    this.#isLoading = true;
    this.#window.load(this.#page).then(
      () => {
        if (this.#turn === turn) this.#isLoading = false;
      },
      () => {
        if (this.#turn === turn) this.#loadLater('could not be loaded');
      },
    );
  }

  #loadLater(why: string): void {
    this.#turn++;
    this.#isAsked = false;
    if (!this.#page) return;
    this.#deps.log.warn(`the page of screen ${this.#deps.place} ${why} and is loaded again`);
    if (why === 'could not be loaded' && ++this.#failedLoads >= MAX_FAILED_LOADS) {
      this.#failedLoads = 0;
      this.#deps.noPage();
    }
    const next = restartAfter(this.#loads, this.#deps.time.mono());
    this.#loads = next.restarts;
    this.#cancelLoad?.();
    this.#cancelLoad = this.#deps.time.after(next.delayMs, () => this.#load());
  }

  #ask(window: KioskWindow): void {
    if (this.#isAsked) return this.#mendSilence(window);
    this.#isAsked = true;
    const turn = this.#turn;
    const answered = (address: string | undefined) => {
      if (this.#turn !== turn) return;
      this.#isAsked = false;
      if (address !== undefined) this.#answers();
      if (!this.#page) return;
      const isThere = address !== undefined && isOf(new URL(this.#page).origin, address);
      // An answer does not prove that the page is right: the initial empty page answers as well, and so does Chromium's
      // own error page.
      if (!isThere && this.#isLoading && ++this.#late < LATE_LOOKS) return;
      if (!isThere) return this.#loadLater('could not be loaded');
      this.#isLoading = false;
      this.#unwell = 0;
      this.#failedLoads = 0;
    };
    window.address().then(answered, () => answered(undefined));
  }

  #answers(): void {
    this.#silent = 0;
    this.#isEnded = false;
  }

  #mendSilence(window: KioskWindow): void {
    if (++this.#silent < HUNG_LOOKS) return;
    if (this.#isEnded) return this.#reopen('hangs');
    this.#deps.log.warn(`the page of screen ${this.#deps.place} does not answer and is ended`);
    this.#isEnded = true;
    this.#silent = 0;
    window.endPage();
  }

  /**
   * The system may place a window at another position, at once or when displays change. The window is moved
   * (electron#21052), and reopened if that fails.
   */
  #settle(): void {
    const [window, wanted] = [this.#window, this.#wanted];
    if (!window || !wanted || this.#cancelMove || this.#leftAlone > 0) return;
    if (window.isKiosk() && covers(window.bounds(), wanted)) {
      this.#moves = 0;
      return;
    }
    const again = Math.min(LAST_MOVE_MS, MOVED_AFTER_MS * 2 ** this.#moves++);
    if (this.#moves > MAX_MOVES) {
      this.#deps.log.warn(`the window of screen ${this.#deps.place} does not stay on its display`);
      this.#moves = 0;
      this.#leftAlone = LOOKS_LEFT_ALONE;
      return;
    }
    if (this.#moves % 3 === 0) return this.#reopen('is not on its display');
    window.moveTo(wanted);
    this.#cancelMove = this.#deps.time.after(again, () => {
      this.#cancelMove = undefined;
      this.#settle();
    });
  }
}
