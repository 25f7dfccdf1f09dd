/**
 * What replaces a picture lies on top of it before it is seen, and what is covered goes once its successor has been
 * presented. Chromium does not draw what lies wholly under something opaque: a clip that comes to light from beneath is
 * black for a frame.
 */
import type { FrameLoop } from './frame-loop.ts';

/** A clip that has had no new frame for this long is taken to stand still on a picture that has been drawn. */
const STANDS_AFTER_MS = 400;
/** Looks opaque (0.1 % of 255 rounds to nothing), but makes the compositor draw what is beneath as well. */
const ALL_BUT_OPAQUE = 0.999;

/**
 * The order of elements that take turns in one place. At a change every half second the numbers of `zIndex` last 34
 * years.
 */
export class Pile {
  #top: HTMLElement | null = null;
  #height = 0;

  /** Puts the element over all the others, from the next paint on. */
  raise(element: HTMLElement): void {
    if (element === this.#top) return;
    this.#top = element;
    element.style.zIndex = String(++this.#height);
  }
}

/**
 * Calls once what this frame changed in a picture is surely on the glass: a new frame of its clips, then two paints.
 */
export function whenPresented(loop: FrameLoop, picture: HTMLElement, then: () => void): void {
  const clips =
    picture instanceof HTMLVideoElement ? [picture] : [...picture.querySelectorAll<HTMLVideoElement>('video.lit')];
  let awaited = clips.length;
  for (const clip of clips) clip.requestVideoFrameCallback(() => awaited--);
  const since = performance.now();
  const look = (): void => {
    if (awaited > 0 && performance.now() - since < STANDS_AFTER_MS) loop.afterPaint(look);
    // Two paints: the compositor may still be drawing the first one when the page is told about it.
    else loop.afterPaint(() => loop.afterPaint(then));
  };
  look();
}

export interface Beneath {
  readonly loop: FrameLoop;
  /** What is seen once nothing covers it. */
  readonly picture: HTMLElement;
}

/** Takes away what lay over a picture, once the picture is being drawn again. */
export function uncover(cover: HTMLElement, { loop, picture }: Beneath, then: () => void = () => {}): void {
  const opacity = Number.parseFloat(getComputedStyle(cover).opacity);
  cover.style.opacity = String(Math.min(opacity, ALL_BUT_OPAQUE));
  cover.style.pointerEvents = 'none';
  whenPresented(loop, picture, () => {
    cover.remove();
    then();
  });
}
