/** Video and audio: ready on the decoded first frame, started so that it moves at the instant, then held to the timeline. */
import type { Cue } from '../../../shared/program/program.ts';
import { type ClipPlan, clipError, clipPosition, correction, loopsOn, median, planClip, RESEEK_PAUSE_MS } from '../media-sync.ts';
import type { MediaKind } from './media-pool.ts';
import type { Surface, SurfaceContext } from './surface.ts';

/** Measurements put together before the rate is touched: at 25 frames a second a third of a second. */
const SAMPLES_PER_CORRECTION = 8;
/** The seek at load aims this far ahead, about what seeking and decoding take. */
const SEEK_LEAD_MS = 150;
/** A retimed clip further off than this is sought; less is nudged. */
const RETIME_SEEK_MS = 150;
/** A clip that should move and does not for this long is broken. */
const STALLED_AFTER_MS = 8_000;
const HALF_FRAME_MS = 1000 / 120;

export class MediaSurface implements Surface {
  readonly element = document.createElement('div');
  #kind: MediaKind;
  #context: SurfaceContext;
  #media: HTMLMediaElement;
  #cue: Cue | null = null;
  #plan: ClipPlan = { mediaMs: 1, holdFrom: Infinity };
  #timer = 0;
  #frameCallback = 0;
  #errors: number[] = [];
  /** Of seeks after the one at load. */
  #soughtAt = -Infinity;
  #playCalledAt: number | null = null;
  #visible = false;
  #muted = true;
  #progress = { position: -1, since: 0 };
  #ended = new AbortController();

  constructor(kind: MediaKind, context: SurfaceContext) {
    this.#kind = kind;
    this.#context = context;
    this.#media = context.pool.take(kind);
  }

