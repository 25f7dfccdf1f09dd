/** A slot is one of the two buffers of a zone: the element that shows an item, from loading to removal. */
import type { Cue, ProgramZone } from '../../../shared/program/program.ts';
import { el } from '../dom.ts';
import { messageOf } from '../host/faults.ts';
import type { Pile } from '../over/cover.ts';
import { makeSurface } from '../surfaces/make-surface.ts';
import type { Surface, SurfaceContext } from '../surfaces/surface.ts';
import { surfaceKey } from './turn.ts';

export type SlotState = 'loading' | 'ready' | 'failed';

/**
 * A slow disk needs a second for a large picture, and a page of the LAN some seconds. A longer load counts as a fault,
 * and the next item is shown.
 */
const LOADING_LIMIT_MS = 20_000;
/** Number of frames after which a surface with nearly no opacity has certainly been painted. */
const FRAMES_TO_PAINT = 3;

export interface SlotOptions {
  readonly zone: ProgramZone;
  /** Stacking order of the elements in the zone. */
  readonly pile: Pile;
  readonly context: Omit<SurfaceContext, 'onFault' | 'onStale' | 'fit'>;
  readonly onReady: () => void;
  readonly onFailed: (slot: Slot, message: string) => void;
  /** Called with a reason when the item can only show an old picture, and with null when it continues. */
  readonly onStale: (slot: Slot, message: string | null) => void;
}

export class Slot {
  readonly key: string;
  readonly element = el('div', 'slot');
  #cue: Cue;
  #then: Cue | null = null;
  #options: SlotOptions;
  #surface: Surface | null = null;
  #state: SlotState = 'loading';
  #loadingSince = performance.now();
  #readyAt = Infinity;
  #warmSince: number | null = null;
  #muted: boolean | null = null;
  #destroyed = false;

  constructor(cue: Cue, options: SlotOptions) {
    this.key = surfaceKey(cue.item);
    this.#cue = cue;
    this.#options = options;
    this.element.style.background = options.zone.background;
  }

  get cue(): Cue {
    return this.#cue;
  }

  get state(): SlotState {
    return this.#state;
  }

  /** Time at which the slot became ready, on the server clock; Infinity while not ready. */
  get readyAt(): number {
    return this.#readyAt;
  }

  /** Adds the slot to the document first, because a frame loads only there. */
  load(parent: HTMLElement): void {
    const { zone, context } = this.#options;
    parent.append(this.element);
    try {
      this.#surface = makeSurface(this.#cue.item, {
        ...context,
        fit: zone.fit,
        onFault: (message) => this.#fail(message),
        onStale: (message) => this.#stale(message),
      });
      this.element.append(this.#surface.element);
      this.#surface.prepare(this.#cue).then(
        () => this.#ready(),
        (error: unknown) => this.#fail(messageOf(error)),
      );
    } catch (error) {
      // The failure is reported in a microtask, like every other failure, so that the caller already knows this slot.
      queueMicrotask(() => this.#fail(messageOf(error)));
    }
  }

  /** Changes the times of the play. @param then the same item again, if it follows immediately */
  retime(cue: Cue, then: Cue | null = null): void {
    if (sameTime(cue, this.#cue) && sameTime(then, this.#then)) return;
    this.#cue = cue;
    this.#then = then;
    this.#surface?.retime?.(cue, then);
  }

  /**
   * Paints the slot too faintly to be visible (0.1 % of 255 rounds to nothing), so that showing it later needs no
   * decoding, no upload and no layout. Not from the start: a faint layer over a video prevents direct scan-out on weak
   * boards.
   */
  warm(frameIndex: number): void {
    if (this.#state !== 'ready' || this.#warmSince !== null) return;
    this.#warmSince = frameIndex;
    this.element.classList.add('warm');
    this.#options.pile.raise(this.element);
  }

  paintedBy(frameIndex: number): boolean {
    return this.#state === 'ready' && this.#warmSince !== null && frameIndex >= this.#warmSince + FRAMES_TO_PAINT;
  }

  show(muted: boolean): void {
    this.element.classList.remove('warm');
    this.element.classList.add('front');
    this.#options.pile.raise(this.element);
    this.sound(muted);
  }

  sound(muted: boolean): void {
    if (muted === this.#muted) return;
    this.#muted = muted;
    this.#surface?.show?.({ muted });
  }

  leave(): void {
    this.#surface?.leave?.();
  }

  check(now: number): void {
    if (this.#state === 'loading' && now - this.#loadingSince > LOADING_LIMIT_MS) this.#fail('loading took too long');
    else if (this.#state === 'ready') this.#surface?.check?.(now);
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#surface?.destroy();
    this.element.remove();
  }

  #ready(): void {
    if (this.#destroyed || this.#state !== 'loading') return;
    this.#state = 'ready';
    this.#readyAt = this.#options.context.host.now();
    this.#options.onReady();
  }

  #stale(message: string | null): void {
    if (!this.#destroyed) this.#options.onStale(this, message);
  }

  #fail(message: string): void {
    if (this.#destroyed || this.#state === 'failed') return;
    this.#state = 'failed';
    this.#options.onFailed(this, message);
  }
}

const sameTime = (a: Cue | null, b: Cue | null): boolean => a?.since === b?.since && a?.until === b?.until;
