/**
 * Pages: web, embedded video sites, widgets, kiosk pages. Each page is in a frame that cannot reach the screen's own
 * page.
 */

import type { Cue, ItemKind, ProgramItem } from '../../../shared/program/program.ts';
import { hasEmoji } from '../../../shared/protocol/emoji.ts';
import { pause } from '../host/backoff.ts';
import { emojiMessage } from '../over/emoji.ts';
import { LiveFrame } from './live-frame.ts';
import { probe } from './probe.ts';
import type { Surface, SurfaceContext } from './surface.ts';

/**
 * Milliseconds to wait for the first paint: a frame fires `load` before it has painted, and a widget draws its data
 * when the data arrives.
 */
const PAINT_MS = 250;
const DATA_EVERY_MS = 30_000;
/**
 * Milliseconds within which a widget with data reports whether it has anything to show. A slow board draws a feed in
 * less.
 */
const DRAWN_WITHIN_MS = 3_000;

type PageKind = Extract<ItemKind, 'web' | 'embed' | 'widget' | 'kiosk' | 'design'>;

export class FrameSurface implements Surface {
  readonly element: HTMLIFrameElement;
  #kind: PageKind;
  #context: SurfaceContext;
  #frame: LiveFrame;
  #ended = new AbortController();
  #dataTimer = 0;
  #reloadTimer = 0;
  #address = '';
  #lastData = 'null';
  #hasData = false;
  #hasFont = false;
  /** Message of the widget about missing data; null: the widget has something to show, or sends no reports. */
  #missing: string | null = null;
  #isReady = false;
  /** Whether the page has reported that it shows something. It may do so before its frame is loaded. */
  #hasDrawn = false;
  #drawn: (() => void) | null = null;
  /** Pictures, clips and fonts of a design by their key in the program; null: the page shows no files. */
  #files: Promise<Readonly<Record<string, Blob>>> | null = null;

