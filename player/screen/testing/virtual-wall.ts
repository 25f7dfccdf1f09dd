/**
 * A wall in virtual time: simulated browsers with the features that a clip needs, each with its own refreshes, clock
 * error, late timers and skipped frames, running the real code that keeps clips in step. The selection of frames is
 * modelled on Chromium's VideoRendererAlgorithm.
 */
import type { TestContext } from 'node:test';
import type { Picture } from '../../../shared/protocol/wall/in-step.ts';

export const REFRESH_MS = 1000 / 60;
const FRAME_MS = 40;
/**
 * Chromium decides by counting refreshes which frame is visible, once the clip's speed was within a quarter of a per
 * cent of the pattern for 100 ms.
 */
const PATTERN = [2, 3, 2, 3, 2];
const PATTERN_WITHIN = 0.0025;
const PATTERN_HELD = 6;
/**
 * Number of frames whose mean duration Chromium compares with the pattern. Chromium stops counting when a frame is
 * further than `DRIFT_MS` from its time.
 */
const AVERAGED = 32;
const DRIFT_MS = 20;
const [LOAD_MS, SEEK_MS, START_MS] = [30, 90, 8];

/** Deterministic random numbers for a test. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Job {
  readonly at: number;
  readonly panel: VirtualPanel | null;
  readonly run: () => void;
}

export class VirtualTime {
  now = 1_000;
  panel: VirtualPanel | null = null;
  #jobs = new Map<number, Job>();
  #count = 0;

  after(ms: number, run: () => void, panel = this.panel): number {
    this.#jobs.set(++this.#count, { at: this.now + Math.max(0, ms), panel, run });
    return this.#count;
  }

  cancel(job: number): void {
    this.#jobs.delete(job);
  }

  async run(until: number): Promise<void> {
    for (;;) {
      let [next, id]: [Job | null, number] = [null, 0];
      for (const [each, job] of this.#jobs) if (!next || job.at < next.at) [next, id] = [job, each];
      if (!next || next.at > until) break;
      this.#jobs.delete(id);
      this.now = next.at;
      this.panel = next.panel;
      next.run();
      // Pending promises of the same panel continue before time advances.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.now = until;
    this.panel = null;
  }
}

/** Installs the browser APIs that the code under test uses. @param seconds duration of the clip */
export function asBrowser(t: TestContext, time: VirtualTime, seconds: number): void {
  const panel = (): VirtualPanel => {
    if (!time.panel) throw new Error('outside of any panel');
    return time.panel;
  };
  const later = (run: () => void, ms = 0): number => time.after(ms + panel().lateness(), run);
  const put = (name: string, value: unknown): void => {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() =>
      before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name),
    );
  };
  put('window', { setTimeout: later, addEventListener: () => {} });
  put('setTimeout', later);
  put('clearTimeout', (job: number) => time.cancel(job));
  put('requestAnimationFrame', (run: (at: number) => void) => panel().frame(run));
  put('cancelAnimationFrame', (job: number) => time.cancel(job));
  put('HTMLVideoElement', VirtualVideo);
  put('HTMLMediaElement', { HAVE_CURRENT_DATA: 2 });
  put('document', {
    createElement: (kind: string) =>
      kind === 'video' ? new VirtualVideo(time, panel(), seconds) : { append: () => {}, style: {} },
  });
  t.mock.method(performance, 'now', () => Math.floor(time.now * 10) / 10);
}

export class VirtualPanel {
  readonly seen: Picture[] = [];
  readonly videos: VirtualVideo[] = [];
  /** Delay in milliseconds that all timers of this panel have. */
  late = 0;
  readonly #time: VirtualTime;
  readonly #phase: number;
  readonly #random: () => number;
  /** End of the time in which the machine is busy and draws nothing. */
  #busyUntil = 0;

