/**
 * Order of overlapping pictures. A new picture is placed on top of the old picture before it is visible, and the old
 * picture is removed once the new picture has been presented. Reason: Chromium does not draw an element that is
 * completely behind an opaque element, so a clip that is uncovered would be black for one frame.
 */
import type { FrameLoop } from '../frames/frame-loop.ts';

/** Time without a new frame after which a clip counts as standing on a frame that has been drawn. */
const STANDS_AFTER_MS = 400;
/**
 * Opacity that looks opaque (0.1 % of 255 rounds to nothing), but makes the compositor draw the elements beneath as
 * well.
 */
const ALL_BUT_OPAQUE = 0.999;

/**
 * Stacking order of elements that alternate in one place. `zIndex` grows with each change; with a change every half
 * second, its values last 34 years.
 */
export class Pile {
  #top: HTMLElement | null = null;
  #height = 0;

  /** Puts the element above the other elements from the next paint on. */
  raise(element: HTMLElement): void {
    if (element === this.#top) return;
    this.#top = element;
    element.style.zIndex = String(++this.#height);
  }
}

/**
 * Calls `then` once the changes of this frame are certainly visible: after a new frame of each clip, then two paints.
 */
export function whenPresented(loop: FrameLoop, picture: HTMLElement, then: () => void): void {
  const clips =
    picture instanceof HTMLVideoElement ? [picture] : [...picture.querySelectorAll<HTMLVideoElement>('video.lit')];
  let awaited = clips.length;
  for (const clip of clips) clip.requestVideoFrameCallback(() => awaited--);
  const since = performance.now();
  const look = (): void => {
    if (awaited > 0 && performance.now() - since < STANDS_AFTER_MS) loop.afterPaint(look);
    // Waits for two paints: when the page is notified of the first paint, the compositor may still be drawing it.
    else loop.afterPaint(() => loop.afterPaint(then));
  };
  look();
}

export interface Beneath {
  readonly loop: FrameLoop;
  /** The picture that becomes visible once the cover is removed. */
  readonly picture: HTMLElement;
}

/** Removes the cover of a picture once the picture is being drawn again. */
export function uncover(cover: HTMLElement, { loop, picture }: Beneath, then: () => void = () => {}): void {
  const opacity = Number.parseFloat(getComputedStyle(cover).opacity);
  cover.style.opacity = String(Math.min(opacity, ALL_BUT_OPAQUE));
  cover.style.pointerEvents = 'none';
  whenPresented(loop, picture, () => {
    cover.remove();
    then();
  });
}
