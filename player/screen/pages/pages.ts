/** The pages of a screen without a program: searching, choosing, pairing, idle. One page at a time, over the stage. */

import { el } from '../dom.ts';
import type { ScreenState } from '../host/host.ts';
import { type Beneath, Pile, uncover, whenPresented } from '../over/cover.ts';
import { type Texts, textsFor } from '../text.ts';
import { choosingPage } from './choosing.page.ts';
import { idlePage } from './idle.page.ts';
import { pairingPage } from './pairing.page.ts';
import { searchingPage } from './searching.page.ts';

export type PageState =
  | Extract<ScreenState, { phase: 'searching' | 'choosing' | 'pairing' }>
  | { readonly phase: 'idle'; readonly device_name: string };

/** Interval of small moves of the page, which prevent burn-in on OLED panels. */
const DRIFT_EVERY_MS = 60_000;

export class Pages {
  #parent = el('div', 'pages');
  #over: Beneath;
  readonly #pile = new Pile();
  #page: HTMLElement | null = null;
  #shown = '';
  #drift = 0;
  #drifted = 0;

  constructor(parent: HTMLElement, over: Beneath) {
    this.#over = over;
    parent.append(this.#parent);
  }

  show(state: PageState): void {
    const shown = JSON.stringify(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const old = this.#page;
    const page = this.#build(state);
    this.#page = page;
    if (old) {
      // Fades from the old page to the new page. If a program is visible beneath, the new page appears at once, so that
      // the program can be removed.
      page.classList.add('fading');
      page.addEventListener(
        'animationend',
        ({ target }) => target === page && whenPresented(this.#over.loop, page, () => old.remove()),
      );
    }
    this.#parent.append(page);
    this.#pile.raise(page);
    this.#startDrift();
  }

  hide(): void {
    clearInterval(this.#drift);
    this.#drift = 0;
    for (const page of [...this.#parent.children]) if (page !== this.#page) page.remove();
    if (this.#page) uncover(this.#page, this.#over);
    this.#page = null;
    this.#shown = '';
  }

  destroy(): void {
    this.hide();
    this.#parent.remove();
  }

  #build(state: PageState): HTMLElement {
    const { lang, texts } = textsFor(navigator.languages);
    const page = el('main', `page ${state.phase}`, el('div', 'glow'));
    page.lang = lang;
    page.append(...contentOf(state, texts));
    return page;
  }

  #startDrift(): void {
    if (this.#drift !== 0) return;
    this.#drift = window.setInterval(() => {
      this.#drifted = (this.#drifted + 1) % 4;
      if (this.#page) this.#page.dataset.drift = String(this.#drifted);
    }, DRIFT_EVERY_MS);
  }
}

function contentOf(state: PageState, texts: Texts): Node[] {
  switch (state.phase) {
    case 'searching':
      return searchingPage(state, texts);
    case 'choosing':
      return choosingPage(state, texts);
    case 'pairing':
      return pairingPage(state, texts);
    case 'idle':
      return idlePage(state.device_name);
    default:
      state satisfies never;
      return [];
  }
}