  async prepare(cue: Cue): Promise<void> {
    this.#cue = cue;
    const media = this.#media;
    if (this.#kind === 'video') media.style.objectFit = this.#context.fit;
    this.element.append(media);
    const ready = this.#until('canplay');
    media.src = this.#context.host.assetUrl(cue.item.asset ?? '');
    await ready;
    this.#replan();
    // The one seek: a player that starts in the middle of a turn lands where the others are.
    const target = this.#wanted(SEEK_LEAD_MS);
    if (target > SEEK_LEAD_MS) await this.#seek(target);
    this.#listen();
    this.#arm();
  }

  retime(cue: Cue): void {
    this.#cue = cue;
    if (this.#media.readyState === 0) return;
    this.#replan();
    const elapsed = this.#elapsed();
    if (elapsed < 0) {
      this.#arm();
      return;
    }
    if (Math.abs(clipError(this.#plan, elapsed, this.#position())) > RETIME_SEEK_MS) this.#reseek();
    this.#keepPlaying();
  }

  show({ muted }: { readonly muted: boolean }): void {
    this.#visible = true;
    this.#muted = muted;
    if (this.#media.muted !== muted) this.#media.muted = muted;
    this.#keepPlaying();
  }

  leave(): void {
    this.#visible = false;
    this.#media.muted = true;
  }

  check(now: number): void {
    const position = this.#media.currentTime;
    const resting = this.#media.ended || this.#elapsed() < 0 || this.#elapsed() >= this.#plan.holdFrom;
    if (position !== this.#progress.position || resting) this.#progress = { position, since: now };
    else if (now - this.#progress.since > STALLED_AFTER_MS) this.#fail('the clip stopped moving');
    // Without frames to measure by (audio, or a clip that is over), the timeline is looked after from here.
    if (this.#kind === 'audio' || this.#media.ended) this.#steerByClock();
    this.#keepPlaying();
    this.#holdLastFrame();
  }

  destroy(): void {
    this.#ended.abort();
    clearTimeout(this.#timer);
    if (this.#media instanceof HTMLVideoElement) this.#media.cancelVideoFrameCallback(this.#frameCallback);
    this.#context.pool.give(this.#kind, this.#media);
  }

  #listen(): void {
    const signal = this.#ended.signal;
    this.#media.addEventListener('error', () => this.#fail(mediaMessage(this.#media)), { signal });
    this.#media.addEventListener('ended', () => this.#keepPlaying(), { signal });
    if (this.#media instanceof HTMLVideoElement) this.#requestFrame(this.#media);
  }

  #requestFrame(video: HTMLVideoElement): void {
    this.#frameCallback = video.requestVideoFrameCallback((_now, frame) => {
      if (this.#ended.signal.aborted) return;
      this.#measure(frame);
      this.#requestFrame(video);
    });
  }

  /** The frame that is about to be seen, against where the shared clock wants the clip at that moment. */
  #measure(frame: VideoFrameCallbackMetadata): void {
    const elapsed = this.#elapsed() + (frame.expectedDisplayTime - performance.now());
    if (this.#media.paused || elapsed < 0 || elapsed >= this.#plan.holdFrom) return;
    if (this.#playCalledAt !== null && frame.mediaTime > 0) this.#learnLatency(frame);
    // On average a frame is seen half a refresh after its own time; taking that off centres the error.
    const error = clipError(this.#plan, elapsed, frame.mediaTime * 1000) - HALF_FRAME_MS;
    if (this.#visible) this.#context.stats.add(error);
    this.#errors.push(error);
    if (this.#errors.length >= SAMPLES_PER_CORRECTION) this.#correct(median(this.#errors));
  }

  #learnLatency(frame: VideoFrameCallbackMetadata): void {
    const called = this.#playCalledAt ?? 0;
    this.#playCalledAt = null;
    if (frame.mediaTime < 0.5) this.#context.pool.learnLatency(frame.expectedDisplayTime - called - frame.mediaTime * 1000);
  }

  #steerByClock(): void {
    const elapsed = this.#elapsed();
    if (elapsed < 0 || elapsed >= this.#plan.holdFrom || this.#media.paused) return;
    this.#correct(clipError(this.#plan, elapsed, this.#position()));
  }

  #correct(error: number): void {
    this.#errors = [];
    const remedy = correction(error, { audible: this.#visible && !this.#muted });
    if (remedy === 'seek') {
      if (performance.now() - this.#soughtAt > RESEEK_PAUSE_MS) this.#reseek();
    } else if (Math.abs(this.#media.playbackRate - remedy.rate) > 1e-4) {
      this.#media.playbackRate = remedy.rate;
    }
    this.#media.loop = loopsOn(this.#plan, this.#elapsed());
  }

  /** The clock was set into the rest of the turn: the clip's last moments, which then stand still by themselves. */
  #holdLastFrame(): void {
    const fromEnd = this.#plan.mediaMs - this.#position();
    if (this.#elapsed() < this.#plan.holdFrom || this.#media.ended || fromEnd < RETIME_SEEK_MS) return;
    this.#media.loop = false;
    this.#media.currentTime = this.#plan.mediaMs / 1000;
  }

  /** Play when the instant comes; a little earlier by what starting takes, unseen and unheard. */
  #arm(): void {
    clearTimeout(this.#timer);
    const wait = -this.#elapsed() - this.#context.pool.startLatency;
    if (wait > 0) {
      this.#media.pause();
      if (this.#media.currentTime !== 0) this.#media.currentTime = 0;
      // Timers are late, and the clock is slewed meanwhile: look again shortly before.
      this.#timer = window.setTimeout(() => this.#arm(), wait > 500 ? wait - 400 : wait);
    } else {
      this.#keepPlaying();
    }
  }

  #keepPlaying(): void {
    const elapsed = this.#elapsed();
    const media = this.#media;
    if (this.#ended.signal.aborted || elapsed < -this.#context.pool.startLatency - 20) return;
    if (elapsed >= this.#plan.holdFrom) return;
    media.loop = loopsOn(this.#plan, elapsed);
    if (media.ended) media.currentTime = clipPosition(this.#plan, elapsed) / 1000;
    if (!media.paused && !media.ended) return;
    this.#playCalledAt = performance.now();
    media.play().catch((error: unknown) => {
      if (this.#ended.signal.aborted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      // A bare browser that nobody has touched yet may play, but not aloud.
      media.muted = true;
      this.#muted = true;
      media.play().catch(() => undefined);
    });
  }

  #reseek(): void {
    this.#soughtAt = performance.now();
    this.#errors = [];
    this.#playCalledAt = null;
    this.#media.currentTime = this.#wanted(this.#plan.mediaMs > 2 * SEEK_LEAD_MS ? SEEK_LEAD_MS / 2 : 0) / 1000;
  }

  async #seek(positionMs: number): Promise<void> {
    const done = this.#until('seeked');
    this.#media.currentTime = positionMs / 1000;
    await done;
    if (this.#media.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await this.#until('canplay');
  }

  #until(event: 'canplay' | 'seeked'): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const signal = AbortSignal.any([done.signal, this.#ended.signal]);
      const settle = (how: () => void) => () => {
        done.abort();
        how();
      };
      this.#media.addEventListener(event, settle(resolve), { signal });
      this.#media.addEventListener(
        'error',
        settle(() => reject(new Error(mediaMessage(this.#media)))),
        { signal },
      );
    });
  }

  #replan(): void {
    const cue = this.#cue;
    if (!cue) return;
    const measured = this.#media.duration * 1000;
    const mediaMs = Number.isFinite(measured) && measured > 0 ? measured : (cue.item.media_ms ?? cue.item.duration_ms);
    this.#plan = planClip(cue.until - cue.since, mediaMs);
  }

  #elapsed(): number {
    return this.#cue ? this.#context.host.now() - this.#cue.since : -Infinity;
  }

  #wanted(ahead: number): number {
    return clipPosition(this.#plan, this.#elapsed() + ahead);
  }

  #position(): number {
    return this.#media.currentTime * 1000;
  }

  #fail(message: string): void {
    if (this.#ended.signal.aborted) return;
    this.#context.onFault(message);
  }
}

const mediaMessage = (media: HTMLMediaElement): string =>
  `the ${media instanceof HTMLVideoElement ? 'video' : 'sound'} cannot be played (${media.error?.message || `code ${media.error?.code ?? 0}`})`;
