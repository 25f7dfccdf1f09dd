/** Shows a button for full screen while a person sets up the screen. */
import { el } from '../../screen/dom.ts';
import { textsFor } from '../text.ts';

export class FullScreenButton {
  readonly #root: HTMLElement;
  readonly #button = el('button', 'press full-screen');
  #offered = false;
  readonly #stopped = new AbortController();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  start(): void {
    const { lang, texts } = textsFor(navigator.languages);
    this.#button.type = 'button';
    this.#button.lang = lang;
    this.#button.textContent = texts.fullScreen;
    const { signal } = this.#stopped;
    const press = () => void document.documentElement.requestFullscreen({ navigationUI: 'hide' }).catch(() => {});
    this.#button.addEventListener('click', press, { signal });
    document.addEventListener('fullscreenchange', () => this.#lay(), { signal });
  }

  stop(): void {
    this.#stopped.abort();
    this.offer(false);
  }

  /** Shows the button. The pointer is visible while the button is shown. */
  offer(offered: boolean): void {
    this.#offered = offered;
    this.#root.classList.toggle('attended', offered);
    this.#lay();
  }

  /** Phones that cannot show pages in full screen get no button. */
  #lay(): void {
    if (this.#offered && document.fullscreenEnabled && !document.fullscreenElement) this.#root.append(this.#button);
    else this.#button.remove();
  }
}
