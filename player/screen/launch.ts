/** The address an operator opened with the `launch` command, instead of the program. */
import { backoff } from './backoff.ts';
import { el } from './dom.ts';
import type { ScreenHost } from './host.ts';
import { restrict } from './surfaces/frame.surface.ts';
import { probe } from './surfaces/probe.ts';

/** 5, 10, 20 … 60 s: the program plays meanwhile. */
const RETRY_BASE_MS = 5_000;
const RETRY_CEILING_MS = 60_000;

export class Launch {
  #parent: HTMLElement;
  #host: Pick<ScreenHost, 'report' | 'pageProblem'>;
  #opened: { readonly url: string; readonly frame: HTMLIFrameElement; readonly ended: AbortController; visible: boolean } | null = null;

  constructor(parent: HTMLElement, host: Pick<ScreenHost, 'report' | 'pageProblem'>) {
    this.#parent = parent;
    this.#host = host;
  }

  covers(url: string): boolean {
    return this.#opened?.url === url && this.#opened.visible;
  }

  /** @param onVisible called when the page covers the screen; not called when nobody answers at the address */
  open(url: string, onVisible: () => void): void {
    if (this.#opened?.url === url) return;
    this.close();
    const opened = { url, frame: el('iframe', ''), ended: new AbortController(), visible: false };
    this.#opened = opened;
    restrict(opened.frame, 'launch', url);
    opened.frame.classList.add('waiting');
    const { signal } = opened.ended;
    opened.frame.addEventListener(
      'load',
      () => {
        opened.frame.classList.remove('waiting');
        opened.frame.classList.add('live');
        opened.visible = true;
        onVisible();
      },
      { once: true, signal },
    );
    this.#load(url, opened.frame, signal);
  }

  close(): void {
    this.#opened?.ended.abort();
    this.#opened?.frame.remove();
    this.#opened = null;
  }

  #load(url: string, frame: HTMLIFrameElement, signal: AbortSignal, attempt = 0): void {
    probe(this.#host, url, signal).then(
      () => {
        if (signal.aborted) return;
        frame.src = url;
        this.#parent.append(frame);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (attempt === 0) this.#host.report({ type: 'fault', item_id: null, asset: null, message: `${url}: ${error instanceof Error ? error.message : String(error)}` });
        const timer = setTimeout(() => this.#load(url, frame, signal, attempt + 1), backoff(attempt, RETRY_BASE_MS, RETRY_CEILING_MS));
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      },
    );
  }
}
