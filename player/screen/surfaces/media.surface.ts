/**
 * Video and audio. Two decks alternate: while one deck plays a run of the clip, the other deck waits at the first frame
 * of the next run, because an element that loops by itself stops for one to three frames and gets out of step. Every
 * other jump (a start in the middle, a clock jump) is also made by the invisible deck.
 */
import type { Cue } from '../../../shared/program/program.ts';
import { el } from '../dom.ts';
import type { Frame } from '../frames/frame-loop.ts';
import { messageOf } from '../host/faults.ts';
import { Pile, whenPresented } from '../over/cover.ts';
import { ClipTimeline } from '../playing/media-sync.ts';
import { audioPicture } from './audio-picture.ts';
import { Deck } from './deck.ts';
import type { MediaKind } from './media-pool.ts';
import type { Surface, SurfaceContext } from './surface.ts';

/** Milliseconds before a run at which the spare deck loads the clip and seeks to the start of the run. */
const GET_READY_MS = 3_000;
/** Milliseconds before a run at which the spare deck is painted with nearly no opacity. */
const WARM_MS = 1_000;
/**
 * Smallest change of a start, in milliseconds, for which the clip jumps. For a smaller change, its speed is corrected.
 */
const SHIFT_MS = 150;
/** Minimum interval of jumps that correct a clip. A machine that is too slow would otherwise jump all the time. */
const JUMP_PAUSE_MS = 4_000;
/**
 * Minimum length of a clip for two decks. A shorter clip loops by itself, because no deck could be prepared in time.
 */
const TOO_SHORT_MS = 500;
/** Time without movement after which a clip that should move counts as broken. */
const STALLED_AFTER_MS = 8_000;

export class MediaSurface implements Surface {
  readonly element = el('div', '');
  readonly #kind: MediaKind;
  readonly #context: SurfaceContext;
  #cue: Cue | null = null;
  #timeline: ClipTimeline | null = null;
  #front: Deck | null = null;
  #spare: Deck | null = null;
  /**
   * The spare deck while the new front deck is not yet certainly visible. The spare deck must not change until then.
   */
  #covered: Deck | null = null;
  readonly #pile = new Pile();
  #sound: { readonly muted: boolean } | null = null;
  #jumpedAt = -Infinity;
  #progress = { position: -1, since: 0 };
  #undo: (() => void) | null = null;
  #destroyed = false;

  constructor(kind: MediaKind, context: SurfaceContext) {
    this.#kind = kind;
    this.#context = context;
  }

  async prepare(cue: Cue): Promise<void> {
    this.#cue = cue;
    if (this.#kind === 'audio') this.element.append(audioPicture(cue.item.name));
    const deck = this.#makeDeck();
    this.#front = deck;
    await deck.load(this.#url(cue));
    if (this.#destroyed) return;
    const timeline = this.#plan(cue, null);
    deck.media.loop = timeline.mediaMs < TOO_SHORT_MS;
    await deck.cue(timeline.startOf(this.#context.host.now()));
    if (this.#destroyed) return;
    deck.light();
    this.#undo = this.#context.loop.onFrame((frame) => this.#tick(frame));
  }

  retime(cue: Cue, then: Cue | null): void {
    this.#cue = cue;
    if (this.#undo === null) return;
    this.#plan(cue, then);
    this.#context.loop.wake();
  }

  show(sound: { readonly muted: boolean }): void {
    this.#sound = sound;
    this.#front?.show(sound);
  }

  leave(): void {
    this.#sound = null;
    this.#front?.leave();
  }

  check(now: number): void {
    const position = this.#front?.moving ?? null;
    if (position === null || position !== this.#progress.position)
      this.#progress = { position: position ?? -1, since: now };
    else if (now - this.#progress.since > STALLED_AFTER_MS) this.#context.onFault('the playback stopped unexpectedly');
  }

  destroy(): void {
    this.#destroyed = true;
    this.#undo?.();
    this.#front?.destroy();
    this.#spare?.destroy();
    this.#front = this.#spare = null;
  }

  /** Determines the run that is visible in this frame, and prepares or switches decks. */
  #tick(frame: Frame): number {
    const [front, timeline] = [this.#front, this.#timeline];
    if (!front || !timeline || front.media.loop) return Infinity;
    front.check();
    const at = this.#context.aim.seenAt(frame);
    const start = timeline.startOf(at);
    const off = start - (front.start ?? -Infinity);
    if (off !== 0 && Math.abs(off) < SHIFT_MS) front.shift(start);
    if (Math.abs(off) >= SHIFT_MS) return this.#change(start);
    if (front.lost && (this.#spare?.start === start || frame.time - this.#jumpedAt > JUMP_PAUSE_MS)) {
      this.#jumpedAt = frame.time;
      return this.#change(start);
    }
    const next = timeline.nextStart(at);
    const left = next - at;
    // The spare deck is not prepared at the start of a run, when the decoder is busy, but later.
    const early = Math.min(GET_READY_MS, timeline.mediaMs / 2);
    if (left < early) this.#getReady(next);
    if (left < WARM_MS) this.#warm();
    return left - (left > early ? early : left > WARM_MS ? WARM_MS : 0);
  }

  /**
   * Changes to another run, or to the same run at the right position. The other deck takes over as soon as it has the
   * picture.
   */
  #change(start: number): number {
    const [front, spare] = [this.#front, this.#spare];
    if (spare?.start !== start) {
      this.#getReady(start);
      this.#warm();
    } else if (spare.ready) {
      this.#front = spare;
      this.#spare = front;
      spare.light();
      if (this.#sound) spare.show(this.#sound);
      front?.leave();
      this.#covered = front;
      whenPresented(this.#context.loop, spare.media, () => {
        this.#covered = null;
        if (!this.#destroyed) front?.retire();
        this.#context.loop.wake();
      });
    }
    return 0;
  }

  /** Makes the spare deck ready to show: at the beginning of a run, or in the middle of a run that has begun. */
  #getReady(start: number): void {
    const cue = this.#cue;
    if (!cue || this.#covered || this.#spare?.start === start) return;
    const deck = this.#spare ?? this.#makeDeck();
    const loaded = this.#spare ? Promise.resolve() : deck.load(this.#url(cue));
    this.#spare = deck;
    deck.retire();
    deck.shift(start);
    loaded
      .then(() => deck.cue(start))
      .then(
        () => this.#context.loop.wake(),
        (error: unknown) => !this.#destroyed && this.#context.onFault(messageOf(error)),
      );
  }

  #warm(): void {
    if (!this.#covered) this.#spare?.warm();
  }

  #makeDeck(): Deck {
    const deck = new Deck(this.#kind, { ...this.#context, pile: this.#pile });
    this.element.append(deck.media);
    return deck;
  }

  #plan(cue: Cue, then: Cue | null): ClipTimeline {
    const mediaMs = this.#front?.mediaMs ?? cue.item.media_ms ?? cue.item.duration_ms;
    this.#timeline = new ClipTimeline(mediaMs, cue, then);
    return this.#timeline;
  }

  #url(cue: Cue): string {
    return this.#context.host.assetUrl(cue.item.asset ?? '');
  }
}
