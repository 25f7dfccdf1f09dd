/**
 * A fake computer with TVs and Electron, with the documented and known behaviour. The system moves a window of a
 * removed display to another display. A window that fills a display stays there. A page that hangs never answers and
 * can only be ended. `destroy` only fires `closed`. While displays change the list may be empty. After a crash of the
 * graphics process pages are blank until they are reloaded.
 */
import type { Undo } from '../../core/ports.ts';
import { covers } from '../kiosk-keeper.ts';
import type { Display, Displays, KioskWindow, Machine, Rectangle, WindowOptions } from '../machine.ts';
import type { PretendAgents } from './pretend-agents.ts';
import type { PretendTime } from './pretend-time.ts';

const LOAD_MS = 100;
/** Time after which a moved window reports its new position. */
const MOVE_MS = 300;
const ERROR_PAGE = 'chrome-error://chromewebdata/';
const never = <T>(): Promise<T> => new Promise<T>(() => {});

export interface Tv {
  id: number;
  label: string;
  width: number;
  height: number;
}

export class PretendWindow implements KioskWindow {
  readonly #machine: PretendMachine;
  readonly options: WindowOptions;
  rectangle: Rectangle;
  kiosk = true;
  isThere = true;
  /** Whether moves of the window have no effect (macOS, between two displays: electron#34976). */
  isStuck = false;
  moves = 0;
  page = '';
  renderer: 'well' | 'hung' | 'stopped' | 'gone' = 'well';
  isBlank = true;
  #loads = 0;
  #asked: (() => void)[] = [];

  constructor(machine: PretendMachine, options: WindowOptions) {
    this.#machine = machine;
    this.options = options;
    this.rectangle = machine.placeFor(options.bounds);
  }

  bounds(): Rectangle {
    this.#mustBeThere();
    return this.rectangle;
  }

  isKiosk(): boolean {
    this.#mustBeThere();
    return this.kiosk;
  }

  moveTo(bounds: Rectangle): void {
    this.#mustBeThere();
    this.moves++;
    this.#machine.time.after(MOVE_MS, () => {
      if (!this.isThere || this.isStuck) return;
      this.kiosk = true;
      this.rectangle = this.#machine.placeFor(bounds);
    });
  }

  load(address: string): Promise<void> {
    this.#mustBeThere();
    const load = ++this.#loads;
    if (this.renderer === 'hung' || this.renderer === 'stopped') return never();
    return new Promise((resolve, reject) => {
      this.#machine.time.after(LOAD_MS, () => {
        const agent = this.#machine.agents.at(address);
        if (load !== this.#loads) return reject(new Error('ERR_ABORTED'));
        if (!this.isThere || agent?.state === 'hung') return;
        this.renderer = 'well';
        this.isBlank = !agent;
        this.page = agent ? address : ERROR_PAGE;
        if (agent) resolve();
        else reject(new Error('ERR_CONNECTION_REFUSED'));
      });
    });
  }

  address(): Promise<string> {
    this.#mustBeThere();
    if (this.renderer === 'well') return Promise.resolve(this.page);
    return new Promise((resolve) => this.#asked.push(() => resolve(this.page)));
  }

  /** Ends a hang of the page. The page then answers the requests that it received during the hang. */
  recover(): void {
    this.renderer = 'well';
    for (const answer of this.#asked.splice(0)) answer();
  }

  endPage(): void {
    this.#mustBeThere();
    if (this.renderer !== 'stopped') this.crash();
  }

  picture(): Promise<string | null> {
    this.#mustBeThere();
    return Promise.resolve(this.isBlank ? null : 'QQ==');
  }

  destroy(): void {
    if (!this.isThere) return;
    this.isThere = false;
    this.options.closed();
  }

  /** Simulates a page that reloaded itself while its server did not answer. */
  loseItself(): void {
    if (this.renderer !== 'well') return;
    this.page = ERROR_PAGE;
    this.isBlank = true;
  }

  crash(): void {
    if (!this.isThere || this.renderer === 'gone') return;
    this.renderer = 'gone';
    this.#asked = [];
    this.isBlank = true;
    this.#machine.time.after(1, () => this.isThere && this.options.pageGone('crashed'));
  }

  /** Throws the same error as Electron: `Object has been destroyed`. */
  #mustBeThere(): void {
    if (!this.isThere) throw new TypeError('Object has been destroyed');
  }
}