  constructor(item: ProgramItem & { readonly kind: PageKind }, context: SurfaceContext) {
    const { kind, asset, muted } = item;
    this.#kind = kind;
    this.#context = context;
    this.#frame = new LiveFrame({
      kind,
      muted,
      onBroken: (reason) => context.onFault(reason),
      onStale: (reason) => context.onStale(reason),
      ...(asset === null && { answers: () => probe(context.host, this.#address, this.#ended.signal) }),
    });
    this.element = this.#frame.element;
  }

  async prepare({ item }: Cue): Promise<void> {
    const { host } = this.#context;
    this.#address = item.asset === null ? (item.url ?? '') : host.assetUrl(item.asset);
    const isOurs = this.#kind === 'widget' || this.#kind === 'kiosk' || this.#kind === 'design';
    if (this.#kind === 'design') this.#files = readFiles(item.files ?? {}, (sha256) => host.assetUrl(sha256));
    if (isOurs) window.addEventListener('message', (event) => this.#hear(event), { signal: this.#ended.signal });
    // Checks first that the address answers, because a frame that loads an error page fires `load` as well.
    if (item.asset === null) await probe(host, this.#address, this.#ended.signal);
    const { asset } = item;
    if (asset !== null && host.openPage)
      await this.#frame.fill(this.#address, async () => host.openPage?.(this.element, asset));
    else await this.#frame.open(this.#address);
    if (item.web) this.#adjust(item.web);
    if (isOurs) {
      if (this.#kind === 'design') await this.#untilDrawn();
      else await this.#refresh(item.data_url);
      await pause(PAINT_MS);
      if (this.#missing !== null && this.#hasData) await this.#untilDrawn();
      if (this.#missing !== null) throw new Error(`the page has nothing to show: ${this.#missing}`);
    }
    this.#isReady = true;
  }

  show({ muted }: { readonly muted: boolean }): void {
    this.element.classList.add('live');
    // Entries of a design begin with its turn, so that neighbouring screens are in step.
    if (this.#kind === 'design') this.#send({ type: 'vitrine:turn' });
    this.#frame.sound(muted);
  }
  leave(): void {
    this.element.classList.remove('live');
    this.#frame.silence();
  }

  destroy(): void {
    this.#ended.abort();
    clearTimeout(this.#dataTimer);
    clearInterval(this.#reloadTimer);
    this.#frame.destroy();
  }

  /** Handles a message of the page. Its origin is opaque, so only the window identifies the sender. */
  #hear({ source, data }: MessageEvent<{ readonly type?: unknown; readonly missing?: unknown } | null>): void {
    if (source !== this.element.contentWindow) return;
    if (data?.type === 'vitrine:shows')
      return this.#shows(typeof data.missing === 'string' ? data.missing.slice(0, 200) : null);
    // When the code of a widget is ready after the `load` event, the widget requests its data with this message.
    if (data?.type !== 'vitrine:ready') return;
    this.#postClock();
    if (this.#files) void this.#files.then((files) => this.#send({ type: 'vitrine:files', files })).catch(() => {});
    if (!this.#hasData) return;
    this.#post();
    this.#hasFont = false;
    void this.#lendFont();
  }

  #shows(missing: string | null): void {
    this.#missing = missing;
    this.#hasDrawn = missing === null;
    if (missing === null) this.#drawn?.();
    else if (this.#isReady) this.#context.onFault(`the page no longer has anything to show: ${missing}`);
  }

  #untilDrawn(): Promise<void> {
    if (this.#hasDrawn) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, DRAWN_WITHIN_MS);
      this.#drawn = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Applies zoom and reload interval. A page at 50 % gets twice the room and is drawn at half its size. */
  #adjust({ zoom, refresh_s }: NonNullable<Cue['item']['web']>): void {
    const share = `${10_000 / zoom}%`;
    Object.assign(this.element.style, {
      width: share,
      height: share,
      transform: `scale(${zoom / 100})`,
      transformOrigin: '0 0',
    });
    if (refresh_s > 0)
      this.#reloadTimer = window.setInterval(() => void this.#frame.reload().catch(() => {}), refresh_s * 1000);
  }

  /** Sends the server's time and the device's time zone to a widget, because the machine's own may be wrong. */
  #postClock(): void {
    const { host, timezone } = this.#context;
    this.#send({ type: 'vitrine:clock', now: host.now(), timezone: timezone() });
  }

  /** The receiver is named by '*', because its opaque origin has no name. */
  #send(message: object): void {
    this.element.contentWindow?.postMessage(message, '*');
  }

  async #refresh(path: string | null): Promise<void> {
    this.#postClock();
    const data = path === null ? undefined : await this.#context.host.widgetData(path).catch(() => undefined);
    if (this.#ended.signal.aborted) return;
    const text = JSON.stringify(data ?? null);
    if (data !== undefined && data !== null && (text !== this.#lastData || !this.#hasData)) {
      this.#lastData = text;
      this.#hasData = true;
      this.#post();
    }
    void this.#lendFont();
    this.#dataTimer = window.setTimeout(() => void this.#refresh(path), DATA_EVERY_MS);
  }

  #post(): void {
    // The target origin is '*', because an opaque origin has no name. The data is public content of the shop.
    this.element.contentWindow?.postMessage({ type: 'vitrine:data', data: JSON.parse(this.#lastData) as unknown }, '*');
  }

  /**
   * Sends the emoji font to the page if its data contains emoji. If the font cannot be loaded, the next request for the
   * data tries again.
   */
  async #lendFont(): Promise<void> {
    if (this.#hasFont || !hasEmoji(this.#lastData)) return;
    const message = await emojiMessage().catch(() => null);
    if (message === null || this.#ended.signal.aborted) return;
    this.#hasFont = true;
    this.element.contentWindow?.postMessage(message, '*');
  }
}

/**
 * Reads files of the program as blobs, because a page with an opaque origin cannot read addresses of this host. A file
 * that cannot be read is left out: the page draws a placeholder, or uses another font.
 */
const readFiles = async (
  files: Readonly<Record<string, string>>,
  addressOf: (sha256: string) => string,
): Promise<Readonly<Record<string, Blob>>> => {
  const read = await Promise.allSettled(
    Object.entries(files).map(async ([key, sha256]) => {
      const answer = await fetch(addressOf(sha256));
      if (!answer.ok) throw new Error(`${answer.status}`);
      return [key, await answer.blob()] as const;
    }),
  );
  return Object.fromEntries(read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
};
