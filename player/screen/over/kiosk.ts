/** Blocks menus, selection, dragging, zoom, shortcuts, dialogs and windows for visitors. CSS hides the cursor. */

/** Input into kiosk pages happens in frames, which have their own guard (agent/browser/frame-guard.ts). */
const REFUSED_EVENTS = [
  'contextmenu',
  'selectstart',
  'dragstart',
  'dragover',
  'drop',
  'gesturestart',
  'dblclick',
  'auxclick',
] as const;
const KEYS = ['keydown', 'keypress'] as const;

export interface KioskOptions {
  /** `browser`: the keys work as usual, because the page runs in a person's own browser. */
  readonly keys: 'refused' | 'browser';
}

export class Kiosk {
  #stopped = new AbortController();
  readonly #deps: KioskOptions;

  constructor(deps: KioskOptions) {
    this.#deps = deps;
  }

  start(): void {
    const { signal } = this.#stopped;
    const refuse = (event: Event): void => event.preventDefault();
    for (const name of this.#deps.keys === 'refused' ? [...REFUSED_EVENTS, ...KEYS] : REFUSED_EVENTS)
      window.addEventListener(name, refuse, { signal, capture: true });
    // Blocks Ctrl + wheel and two fingers, because they zoom.
    window.addEventListener('wheel', refuse, { signal, capture: true, passive: false });
    window.addEventListener('touchmove', refuse, { signal, capture: true, passive: false });
    // Blocks the fourth and fifth mouse buttons, because they navigate back and forward.
    for (const name of ['mousedown', 'mouseup'] as const)
      window.addEventListener(name, (event) => event.button > 2 && event.preventDefault(), { signal, capture: true });
    if (this.#deps.keys === 'refused') this.#keepTab(signal);
    window.open = () => null;
    window.alert = () => undefined;
    window.confirm = () => false;
    window.prompt = () => null;
    window.print = () => undefined;
  }

  /**
   * Keeps Tab within the page: elements before the first and after the last field return the focus, which would
   * otherwise go to the browser's own buttons.
   */
  #keepTab(signal: AbortSignal): void {
    const ends = [document.createElement('span'), document.createElement('span')] as const;
    let last: Element | null = null;
    for (const end of ends) {
      end.tabIndex = 0;
      end.addEventListener('focus', () => last instanceof HTMLIFrameElement && last.isConnected && last.focus());
    }
    // This window loses the focus when a frame gets it.
    window.addEventListener('blur', () => (last = document.activeElement), { signal });
    document.body.prepend(ends[0]);
    document.body.append(ends[1]);
    signal.addEventListener('abort', () => ends.map((end) => end.remove()), { once: true });
  }

  stop(): void {
    this.#stopped.abort();
  }
}
