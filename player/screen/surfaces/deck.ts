/**
 * One media element that plays one run of a clip. The deck is prepared on the decoded frame, started so that the frame
 * moves at the planned instant, and then synchronized with the shared clock. The element plays from the start of the
 * run to the end of the clip and stops there. The next run belongs to another deck.
 */
import { pause } from '../host/backoff.ts';
import { mediaMessage, messageOf } from '../host/faults.ts';
import type { Pile } from '../over/cover.ts';
import { instantOf } from '../playing/instant.ts';
import { LOST_FRESH_MS, LOST_MS, nudge, Pattern, startAfterRefresh, sway, swaySlope } from '../playing/media-sync.ts';
import { median } from '../playing/sync-stats.ts';
import type { MediaKind } from './media-pool.ts';
import type { SurfaceContext } from './surface.ts';

/**
 * Milliseconds by which a deck that joins a run in the middle seeks ahead. The deck then waits at this position until
 * the clock is there. If the time was too short for the seek, the next value is tried.
 */
const JOIN_LEADS_MS = [80, 200, 600, 1_500];
/**
 * A deck that missed the beginning of its run by more than this (a late timer) joins the run a little later. A smaller
 * delay is corrected by faster playback, which is visible for a shorter time than a seek.
 */
const MISSED_MS = LOST_FRESH_MS;
/**
 * Number of missed starts after which the clip plays without a start on time, because the machine's timers are always
 * late.
 */
const MOST_MISSES = 2;
/** The first timer ends this long before the start of a clip. A second timer waits for the remaining time. */
const SHORTLY_MS = 25;
const STEER_EVERY_MS = 100;
/** Number of measured errors of which the median counts, because on a busy machine a single measurement may be late. */
const STEADIED = 3;
/**
 * Milliseconds after its start for which the speed of a clip is corrected at every frame. A change of the sound is not
 * noticed yet.
 */
const FRESH_MS = 400;
/**
 * Milliseconds by which the clip is moved ahead or behind for a limited time when its frames are on the wrong
 * refreshes.
 */
const STIR_MS = 5;
const STIR_FOR_MS = 800;
const STIR_PAUSE_MS = 10_000;
const CALM = { by: 0, until: -Infinity };
/**
 * Distance from the end of a clip, in milliseconds, that is inside the last frame. Seeking to the very end shows
 * nothing.
 */
const BEFORE_END_MS = 10;
/** Time after a start at which the start latency is measured, because the clip is certainly running then. */
const SETTLED_MS = 60;

interface Context extends Pick<SurfaceContext, 'host' | 'loop' | 'aim' | 'pool' | 'stats' | 'saw' | 'fit' | 'onFault'> {
  /** Stacking order of the decks of one surface. */
  readonly pile: Pile;
}

export class Deck {
  readonly media: HTMLMediaElement;
  readonly #kind: MediaKind;
  readonly #context: Context;
  readonly #pattern = new Pattern();
  readonly #ended = new AbortController();
  /** Planned beginning of the clip on the server clock; null: the deck is not assigned to a run. */
  #start: number | null = null;
  /** Start of the run on this panel, moved to a refresh of the panel. */
  #due = 0;
  #ready = false;
  #attempt = 0;
  #misses = 0;
  #timer = 0;
  #frameCallback = 0;
  #played: { readonly at: number; readonly from: number; learned: boolean } | null = null;
  #steeredAt = 0;
  #errors: number[] = [];
  #stirred = CALM;
  #frameAt = 0;
  #heard = false;
  #awaitsTouch = false;
  #visible = false;

  constructor(kind: MediaKind, context: Context) {
    this.#kind = kind;
    this.#context = context;
    this.media = context.pool.acquire(kind);
    if (kind === 'video') this.media.style.objectFit = context.fit;
    this.#look('hidden');
  }

  get start(): number | null {
    return this.#start;
  }

  /** Whether the picture of the deck is right, or will be right at the start of the run. */
  get ready(): boolean {
    return this.#ready;
  }

  get mediaMs(): number | null {
    const { duration } = this.media;
    return Number.isFinite(duration) && duration > 0 ? duration * 1000 : null;
  }

