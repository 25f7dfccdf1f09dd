/** The address an operator opened with the `launch` command, instead of the program. */
import { backoff } from './backoff.ts';
import { Pile, uncover, whenPresented } from './cover.ts';
import { el } from './dom.ts';
import type { FrameLoop } from './frame-loop.ts';
import type { ScreenHost } from './host.ts';
import { LiveFrame } from './surfaces/live-frame.ts';
import { probe } from './surfaces/probe.ts';

/** 5, 10, 20 … 60 s: the program plays meanwhile. */
const RETRY_BASE_MS = 5_000;
const RETRY_CEILING_MS = 60_000;
const LOADING_LIMIT_MS = 20_000;

interface Opened {
  readonly url: string;
  readonly frame: LiveFrame;
  readonly ended: AbortController;
  /** Failures since it was last seen. */
  readonly attempt: number;
  visible: boolean;
}

export interface LaunchDeps {
  readonly host: Pick<ScreenHost, 'report' | 'pageProblem'>;
  readonly loop: FrameLoop;
  /** What is seen when it is closed. */
  readonly picture: HTMLElement;
  /** The page covers the screen. Not called while nobody answers at the address. */
  readonly onVisible: () => void;
  /** The page broke, and covers nothing any more. */
  readonly onGone: () => void;
}

export class Launch {
  #parent = el('div', 'launches');
  #deps: LaunchDeps;
  readonly #pile = new Pile();
  #opened: Opened | null = null;
  /** Another address was opened; this one stays until that page, or the program, is there. */
  #before: Opened | null = null;
  #muted = false;

  constructor(parent: HTMLElement, deps: LaunchDeps) {
    this.#deps = deps;
    parent.append(this.#parent);
  }

  covers(url: string): boolean {
    return this.#opened?.url === url && this.#opened.visible;
  }

  open(url: string): void {
    if (this.#opened?.url === url) return;
    const left = this.#opened;
    remove(left?.visible ? this.#before : left);
    if (left?.visible) this.#before = left;
    this.#try(url, 0);
  }

  /** Of this page and of the next ones. */
  sound(muted: boolean): void {
    if (muted === this.#muted) return;
    this.#muted = muted;
    for (const opened of [this.#opened, this.#before]) if (opened?.visible) opened.frame.sound(muted);
  }

  close(): void {
    this.uncover();
    const opened = this.#opened;
    this.#opened = null;
    if (opened?.visible) this.#leave(opened);
    else remove(opened);
  }

  /** The program is beneath: an address before this one may go, whatever becomes of this one. */
  uncover(): void {
    const before = this.#before;
    this.#before = null;
    if (before) this.#leave(before);
  }

  #leave({ ended, frame }: Opened): void {
    ended.abort();
    frame.hush();
    uncover(frame.element, this.#deps, () => frame.destroy());
  }

  #try(url: string, attempt: number): void {
    const ended = new AbortController();
    const { signal } = ended;
    const frame = new LiveFrame({
      kind: 'launch',
      muted: this.#muted,
      onBroken: (reason) => this.#failed(opened, reason),
      onStale: (reason) => reason !== null && this.#report(url, `${reason}; its last picture stays`),
      answers: () => probe(this.#deps.host, url, signal),
    });
    const opened: Opened = { url, frame, ended, attempt, visible: false };
    this.#opened = opened;
    const timer = setTimeout(() => this.#failed(opened, 'it did not load in time'), LOADING_LIMIT_MS);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    this.#load(opened).then(
      () => {
        clearTimeout(timer);
        if (!signal.aborted) this.#reveal(opened);
      },
      (error: unknown) => this.#failed(opened, error instanceof Error ? error.message : String(error)),
    );
  }

  async #load({ url, frame, ended }: Opened): Promise<void> {
    await probe(this.#deps.host, url, ended.signal);
    if (ended.signal.aborted) return;
    frame.element.classList.add('waiting');
    this.#parent.append(frame.element);
    this.#pile.raise(frame.element);
    await frame.open(url);
  }

  #reveal(opened: Opened): void {
    const { frame } = opened;
    frame.element.classList.remove('waiting');
    frame.element.classList.add('live');
    opened.visible = true;
    frame.sound(this.#muted);
    whenPresented(this.#deps.loop, frame.element, () => {
      if (this.#opened !== opened) return;
      remove(this.#before);
      this.#before = null;
      this.#deps.onVisible();
    });
  }

  /** The program plays, and the address is tried again behind it. */
  #failed(opened: Opened, reason: string): void {
    if (opened.ended.signal.aborted) return;
    if (opened !== this.#opened) return this.#uncoverBroken(opened);
    const { url, visible } = opened;
    const attempt = visible ? 0 : opened.attempt;
    if (attempt === 0) this.#report(url, reason);
    opened.ended.abort();
    opened.visible = false;
    const again = new AbortController();
    this.#opened = { ...opened, ended: again };
    const timer = setTimeout(
      () => {
        this.close();
        this.#try(url, attempt + 1);
      },
      backoff(attempt, RETRY_BASE_MS, RETRY_CEILING_MS),
    );
    again.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    if (visible) this.#deps.onGone();
    else opened.frame.element.remove();
  }

  /** Another address was opened already, and the program plays beneath. */
  #uncoverBroken(opened: Opened): void {
    if (opened === this.#before) this.#before = null;
    remove(opened);
  }

  #report(url: string, message: string): void {
    this.#deps.host.report({ type: 'fault', item_id: null, asset: null, message: `${url}: ${message}` });
  }
}

const remove = (opened: Opened | null | undefined): void => {
  opened?.ended.abort();
  opened?.frame.destroy();
  opened?.frame.element.remove();
};