  /** @param phase of the refreshes of this panel */
  constructor(time: VirtualTime, phase: number, seed: number) {
    this.#time = time;
    this.#phase = phase;
    this.#random = random(seed);
    time.after(this.#untilRefresh(), () => this.#refresh(), this);
  }

  /** Timers of a busy machine are late, and sometimes much too late. */
  lateness(): number {
    if (this.late > 0) return this.late;
    return this.#random() < 0.1 ? 45 * this.#random() : 3 * this.#random();
  }

  frame(run: (at: number) => void): number {
    const wait = this.#untilRefresh();
    const at = this.#time.now + wait;
    return this.#time.after(wait + 0.01, () => run(at), this);
  }

  /** Stops everything for `ms`, including the clocks of the clips, like a decoder without data. */
  stall(ms: number): void {
    this.#busyUntil = this.#time.now + ms;
    for (const video of this.videos) video.stall(ms);
  }

  #untilRefresh(): number {
    const passed = (this.#time.now - this.#phase) / REFRESH_MS;
    return (Math.floor(passed + 1e-6) + 1 - passed) * REFRESH_MS;
  }

  #refresh(): void {
    this.#time.after(this.#untilRefresh(), () => this.#refresh(), this);
    // Every fiftieth refresh is skipped, as on a machine that is overloaded with decoding.
    if (this.#time.now < this.#busyUntil || this.#random() < 0.02) return;
    for (const video of this.videos) video.draw(1 + 5 * this.#random());
    const lit = this.videos.filter((video) => video.className === 'lit');
    const shown = lit.toSorted((a, b) => Number(a.style.zIndex) - Number(b.style.zIndex)).at(-1);
    if (shown) this.seen.push({ at: this.#time.now, meant: shown.frame, moves: true });
  }
}

type FrameCallback = (now: number, frame: { expectedDisplayTime: number; mediaTime: number }) => void;

export class VirtualVideo extends EventTarget {
  readonly style = { zIndex: '0' };
  className = '';
  muted = true;
  loop = false;
  preload = '';
  readyState = 4;
  /** Number of the visible frame. */
  frame = 0;
  readonly duration: number;
  readonly #time: VirtualTime;
  readonly #panel: VirtualPanel;
  #src = '';
  #rate = 1;
  #moving = false;
  paused = true;
  #anchor = { at: 0, position: 0 };
  #attempt = 0;
  #callbacks = new Map<number, FrameCallback>();
  #asked = 0;
  #durations: number[] = [];
  #inPattern = false;
  #held = 0;
  #place = 0;
  #drawn = 0;
  #drawnAt = 0;

  constructor(time: VirtualTime, panel: VirtualPanel, seconds: number) {
    super();
    this.duration = seconds;
    this.#time = time;
    this.#panel = panel;
    panel.videos.push(this);
  }

  get src(): string {
    return this.#src;
  }
  set src(address: string) {
    this.#src = address;
    this.#time.after(LOAD_MS, () => this.dispatchEvent(new Event('canplay')), this.#panel);
  }

  get currentTime(): number {
    return this.#position(this.#time.now) / 1000;
  }
  set currentTime(seconds: number) {
    this.#anchor = { at: this.#time.now, position: seconds * 1000 };
    this.#reset();
    this.frame = Math.floor((seconds * 1000) / FRAME_MS + 1e-6);
    this.#time.after(SEEK_MS, () => this.dispatchEvent(new Event('seeked')), this.#panel);
  }

  get ended(): boolean {
    return this.#position(this.#time.now) >= this.duration * 1000;
  }

  get playbackRate(): number {
    return this.#rate;
  }
  set playbackRate(rate: number) {
    this.#fold();
    this.#rate = rate;
  }

  async play(): Promise<void> {
    const attempt = ++this.#attempt;
    this.paused = false;
    this.#time.after(
      START_MS,
      () => {
        if (attempt !== this.#attempt) return;
        this.#fold();
        this.#moving = true;
      },
      this.#panel,
    );
  }

  pause(): void {
    this.#attempt++;
    this.#fold();
    this.#moving = false;
    this.paused = true;
    this.#reset();
  }

  stall(ms: number): void {
    if (!this.#moving) return;
    this.#fold();
    this.#anchor = { ...this.#anchor, at: this.#anchor.at + ms };
  }

  requestVideoFrameCallback(callback: FrameCallback): number {
    this.#callbacks.set(++this.#asked, callback);
    return this.#asked;
  }

  cancelVideoFrameCallback(asked: number): void {
    this.#callbacks.delete(asked);
  }
  removeAttribute(): void {}
  load(): void {}
  remove(): void {}

  /** A refresh: selects the frame that is visible from now on. The page is notified a little later. */
  draw(heardAfter: number): void {
    const now = this.#time.now;
    if (!this.#moving || this.ended) return;
    const missed = this.#drawnAt === 0 ? 0 : Math.round((now - this.#drawnAt) / REFRESH_MS) - 1;
    this.#drawn += missed;
    this.#drawnAt = now;
    this.#look();
    const next = this.#choose(now);
    this.#drawn++;
    if (next === this.frame) return;
    for (let n = this.frame; n < next; n++) this.#durations.push(FRAME_MS / this.#rate);
    this.#durations = this.#durations.slice(-AVERAGED);
    this.#place += next - this.frame;
    this.#drawn = 1;
    this.frame = next;
    const callbacks = [...this.#callbacks.values()];
    this.#callbacks.clear();
    for (const callback of callbacks)
      this.#time.after(
        heardAfter,
        () => callback(this.#time.now, { expectedDisplayTime: now, mediaTime: (next * FRAME_MS) / 1000 }),
        this.#panel,
      );
  }

  #choose(now: number): number {
    const covering = Math.max(this.frame, Math.floor(this.#position(now + REFRESH_MS / 2) / FRAME_MS));
    if (!this.#inPattern) return covering;
    const counted = this.#drawn >= (PATTERN[this.#place % PATTERN.length] ?? 2) ? this.frame + 1 : this.frame;
    const [begins, ends] = [counted * FRAME_MS - this.#position(now), this.#position(now) - (counted + 1) * FRAME_MS];
    if (Math.max(begins, ends) <= DRIFT_MS) return counted;
    this.#place = this.frame - covering;
    return covering;
  }

  /** Decides whether the clip runs at the speed of its pattern. */
  #look(): void {
    const mean = this.#durations.reduce((sum, each) => sum + each, 0) / this.#durations.length;
    const fits = this.#durations.length > 0 && Math.abs(mean / FRAME_MS - 1) < PATTERN_WITHIN;
    this.#held = fits === this.#inPattern ? 0 : this.#held + 1;
    if (this.#held < PATTERN_HELD) return;
    this.#inPattern = fits;
    this.#held = this.#place = 0;
  }

  #position(at: number): number {
    const { at: since, position } = this.#anchor;
    return Math.min(this.duration * 1000, this.#moving ? position + Math.max(0, at - since) * this.#rate : position);
  }

  #fold(): void {
    // Applies the position reached so far. A stall that has not ended yet is kept.
    if (this.#anchor.at <= this.#time.now)
      this.#anchor = { at: this.#time.now, position: this.#position(this.#time.now) };
  }

  #reset(): void {
    this.#durations = [];
    this.#inPattern = false;
    this.#held = this.#place = this.#drawn = this.#drawnAt = 0;
  }
}
