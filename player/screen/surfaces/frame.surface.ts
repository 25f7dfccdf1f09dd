/** What is a page: web, embedded video sites, widgets, kiosk pages. Each in a frame that can reach nothing of ours. */
import type { Cue, ItemKind } from '../../../shared/program/program.ts';
import { probe } from './probe.ts';
import type { Surface, SurfaceContext } from './surface.ts';

export type FrameKind = Extract<ItemKind, 'web' | 'embed' | 'widget' | 'kiosk'>;

/** A frame says `load` before it has painted. */
const PAINT_AFTER_LOAD_MS = 250;
const DATA_EVERY_MS = 30_000;

export class FrameSurface implements Surface {
  readonly element: HTMLIFrameElement;
  #kind: FrameKind;
  #context: SurfaceContext;
  #ended = new AbortController();
  #dataTimer = 0;
  #reloadTimer = 0;
  #lastData = 'null';
  #hasData = false;

  constructor(kind: FrameKind, context: SurfaceContext) {
    this.#kind = kind;
    this.#context = context;
    this.element = document.createElement('iframe');
  }

  async prepare({ item }: Cue): Promise<void> {
    const { host } = this.#context;
    const address = item.asset === null ? (item.url ?? '') : host.assetUrl(item.asset);
    restrict(this.element, this.#kind, address);
    // A frame that loads an error page says `load` as well: ask first whether anybody answers.
    if (item.asset === null) await probe(host, address, this.#ended.signal);
    if (item.asset !== null && host.openPage) await host.openPage(this.element, item.asset);
    else await this.#load(address);
    if (item.web) this.#adjust(item.web, address);
    if (this.#kind === 'widget' || this.#kind === 'kiosk') {
      window.addEventListener('message', (event) => this.#hear(event), { signal: this.#ended.signal });
      await this.#refresh(item.data_url);
    }
    await new Promise((resolve) => setTimeout(resolve, PAINT_AFTER_LOAD_MS));
  }

  retime(): void {}
  show(): void {
    this.element.classList.add('live');
  }
  leave(): void {
    this.element.classList.remove('live');
  }
  check(): void {}

  destroy(): void {
    this.#ended.abort();
    clearTimeout(this.#dataTimer);
    clearInterval(this.#reloadTimer);
    this.element.removeAttribute('src');
  }

  #load(address: string): Promise<void> {
    return new Promise((resolve) => {
      this.element.addEventListener('load', () => resolve(), { once: true, signal: this.#ended.signal });
      this.element.src = address;
    });
  }

  /** A widget that is ready later than its `load` asks for its data. Its origin is opaque: only the window tells who speaks. */
  #hear(event: MessageEvent<unknown>): void {
    const { data } = event;
    if (event.source !== this.element.contentWindow || typeof data !== 'object' || data === null) return;
    if (!('type' in data) || data.type !== 'vitrine:ready') return;
    this.#postClock();
    if (this.#hasData) this.#post();
  }

  /** A page at 50 % gets twice the room and is drawn at half its size. */
  #adjust({ zoom, refresh_s }: NonNullable<Cue['item']['web']>, address: string): void {
    const share = `${10_000 / zoom}%`;
    Object.assign(this.element.style, { width: share, height: share, transform: `scale(${zoom / 100})`, transformOrigin: '0 0' });
    if (refresh_s > 0)
      // A page that has gone meanwhile stays as it was: better old than the browser's error page.
      this.#reloadTimer = window.setInterval(() => {
        probe(this.#context.host, address, this.#ended.signal).then(
          () => {
            if (!this.#ended.signal.aborted) this.element.src = address;
          },
          () => {},
        );
      }, refresh_s * 1000);
  }

  /** The machine's own clock and zone may be wrong: a widget tells the server's time in the device's zone. */
  #postClock(): void {
    const { host, timezone } = this.#context;
    this.element.contentWindow?.postMessage({ type: 'vitrine:clock', now: host.now(), timezone: timezone() }, '*');
  }

  async #refresh(path: string | null): Promise<void> {
    this.#postClock();
    const data = path === null ? undefined : await this.#context.host.widgetData(path).catch(() => undefined);
    if (this.#ended.signal.aborted) return;
    const text = JSON.stringify(data ?? null);
    if (data !== undefined && (text !== this.#lastData || !this.#hasData)) {
      this.#lastData = text;
      this.#hasData = true;
      this.#post();
    }
    this.#dataTimer = window.setTimeout(() => void this.#refresh(path), DATA_EVERY_MS);
  }

  #post(): void {
    // '*' because an opaque origin has no name; what is posted is what the whole shop sees.
    this.element.contentWindow?.postMessage({ type: 'vitrine:data', data: JSON.parse(this.#lastData) as unknown }, '*');
  }
}

const REFUSED = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'midi',
  'usb',
  'serial',
  'hid',
  'bluetooth',
  'payment',
  'clipboard-read',
  'clipboard-write',
  'fullscreen',
  'screen-wake-lock',
  'web-share',
]
  .map((feature) => `${feature} 'none'`)
  .join('; ');

/** What a frame may do, by where it comes from. Nothing may open windows or dialogs, download, or take the page's place. */
export function restrict(frame: HTMLIFrameElement, kind: FrameKind | 'launch', address: string): void {
  frame.className = `frame ${kind}`;
  frame.allow = kind === 'web' || kind === 'embed' || kind === 'launch' ? `${REFUSED}; autoplay *; encrypted-media *` : REFUSED;
  // Our address holds the token of the host. Video sites refuse to play without any referrer, so they get the bare origin.
  frame.referrerPolicy = kind === 'embed' ? 'origin' : 'no-referrer';
  // Neither a click nor a script of its own gives it the keys, unless fingers are to reach it: keys that our page does not see are the browser's.
  frame.inert = kind !== 'kiosk' && !matchMedia('(any-pointer: coarse)').matches;
  frame.setAttribute('sandbox', sandboxFor(kind, address, location.hostname));
}

/** Sandbox tokens. A page keeps its own origin (its cookies and storage) unless that origin is this machine, where the host listens. */
export function sandboxFor(kind: FrameKind | 'launch', address: string, ownHost: string): string {
  if (kind === 'widget') return 'allow-scripts';
  // A page that a visitor opens from a kiosk page may have a form.
  if (kind === 'kiosk') return 'allow-scripts allow-forms';
  const url = URL.canParse(address) ? new URL(address) : null;
  const foreign = url !== null && /^https?:$/.test(url.protocol) && !isThisMachine(url.hostname, ownHost);
  return foreign ? 'allow-scripts allow-forms allow-same-origin' : 'allow-scripts allow-forms';
}

const isThisMachine = (hostname: string, ownHost: string): boolean =>
  hostname === ownHost || hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^0\.|^\[::1?\]$|^\[::ffff:/.test(hostname);