export class PretendMachine implements Machine {
  readonly time: PretendTime;
  readonly agents: PretendAgents;
  readonly windows: PretendWindow[] = [];
  usesGpu = true;
  placesWindows = true;
  /** Number of next windows that open on the primary display instead of the requested display. */
  misplaced = 0;
  /** Number of next windows that fail to open. */
  refused = 0;
  awake = 0;
  /** Present TVs by position; the first is the primary display. */
  tvs: Tv[];
  /** Whether the system reports no displays, as while displays change. */
  saysNone = false;
  readonly #displays = new Set<() => void>();
  readonly #resumes = new Set<() => void>();
  readonly #gpu = new Set<() => void>();

  constructor(time: PretendTime, agents: PretendAgents, tvs: readonly Tv[]) {
    this.time = time;
    this.agents = agents;
    this.tvs = [...tvs];
  }

  get standing(): PretendWindow[] {
    return this.windows.filter(({ isThere }) => isThere);
  }

  readonly displays = (): Displays => {
    const all = this.saysNone ? [] : this.tvs.map((tv) => this.displayOf(tv));
    return { all: all.toReversed(), primary: all[0] };
  };

  displayOf(tv: Tv): Display {
    const before = this.tvs.slice(0, this.tvs.indexOf(tv));
    const x = before.reduce((sum, { width }) => sum + width, 0);
    return { id: tv.id, label: tv.label, internal: false, bounds: { x, y: 0, width: tv.width, height: tv.height } };
  }

  /** Returns the complete display for the given bounds. */
  placeFor(bounds: Rectangle): Rectangle {
    const all = this.tvs.map((tv) => this.displayOf(tv).bounds);
    if (this.misplaced > 0) {
      this.misplaced--;
      return all[0] ?? bounds;
    }
    const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
    return (
      all.find(
        ({ x, y, width, height }) => middle.x >= x && middle.x < x + width && middle.y >= y && middle.y < y + height,
      ) ??
      all[0] ??
      bounds
    );
  }

  readonly open = (options: WindowOptions): KioskWindow => {
    if (this.refused > 0) {
      this.refused--;
      throw new Error('no window');
    }
    const window = new PretendWindow(this, options);
    this.windows.push(window);
    return window;
  };

  readonly onDisplays = (listener: () => void): Undo => listen(this.#displays, listener);
  readonly onResume = (listener: () => void): Undo => listen(this.#resumes, listener);
  readonly onGpuGone = (listener: () => void): Undo => listen(this.#gpu, listener);
  readonly keepAwake = (): Undo => {
    this.awake++;
    return () => void this.awake--;
  };

  /** Replaces the displays. Windows keep their positions if possible; otherwise they move to the primary display. */
  become(tvs: readonly Tv[], { quietly = false } = {}): void {
    this.tvs = [...tvs];
    for (const window of this.standing) {
      const on = this.tvs.map((tv) => this.displayOf(tv).bounds).find((bounds) => covers(bounds, window.rectangle));
      if (!on && this.tvs.length > 0) window.rectangle = this.displayOf(this.tvs[0]!).bounds;
    }
    if (!quietly) for (const tell of [...this.#displays]) tell();
  }

  resume(): void {
    for (const tell of [...this.#resumes]) tell();
  }

  crashGpu(): void {
    for (const window of this.standing) window.isBlank = true;
    for (const tell of [...this.#gpu]) tell();
  }

  get listeners(): number {
    return this.#displays.size + this.#resumes.size + this.#gpu.size;
  }
}

const listen = (listeners: Set<() => void>, listener: () => void): Undo => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
