/** The address an operator opened with the `launch` command, instead of the program. */
import { backoff } from './backoff.ts';
import { PAINT_AFTER_LOAD_MS, Pile, uncover, whenPresented } from './cover.ts';
import { el } from './dom.ts';
import type { FrameLoop } from './frame-loop.ts';
import type { ScreenHost } from './host.ts';
import { restrict } from './surfaces/frame.surface.ts';
import { probe } from './surfaces/probe.ts';

/** 5, 10, 20 … 60 s: the program plays meanwhile. */
const RETRY_BASE_MS = 5_000;
const RETRY_CEILING_MS = 60_000;

interface Opened {
  readonly url: string;
  readonly frame: HTMLIFrameElement;
  readonly ended: AbortController;
  visible: boolean;
}

export interface LaunchContext {
  readonly host: Pick<ScreenHost, 'report' | 'pageProblem'>;
  readonly loop: FrameLoop;
  /** What is seen when it is closed. */
  readonly picture: HTMLElement;
}

export class Launch {
  #parent = el('div', 'launches');
  #context: LaunchContext;
  readonly #pile = new Pile();
  #opened: Opened | null = null;
  /** Another address was opened; this one stays until that page, or the program, is there. */
  #before: Opened | null = null;

  constructor(parent: HTMLElement, context: LaunchContext) {
    this.#context = context;
    parent.append(this.#parent);
  }

  covers(url: string): boolean {
    return this.#opened?.url === url && this.#opened.visible;
  }

  /** @param onVisible called when the page covers the screen; not called when nobody answers at the address */
  open(url: string, onVisible: () => void): void {
    if (this.#opened?.url === url) return;
    const left = this.#opened;
    this.#remove(left?.visible ? this.#before : left);
    if (left?.visible) this.#before = left;
    const opened: Opened = { url, frame: el('iframe', ''), ended: new AbortController(), visible: false };
    this.#opened = opened;
    restrict(opened.frame, 'launch', url);
    opened.frame.classList.add('waiting');
    const { signal } = opened.ended;
    opened.frame.addEventListener('load', () => setTimeout(() => this.#reveal(opened, onVisible), PAINT_AFTER_LOAD_MS), { once: true, signal });
    this.#load(url, opened.frame, signal);
  }

  close(): void {
    this.uncover();
    const opened = this.#opened;
    this.#opened = null;
    opened?.ended.abort();
    if (opened?.visible) uncover(opened.frame, this.#context);
    else opened?.frame.remove();
  }

  /** The program is beneath: an address before this one may go, whatever becomes of this one. */
  uncover(): void {
    const before = this.#before;
    this.#before = null;
    before?.ended.abort();
    if (before) uncover(before.frame, this.#context);
  }

  #reveal(opened: Opened, onVisible: () => void): void {
    if (this.#opened !== opened) return;
    opened.frame.classList.remove('waiting');
    opened.frame.classList.add('live');
    opened.visible = true;
    whenPresented(this.#context.loop, opened.frame, () => {
      if (this.#opened !== opened) return;
      this.#remove(this.#before);
      this.#before = null;
      onVisible();
    });
  }

  #remove(opened: Opened | null): void {
    opened?.ended.abort();
    opened?.frame.remove();
  }

  #load(url: string, frame: HTMLIFrameElement, signal: AbortSignal, attempt = 0): void {
    const { host } = this.#context;
    probe(host, url, signal).then(
      () => {
        if (signal.aborted) return;
        frame.src = url;
        this.#parent.append(frame);
        this.#pile.raise(frame);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (attempt === 0) host.report({ type: 'fault', item_id: null, asset: null, message: `${url}: ${error instanceof Error ? error.message : String(error)}` });
        const timer = setTimeout(() => this.#load(url, frame, signal, attempt + 1), backoff(attempt, RETRY_BASE_MS, RETRY_CEILING_MS));
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      },
    );
  }
}
