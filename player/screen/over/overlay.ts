/**
 * The overlay that a person or another system sends: on top of everything, without changing the program. The newest
 * replaces the previous overlay.
 */
import type { PipShow } from '../../../shared/protocol/messages.ts';
import { overlayArea } from '../../../shared/protocol/overlay-area.ts';
import { el, svg } from '../dom.ts';
import { after } from '../host/backoff.ts';
import { messageOf } from '../host/faults.ts';
import type { ScreenHost, ScreenReport } from '../host/host.ts';
import { placeOverlay, type Size } from '../stage-geometry.ts';
import { LiveFrame } from '../surfaces/live-frame.ts';
import { probe } from '../surfaces/probe.ts';
import { type Beneath, Pile, uncover, whenPresented } from './cover.ts';

const LOADING_LIMIT_MS = 15_000;

type Status = Extract<ScreenReport, { type: 'overlay' }>['status'];

interface Showing {
  /**
   * The overlay message. It is replaced by a copy with another `until` once it is known when the overlay became
   * visible.
   */
  pip: PipShow;
  readonly element: HTMLElement;
  readonly ended: AbortController;
  status: 'loading' | 'shown' | 'failed' | 'gone';
}

interface Context extends Beneath {
  readonly host: Pick<ScreenHost, 'report' | 'now' | 'pageProblem' | 'assetUrl' | 'openPage'>;
  readonly screenSize: () => Size;
  /** Returns whether this panel must be silent. */
  readonly silent: () => boolean;
}

export class Overlay {
  #parent = el('div', 'pips');
  #context: Context;
  readonly #pile = new Pile();
  #showing: Showing | null = null;
  #undo: (() => void) | null = null;