  /** Whether the position error is too large to be corrected by a small change of speed (nudge). */
  get lost(): boolean {
    return (
      this.#ready &&
      !this.media.paused &&
      !this.media.ended &&
      Math.abs(this.#clockError()) > (this.#isFresh ? LOST_FRESH_MS : LOST_MS)
    );
  }

  /** Position in the clip; null while the clip intentionally stands still. */
  get moving(): number | null {
    const resting = this.media.ended || !this.#played || this.#elapsed() >= (this.mediaMs ?? Infinity) - BEFORE_END_MS;
    return resting ? null : this.media.currentTime;
  }

  async load(url: string): Promise<void> {
    const ready = this.#until('canplay');
    this.media.src = url;
    await ready;
    // If the browser does not support the video codec, it would play only the sound, over black. The clip fails
    // instead.
    if (this.media instanceof HTMLVideoElement && this.media.videoWidth === 0)
      throw new Error(
        'this computer can play the audio of the video, but not its images: convert it to MP4 with H.264',
      );
    this.media.addEventListener('error', (event) => this.#fail(event), { signal: this.#ended.signal });
    if (this.media instanceof HTMLVideoElement) this.#requestFrame(this.media);
  }

  /** Prepares the deck for the run that begins (or began) at `start`. Resolves when {@link ready}. */
  async cue(start: number): Promise<void> {
    this.#misses = 0;
    await this.#cue(start);
  }

  async #cue(start: number): Promise<void> {
    this.#plan(start);
    this.#ready = false;
    this.#played = null;
    this.#frameAt = 0;
    this.#errors = [];
    this.#pattern.reset();
    this.#stirred = CALM;
    clearTimeout(this.#timer);
    this.media.pause();
    this.media.playbackRate = 1 + (this.#context.aim.inWall ? swaySlope(0) : 0);
    const attempt = ++this.#attempt;
    const elapsed = this.#elapsed();
    if (elapsed <= 0 && (this.media.currentTime !== 0 || this.media.ended)) await this.#seek(0);
    if (attempt === this.#attempt && this.#wanted() - this.media.currentTime * 1000 > MISSED_MS)
      await this.#join(attempt);
    if (attempt !== this.#attempt || this.#ended.signal.aborted) return;
    this.#ready = true;
    this.#arm();
  }

  /** Moves the start of the run a little. Small changes of speed bring the clip to its new position. */
  shift(start: number): void {
    this.#plan(start);
  }

  /** Paints the deck with nearly no opacity, so that showing it later costs nothing. */
  warm(): void {
    this.#look('faint');
  }

  /** Shows the deck over the other decks of its surface from this frame on. */
  light(): void {
    this.#look('lit');
  }

  /** Makes this deck the visible deck and, unless muted, audible. */
  show({ muted }: { readonly muted: boolean }): void {
    if (!this.#visible && this.#kind === 'video')
      this.#context.loop.afterPaint((paintedAt) => this.#visible && this.#saw(paintedAt, this.#frameAt));
    this.#visible = true;
    this.sound(muted);
    this.check();
  }

  sound(muted: boolean): void {
    this.#heard = !muted;
    if (this.media.muted === muted) return;
    const wasMoving = !this.media.paused;
    this.media.muted = muted;
    // Browsers stop media that would become audible before a person has touched the page.
    if (wasMoving && this.media.paused) this.#playSilently();
  }

  /** Stops the deck and frees it for another run, once another deck has been painted over it. */
  retire(): void {
    this.leave();
    this.#attempt++;
    this.#start = this.#played = null;
    this.#ready = false;
    clearTimeout(this.#timer);
    this.media.pause();
    this.#look('hidden');
  }

  leave(): void {
    this.#visible = false;
    this.sound(true);
  }

  /** Corrects the effect of a late timer or a clock jump. Called regularly. */
  check(): void {
    if (!this.#ready) return;
    if (!this.#played) return this.#arm();
    if (this.#kind === 'audio') this.#steer(this.#clockError());
  }

  destroy(): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
    if (this.media instanceof HTMLVideoElement) this.media.cancelVideoFrameCallback(this.#frameCallback);
    this.#look('hidden');
    this.#context.pool.release(this.#kind, this.media);
  }

  #plan(start: number): void {
    const { aim, pool } = this.#context;
    const frameMs = pool.frameMs(this.media.src);
    this.#start = start;
    this.#due =
      aim.startOf(start) + (aim.own && frameMs !== undefined ? startAfterRefresh(frameMs, aim.own.period_ms) : 0);
  }

  #look(how: 'hidden' | 'faint' | 'lit'): void {
    this.media.className = how === 'hidden' ? '' : how;
    // A deck that is painted with nearly no opacity also goes on top, so that only its opacity changes when it becomes
    // visible.
    if (how !== 'hidden') this.#context.pile.raise(this.media);
  }

  /** Seeks to the position that the clock will have when the seek is done, and waits there. */
  async #join(attempt: number): Promise<void> {
    for (const lead of JOIN_LEADS_MS) {
      const end = (this.mediaMs ?? 0) - BEFORE_END_MS;
      const target = this.#wanted(lead);
      await this.#seek(Math.min(target, end));
      if (attempt !== this.#attempt || target >= end) return;
      const wait = target - this.#wanted();
      if (wait < 0) continue;
      // Until the wait is over, the picture of this deck belongs to a future instant and must not be shown.
      return pause(wait - SHORTLY_MS);
    }
  }

  /**
   * Starts playing before the planned instant by the start latency, so that the picture moves at the planned instant.
   */
  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#ended.signal.aborted || this.#played || !this.#ready) return;
    const end = (this.mediaMs ?? Infinity) - BEFORE_END_MS;
    if (this.media.currentTime * 1000 >= end - 1) return;
    const wait = this.media.currentTime * 1000 - this.#wanted() - this.#context.pool.startLatency(this.#kind);
    // Waits in two steps: a timer may be late, and the clock may be slewed meanwhile, so the time is checked again
    // shortly before the start.
    if (wait > 1) this.#timer = window.setTimeout(() => this.#arm(), wait > 500 ? wait - 400 : wait);
    else if (wait < -MISSED_MS && this.#start !== null && ++this.#misses <= MOST_MISSES)
      this.#cue(this.#start).catch((error: unknown) => this.#fail(error));
    else this.#play();
  }

  #play(): void {
    this.#played = { at: performance.now(), from: this.media.currentTime * 1000, learned: false };
    this.media.play().catch((error: unknown) => {
      if (this.#ended.signal.aborted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      this.#playSilently();
    });
  }

  /** A bare browser may play without a touch of a person, but only muted. */
  #playSilently(): void {
    this.media.muted = true;
    this.media.play().catch(() => undefined);
    if (this.#awaitsTouch) return;
    this.#awaitsTouch = true;
    for (const touch of ['click', 'touchend', 'keydown']) {
      window.addEventListener(touch, () => this.sound(!this.#heard), { capture: true, signal: this.#ended.signal });
    }
  }

  #requestFrame(video: HTMLVideoElement): void {
    this.#frameCallback = video.requestVideoFrameCallback((_now, frame) => {
      if (this.#ended.signal.aborted) return;
      this.#measure(frame);
      this.#requestFrame(video);
    });
  }

  /** Compares the frame that is about to be visible with the position of the shared clock at that moment. */
  #measure({ expectedDisplayTime, mediaTime }: VideoFrameCallbackMetadata): void {
    const now = performance.now();
    const elapsed = this.#elapsed();
    if (!this.#played || this.media.loop || this.media.paused || this.media.ended || elapsed < 0) return;
    const clockError = this.#clockError();
    this.#learn(now);
    // A frame before the first movement is ignored, because it says nothing about the position.
    if (mediaTime * 1000 <= this.#played.from) return;
    const frameError = this.#wanted(expectedDisplayTime - now) - mediaTime * 1000;
    this.#pattern.add(frameError - clockError);
    if (mediaTime * 1000 > this.#frameAt)
      this.#context.pool.learnFrame(this.media.src, mediaTime * 1000 - this.#frameAt);
    this.#frameAt = mediaTime * 1000;
    if (this.#visible) {
      this.#context.stats.add(frameError);
      this.#saw(expectedDisplayTime, this.#frameAt);
    }
    if (!this.#played.learned) return;
    this.#errors = [...this.#errors.slice(1 - STEADIED), clockError];
    if (this.#isFresh) this.#steer(clockError);
    else if (now - this.#steeredAt >= STEER_EVERY_MS) this.#steer(median(this.#errors) ?? 0);
    if (this.lost) this.#context.loop.wake();
  }

  /** Reports that the frame at this position of the clip is visible at this moment (page clock). */
  #saw(at: number, place: number): void {
    if (this.#start !== null)
      this.#context.saw({ at: instantOf(this.#context.host, at), meant: this.#start + place, moves: true });
  }

  /** Measures the latency from play() to the first movement. */
  #learn(now: number): void {
    const played = this.#played;
    if (!played || played.learned || now - played.at < SETTLED_MS) return;
    played.learned = true;
    this.#context.pool.learnLatency(
      this.#kind,
      now - played.at - (this.media.currentTime * 1000 - played.from) / this.media.playbackRate,
    );
  }

  get #isFresh(): boolean {
    return this.#played !== null && performance.now() - this.#played.at < FRESH_MS;
  }

  #steer(error: number): void {
    this.#steeredAt = performance.now();
    const fresh = this.#isFresh;
    const slope = this.#context.aim.inWall ? swaySlope(this.#elapsed()) : 0;
    // Faster playback would be audible.
    const sprints = fresh && !this.#heard;
    const rate = nudge(error + this.#stir(), {
      audible: this.#heard && !fresh,
      nudged: Math.abs(this.media.playbackRate - 1 - slope) > 1e-4,
      fresh: sprints,
      slope,
    });
    if (Math.abs(this.media.playbackRate - rate) > 1e-4) this.media.playbackRate = rate;
  }

  /**
   * Returns how many milliseconds the clip should be ahead (positive) for a moment, so that its frames fall on the
   * right refreshes again.
   */
  #stir(): number {
    const period = this.#context.aim.own?.period_ms;
    const now = performance.now();
    if (period === undefined || this.#context.aim.inWall) return 0;
    if (now < this.#stirred.until) {
      if (this.#pattern.settled(period)) this.#stirred = { by: 0, until: now };
      return this.#stirred.by;
    }
    const off = now - this.#stirred.until < STIR_PAUSE_MS ? 0 : this.#pattern.off(period);
    if (off === 0) return 0;
    this.#pattern.reset();
    this.#stirred = { by: off * STIR_MS, until: now + STIR_FOR_MS };
    return this.#stirred.by;
  }

  async #seek(positionMs: number): Promise<void> {
    const done = this.#until('seeked');
    this.media.currentTime = Math.max(0, positionMs) / 1000;
    await done;
    if (this.media.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await this.#until('canplay');
  }

  #until(event: 'canplay' | 'seeked'): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const signal = AbortSignal.any([done.signal, this.#ended.signal]);
      const settle = (how: () => void) => () => {
        done.abort();
        how();
      };
      this.media.addEventListener(event, settle(resolve), { signal });
      this.media.addEventListener(
        'error',
        settle(() => reject(new Error(this.#problem()))),
        { signal },
      );
    });
  }

  #elapsed(): number {
    return this.#start === null ? -Infinity : this.#context.host.now() - this.#due;
  }

  /** Returns the position in the clip that the clock requires, now or in `ahead` milliseconds. */
  #wanted(ahead = 0): number {
    const elapsed = this.#elapsed() + ahead;
    return elapsed + (this.#context.aim.inWall ? sway(elapsed) : 0);
  }

  #clockError(): number {
    return this.#wanted() - this.media.currentTime * 1000;
  }

  #fail(error: unknown): void {
    if (!this.#ended.signal.aborted) this.#context.onFault(error instanceof Error ? messageOf(error) : this.#problem());
  }

  #problem(): string {
    return mediaMessage(this.media instanceof HTMLVideoElement ? 'video' : 'sound', this.media.error);
  }
}
