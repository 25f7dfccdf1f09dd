/**
 * Creates the elements of the page: an upright box for the content of this panel, and in it the canvas for the picture
 * of the whole wall.
 */
import type { Placement } from '../../shared/program/program.ts';
import { el } from './dom.ts';
import { type Size, type StageGeometry, stageGeometry } from './stage-geometry.ts';

export class Stage {
  /** The picture for the viewer. Pages, overlay and identification are direct children. */
  readonly upright = el('div', 'upright');
  /** The canvas of the whole wall (without a wall the whole picture). Programs are inside. */
  readonly canvas = el('div', 'canvas');
  #root: HTMLElement;
  #placement: Placement | null = null;
  #geometry: StageGeometry | null = null;
  #onResize = (): void => this.#lay();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  get size(): Size {
    return this.#geometry?.upright ?? { width: window.innerWidth, height: window.innerHeight };
  }

  start(): void {
    this.upright.append(this.canvas);
    this.#root.append(this.upright);
    window.addEventListener('resize', this.#onResize);
    this.#lay();
  }

  stop(): void {
    window.removeEventListener('resize', this.#onResize);
    this.upright.remove();
  }

  place(placement: Placement | null): void {
    this.#placement = placement;
    this.#lay();
  }

  #lay(): void {
    const geometry = stageGeometry({ width: window.innerWidth, height: window.innerHeight }, this.#placement);
    if (JSON.stringify(geometry) === JSON.stringify(this.#geometry)) return;
    this.#geometry = geometry;
    const { upright, canvas, turn } = geometry;
    set(this.upright, {
      width: `${upright.width}px`,
      height: `${upright.height}px`,
      left: `calc(50% - ${upright.width / 2}px)`,
      top: `calc(50% - ${upright.height / 2}px)`,
      transform: turn === 0 ? 'none' : `rotate(${turn}deg)`,
    });
    set(this.canvas, {
      left: `${canvas.x}px`,
      top: `${canvas.y}px`,
      width: `${canvas.width}px`,
      height: `${canvas.height}px`,
      transform: canvas.stretchY === 1 ? 'none' : `scale(1, ${canvas.stretchY})`,
    });
  }
}

const set = (element: HTMLElement, style: Partial<CSSStyleDeclaration>): void =>
  void Object.assign(element.style, style);