  constructor(parent: HTMLElement, context: Context) {
    this.#context = context;
    parent.append(this.#parent);
  }

  start(): void {
    this.#undo = this.#context.loop.onFrame(() => this.#tick());
  }

  stop(): void {
    this.#undo?.();
    this.#undo = null;
    this.hide();
    this.#parent.remove();
  }

  set(pip: PipShow | null): void {
    const old = this.#showing;
    // If the file of the overlay has arrived late, the overlay is opened again, from the file.
    if (pip && old?.pip.pip_id === pip.pip_id && old.pip.asset?.sha256 === pip.asset?.sha256) {
      old.pip = pip;
      return this.#context.loop.wake();
    }
    this.#showing = null;
    if (!pip || isOver(pip, this.#context.host.now())) {
      if (old) this.#end(old);
      return;
    }
    this.#open(pip, old);
  }

  /** Removes the overlay because the screen is off. Its end is not reported, because it has not ended. */
  hide(): void {
    const old = this.#showing;
    this.#showing = null;
    if (!old) return;
    old.status = 'gone';
    old.ended.abort();
    old.element.remove();
  }

  #open(pip: PipShow, old: Showing | null): void {
    const showing: Showing = {
      pip,
      element: el('aside', 'pip waiting'),
      ended: new AbortController(),
      status: 'loading',
    };
    this.#showing = showing;
    const body = this.#build(showing);
    this.#parent.append(showing.element);
    this.#pile.raise(showing.element);
    const { loop, host, silent } = this.#context;
    const { signal } = showing.ended;
    // The previous overlay stays until the new overlay is visible, to prevent flicker.
    withLimit(
      pip.kind === 'image'
        ? loadImage(body, pip.asset ? host.assetUrl(pip.asset.sha256) : pip.uri)
        : loadPage(body, pip, { host, silent, signal, onBroken: () => this.#end(showing) }),
      signal,
    ).then(
      () => {
        if (showing.status !== 'loading') return;
        showing.element.classList.remove('waiting');
        showing.status = 'shown';
        whenPresented(loop, showing.element, () => {
          if (old) this.#end(old);
          if (showing.status === 'shown') this.#report(showing, 'shown', { at: host.now() });
        });
      },
      (error: unknown) => {
        if (showing.status !== 'loading') return;
        showing.status = 'failed';
        showing.element.remove();
        if (old) this.#end(old);
        this.#report(showing, 'failed', { error: messageOf(error) });
      },
    );
    // If this overlay ends while it loads, the previous overlay, which is still visible, ends as well.
    signal.addEventListener('abort', () => old && this.#end(old), { once: true });
  }

  #build(showing: Showing): HTMLElement {
    const { pip, element } = showing;
    // Sizes are in pixels of the screen, not in CSS pixels.
    const scale = 1 / window.devicePixelRatio;
    const screen = this.#context.screenSize();
    const place = pip.area
      ? overlayArea(pip.area, screen)
      : placeOverlay(screen, { width: pip.width * scale, height: pip.height * scale }, pip.position);
    Object.assign(element.style, {
      left: `${place.x}px`,
      top: `${place.y}px`,
      width: `${place.width}px`,
      height: `${place.height}px`,
      opacity: String(pip.opacity),
      borderRadius: `${pip.border_radius * scale}px`,
    });
    if (pip.background_color) element.style.backgroundColor = pip.background_color;

    const body = el('div', 'pip-body');
    const close = pip.close_button ? this.#closeButton(showing) : null;
    if (pip.title) {
      const bar = el('header', 'pip-title', el('span', '', pip.title));
      if (pip.title_color) bar.style.color = pip.title_color;
      if (close) bar.append(close);
      element.append(bar);
    }
    element.append(body);
    if (close && !pip.title) element.append(close);
    return body;
  }

  #closeButton(showing: Showing): HTMLButtonElement {
    const button = el('button', 'pip-close', svg('0 0 24 24', '', { d: 'M6 6l12 12M18 6L6 18' }));
    button.type = 'button';
    button.ariaLabel = '×';
    button.addEventListener('click', () => this.#end(showing));
    return button;
  }

  #tick(): number {
    const showing = this.#showing;
    if (!showing || showing.pip.until === undefined || showing.status === 'gone') return Infinity;
    const left = showing.pip.until - this.#context.host.now();
    if (left <= 0) this.#end(showing);
    return left;
  }

  #end(showing: Showing): void {
    if (showing.status === 'gone') return;
    const was = showing.status;
    showing.status = 'gone';
    showing.ended.abort();
    if (was === 'shown') uncover(showing.element, this.#context);
    else showing.element.remove();
    if (was !== 'failed') this.#report(showing, 'cleared');
  }

  #report({ pip }: Showing, status: Status, more: { readonly at?: number; readonly error?: string } = {}): void {
    this.#context.host.report({ type: 'overlay', pip_id: pip.pip_id, status, ...more });
  }
}

const isOver = (pip: PipShow, now: number): boolean => pip.until !== undefined && pip.until <= now;

async function loadImage(body: HTMLElement, uri: string): Promise<void> {
  const image = el('img', '');
  image.alt = '';
  image.draggable = false;
  image.decoding = 'sync';
  image.referrerPolicy = 'no-referrer';
  image.src = uri;
  body.append(image);
  await image.decode().catch(() => {
    throw new Error('the image cannot be loaded');
  });
}

interface PageDeps extends Pick<Context, 'host' | 'silent'> {
  readonly signal: AbortSignal;
  readonly onBroken: () => void;
}

async function loadPage(
  body: HTMLElement,
  { uri, asset }: Pick<PipShow, 'uri' | 'asset'>,
  { host, silent, signal, onBroken }: PageDeps,
): Promise<void> {
  if (asset) {
    const frame = new LiveFrame({ kind: 'widget', muted: silent(), onBroken });
    signal.addEventListener('abort', () => frame.destroy(), { once: true });
    frame.element.classList.add('live');
    body.append(frame.element);
    const address = host.assetUrl(asset.sha256);
    if (host.openPage) await frame.fill(address, async () => host.openPage?.(frame.element, asset.sha256));
    else await frame.open(address);
    return;
  }
  await probe(host, uri, signal);
  if (signal.aborted) return;
  const frame = new LiveFrame({ kind: 'web', muted: silent(), onBroken, answers: () => probe(host, uri, signal) });
  signal.addEventListener('abort', () => frame.destroy(), { once: true });
  frame.element.classList.add('live');
  body.append(frame.element);
  await frame.open(uri);
}

function withLimit(loading: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = after(LOADING_LIMIT_MS, () => reject(new Error('loading took too long')), signal);
    loading.then(resolve, reject).finally(cancel);
  });
}
