/** Shows the device's name over everything until the given instant, so that people can identify the screen. */

import { el } from '../dom.ts';
import type { FrameLoop } from '../frames/frame-loop.ts';
import type { ScreenHost } from '../host/host.ts';
import { mark } from '../pages/brand.ts';
import { uncover } from './cover.ts';

interface Context {
  readonly host: Pick<ScreenHost, 'now'>;
  readonly loop: FrameLoop;
}

export interface Identification {
  readonly name: string;
  /** Names of the groups of the device. */
  readonly groups: readonly string[];
  /** End of the identification on the server clock; null: no identification. */
  readonly until: number | null;
}

/** Maximum number of groups. More groups would push the name off a small panel. */
const GROUPS_SHOWN = 3;

export class Identify {
  #parent: HTMLElement;
  #context: Context;
  #shown: { readonly what: string; readonly until: number; readonly element: HTMLElement } | null = null;
  #undo: (() => void) | null = null;

  constructor(parent: HTMLElement, context: Context) {
    this.#parent = parent;
    this.#context = context;
  }

  set(asked: Identification): void {
    const { name, groups, until } = asked;
    const what = JSON.stringify(asked);
    if (this.#shown?.what === what) return;
    this.hide();
    if (until === null || until <= this.#context.host.now()) return;
    const label = el('span', 'identify-name', name);
    // The name fits on at most two lines if its words are short enough. A name of one letter does not fill the whole
    // wall.
    const longestLine = Math.max(...name.split(/\s+/).map((word) => [...word].length), Math.ceil([...name].length / 2));
    label.style.setProperty('--letters', String(Math.max(4, longestLine)));
    const element = el('div', 'identify', mark(), label);
    if (groups.length > 0)
      element.append(el('ul', 'identify-groups', ...groups.slice(0, GROUPS_SHOWN).map((group) => el('li', '', group))));
    this.#shown = { what, until, element };
    this.#parent.append(element);
    this.#undo = this.#context.loop.onFrame(() => this.#tick());
  }

  hide(): void {
    this.#undo?.();
    this.#undo = null;
    if (this.#shown) uncover(this.#shown.element, { loop: this.#context.loop, picture: this.#parent });
    this.#shown = null;
  }

  #tick(): number {
    if (!this.#shown) return Infinity;
    const left = this.#shown.until - this.#context.host.now();
    if (left <= 0) this.hide();
    return left;
  }
}
