/** Which screen is this? The device's name over everything, until the given instant. */
import { el } from './dom.ts';
import type { FrameLoop } from './frame-loop.ts';
import type { ScreenHost } from './host.ts';
import { mark } from './pages/brand.ts';

export class Identify {
  #parent: HTMLElement;
  #context: { readonly host: Pick<ScreenHost, 'now'>; readonly loop: FrameLoop };
  #shown: { readonly name: string; readonly until: number; readonly element: HTMLElement } | null = null;
  #undo: (() => void) | null = null;

  constructor(parent: HTMLElement, context: { readonly host: Pick<ScreenHost, 'now'>; readonly loop: FrameLoop }) {
    this.#parent = parent;
    this.#context = context;
  }

  set(name: string, until: number | null): void {
    if (until !== null && this.#shown?.name === name && this.#shown.until === until) return;
    this.hide();
    if (until === null || until <= this.#context.host.now()) return;
    const label = el('span', 'identify-name', name);
    // On two lines at most where its words allow it; a name of one letter need not fill a wall.
    const longestLine = Math.max(...name.split(/\s+/).map((word) => [...word].length), Math.ceil([...name].length / 2));
    label.style.setProperty('--letters', String(Math.max(4, longestLine)));
    const element = el('div', 'identify', mark(), label);
    this.#shown = { name, until, element };
    this.#parent.append(element);
    this.#undo = this.#context.loop.onFrame(() => this.#tick());
  }

  hide(): void {
    this.#undo?.();
    this.#undo = null;
    this.#shown?.element.remove();
    this.#shown = null;
  }

  #tick(): number {
    if (!this.#shown) return Infinity;
    const left = this.#shown.until - this.#context.host.now();
    if (left <= 0) this.hide();
    return left;
  }
}
