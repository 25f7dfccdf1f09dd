/** What a passer-by cannot do to a screen: no menu, selection, drag, zoom, shortcut, dialog or window. The cursor is CSS's. */

/** A kiosk page typed into by touch gets its keys in its own frame; nothing in ours wants any. */
const REFUSED_EVENTS = ['contextmenu', 'selectstart', 'dragstart', 'dragover', 'drop', 'gesturestart', 'dblclick', 'auxclick'] as const;
const KEYS = ['keydown', 'keypress'] as const;

export interface KioskOptions {
  /** Whose keys they are: nobody's, or those of a person whose browser this is. */
  readonly keys: 'refused' | 'browser';
}

export class Kiosk {
  #stopped = new AbortController();
  readonly #keys: KioskOptions['keys'];

  constructor({ keys }: KioskOptions) {
    this.#keys = keys;
  }

  start(): void {
    const { signal } = this.#stopped;
    const refuse = (event: Event): void => event.preventDefault();
    for (const name of this.#keys === 'refused' ? [...REFUSED_EVENTS, ...KEYS] : REFUSED_EVENTS) window.addEventListener(name, refuse, { signal, capture: true });
    // Ctrl + wheel and two fingers zoom.
    window.addEventListener('wheel', refuse, { signal, capture: true, passive: false });
    window.addEventListener('touchmove', refuse, { signal, capture: true, passive: false });
    window.open = () => null;
    window.alert = () => undefined;
    window.confirm = () => false;
    window.prompt = () => null;
    window.print = () => undefined;
  }

  stop(): void {
    this.#stopped.abort();
  }
}
