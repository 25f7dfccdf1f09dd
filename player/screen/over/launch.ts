/** The page that an operator opened with the `launch` command instead of the program. */

import { el } from '../dom.ts';
import { after, backoff } from '../host/backoff.ts';
import { messageOf } from '../host/faults.ts';
import type { ScreenHost } from '../host/host.ts';
import { LiveFrame } from '../surfaces/live-frame.ts';
import { probe } from '../surfaces/probe.ts';
import { type Beneath, Pile, uncover, whenPresented } from './cover.ts';

/** Delays before the address is tried again: 5, 10, 20 … 60 s. Meanwhile the program plays. */
const RETRY_BASE_MS = 5_000;
const RETRY_CEILING_MS = 60_000;
const LOADING_LIMIT_MS = 20_000;

interface Opened {
  readonly url: string;
  readonly frame: LiveFrame;
  readonly ended: AbortController;
  /** Number of failed loads since the page was last visible. Determines the delay of the next attempt. */
  readonly attempt: number;
  visible: boolean;
}

interface Deps extends Beneath {
  readonly host: Pick<ScreenHost, 'report' | 'pageProblem'>;
  /** Called when the opened page covers the screen. */
  readonly onVisible: () => void;
  /** Called when the opened page broke and no longer covers the screen. */
  readonly onGone: () => void;
}

export class Launch {
  #parent = el('div', 'launches');
  #deps: Deps;
  readonly #pile = new Pile();
  #opened: Opened | null = null;
  /** The page of the previous address, which stays until the new page or the program is visible. */
  #before: Opened | null = null;
  #muted = false;

  constructor(parent: HTMLElement, deps: Deps) {
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

  /** Mutes or unmutes this page and later pages. */
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

  /** Removes the page of the previous address: the program is visible beneath it. */
  uncover(): void {
    const before = this.#before;
    this.#before = null;
    if (before) this.#leave(before);
  }

  #leave({ ended, frame }: Opened): void {
    ended.abort();
    frame.silence();
    uncover(frame.element, this.#deps, () => frame.destroy());
  }

  #try(url: string, attempt: number): void {
    const ended = new AbortController();
    const { signal } = ended;
    const frame = new LiveFrame({
      kind: 'launch',
      muted: this.#muted,
      onBroken: (reason) => this.#failed(opened, reason),
      onStale: (reason) => reason !== null && this.#report(url, `${reason}; the last image stays on the screen`),
      answers: () => probe(this.#deps.host, url, signal),
    });
    const opened: Opened = { url, frame, ended, attempt, visible: false };
    this.#opened = opened;
    const cancel = after(LOADING_LIMIT_MS, () => this.#failed(opened, 'loading took too long'), signal);
    this.#load(opened).then(
      () => {
        cancel();
        if (!signal.aborted) this.#reveal(opened);
      },
      (error: unknown) => this.#failed(opened, messageOf(error)),
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

  /** Lets the program play, and retries the address in the background. */
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
    const tryAgain = (): void => {
      this.close();
      this.#try(url, attempt + 1);
    };
    after(backoff(attempt, RETRY_BASE_MS, RETRY_CEILING_MS), tryAgain, again.signal);
    if (visible) this.#deps.onGone();
    else opened.frame.element.remove();
  }

  /** Removes an opened page that failed, after another address was opened. The program plays beneath the pages. */
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
