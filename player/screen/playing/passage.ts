/**
 * Draws a transition from the old to the new picture of a zone. The positions of both in each frame are computed from
 * the shared clock.
 */
import type { Transition } from '../../../shared/program/program.ts';
import { meetingAt, progressAt } from '../../../shared/program/transition.ts';
import type { Frame } from '../frames/frame-loop.ts';
import type { Slot } from './slot.ts';
import { type FrameCount, isLate } from './transition-care.ts';

interface Options {
  readonly transition: Transition;
  /** Start of the new play on the server clock. */
  readonly since: number;
  readonly from: Slot;
  readonly to: Slot;
}

export class Passage {
  readonly from: Slot;
  readonly #options: Options;
  readonly #width: number;
  #drawnAt: number | null = null;
  #count: FrameCount = { frames: 0, late: 0 };

  constructor(options: Options) {
    this.#options = options;
    this.from = options.from;
    this.#width = options.to.element.offsetWidth;
  }

  /** Number of frames drawn so far, and how many of them were late. */
  get count(): FrameCount {
    return this.#count;
  }

  /** @param at server clock when this frame will be visible. @returns false: the transition is over */
  draw(frame: Frame, at: number): boolean {
    const { transition, since, from, to } = this.#options;
    const progress = progressAt(transition, since, at);
    this.#counted(frame);
    if (progress >= 1) return false;
    const { right, uncovered, opacity, left } = meetingAt(transition.kind, progress);
    // Rounded to whole pixels. Otherwise a picture between pixels would be rasterized again in each frame, and a gap
    // could appear.
    const gone = Math.round(left * this.#width);
    Object.assign(to.element.style, {
      opacity: opacity === 1 ? '' : String(opacity),
      transform: moved(right > 0 ? this.#width - gone : 0),
      clipPath: uncovered === 1 ? '' : `inset(0 ${100 * (1 - uncovered)}% 0 0)`,
    });
    from.element.style.transform = moved(-gone);
    return true;
  }

  /** Ends the transition at once: only the new picture is visible, above the old picture. */
  end(): void {
    Object.assign(this.#options.to.element.style, { opacity: '', transform: '', clipPath: '' });
  }

  #counted(frame: Frame): void {
    const passed = this.#drawnAt === null ? 0 : frame.time - this.#drawnAt;
    this.#drawnAt = frame.time;
    this.#count = {
      frames: this.#count.frames + 1,
      late: this.#count.late + (isLate(passed, frame.interval) ? 1 : 0),
    };
  }
}

const moved = (pixels: number): string => (pixels === 0 ? '' : `translateX(${pixels}px)`);
