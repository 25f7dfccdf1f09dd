/**
 * Shows a document page by page. Two sheets alternate: while one sheet is visible, the next page is drawn on the
 * other.
 */
import type { Cue } from '../../../shared/program/program.ts';
import { el } from '../dom.ts';
import type { Frame } from '../frames/frame-loop.ts';
import { messageOf } from '../host/faults.ts';
import { Pile, whenPresented } from '../over/cover.ts';
import type { PdfDocument } from './pdf-document.ts';
import { pageAfter, pageAt } from './pdf-pages.ts';
import type { Surface, SurfaceContext } from './surface.ts';

/** Milliseconds before the change to a page at which the drawn page is painted with nearly no opacity. */
const WARM_MS = 500;

interface Sheet {
  readonly canvas: HTMLCanvasElement;
  /** The page that is drawn or being drawn; null: none. */
  page: number | null;
  drawn: boolean;
  /**
   * Whether the time of the page has already begun. The page is shown as soon as it is drawn, even if the next page
   * is due by then.
   */
  late: boolean;
  /** Promise of the last drawing of a page, settled when the drawing has ended. */
  drawing: Promise<unknown>;
}

export class PdfSurface implements Surface {
  readonly element = el('div', 'pdf');
  readonly #context: SurfaceContext;
  readonly #ended = new AbortController();
  #document: PdfDocument | null = null;
  #turn: Cue | null = null;
  #then: Cue | null = null;
  #front: Sheet;
  #spare: Sheet;
  /**
   * The spare sheet while the new front sheet is not yet certainly visible. The spare sheet must not change until then.
   */
  #covered: Sheet | null = null;
  readonly #pile = new Pile();
  #undo: (() => void) | null = null;

  constructor(context: SurfaceContext) {
    this.#context = context;
    this.#front = this.#makeSheet();
    this.#spare = this.#makeSheet();
    this.element.append(this.#front.canvas, this.#spare.canvas);
  }

  async prepare(cue: Cue): Promise<void> {
    this.#turn = cue;
    const { openPdf } = await import('./pdf-document.ts');
    const document = await openPdf(this.#context.host.assetUrl(cue.item.asset ?? ''), this.#ended.signal);
    if (this.#ended.signal.aborted) return document.destroy();
    this.#document = document;
    const at = this.#context.host.now();
    await this.#draw(this.#front, pageAt(this.#turn, document.pages, at));
    if (this.#ended.signal.aborted) return;
    this.#light(this.#front, 'lit');
    this.#undo = this.#context.loop.onFrame((frame) => this.#tick(frame));
  }

  retime(cue: Cue, then: Cue | null): void {
    this.#turn = cue;
    this.#then = then;
    this.#context.loop.wake();
  }

  destroy(): void {
    this.#ended.abort();
    this.#undo?.();
    this.#document?.destroy();
    // A canvas without a size frees its memory at once instead of at the next garbage collection.
    for (const { canvas } of [this.#front, this.#spare]) canvas.width = canvas.height = 0;
  }

  #tick(frame: Frame): number {
    const [turn, document] = [this.#turn, this.#document];
    if (!turn || !document) return Infinity;
    const at = this.#context.aim.seenAt(frame);
    const due = pageAt(turn, document.pages, at);
    if (this.#front.page !== due) return this.#turnTo(due, turn, document.pages);
    const next = pageAfter(turn, this.#then, document.pages, at);
    if (!next || next.page === this.#front.page) return next ? next.at - at : Infinity;
    if (this.#covered) return 0;
    this.#getReady(next.page);
    if (next.at - at > WARM_MS) return next.at - at - WARM_MS;
    if (this.#spare.drawn) this.#light(this.#spare, 'faint');
    return next.at - at;
  }

  #turnTo(due: number, turn: Cue, pages: number): number {
    if (this.#covered) return 0;
    const spare = this.#spare;
    if (spare.page !== due && (spare.drawn || spare.page === null) && !spare.late) this.#getReady(due);
    if (!spare.drawn) {
      // The visible page stays until this page is drawn.
      spare.late = true;
      return 0;
    }
    const inTime = !spare.late;
    spare.late = false;
    this.#spare = this.#front;
    this.#front = spare;
    this.#light(spare, 'lit');
    const { loop, host, stats } = this.#context;
    const old = this.#spare;
    this.#covered = old;
    whenPresented(loop, spare.canvas, () => {
      this.#covered = null;
      old.canvas.className = '';
      loop.wake();
    });
    loop.afterPaint((paintedAt) => {
      const planned = turn.since + ((turn.until - turn.since) * due) / pages;
      if (inTime && due > 0) stats.add(host.now() + (paintedAt - performance.now()) - planned);
    });
    return 0;
  }

  #getReady(page: number): void {
    const spare = this.#spare;
    const drawing = spare.page !== null && !spare.drawn;
    if (spare.page === page || drawing) return;
    this.#draw(spare, page).then(
      () => this.#context.loop.wake(),
      (error: unknown) => !this.#ended.signal.aborted && this.#context.onFault(messageOf(error)),
    );
  }

  #draw(sheet: Sheet, page: number): Promise<void> {
    sheet.page = page;
    sheet.drawn = false;
    sheet.canvas.className = '';
    const drawing = this.#paint(sheet, page);
    sheet.drawing = drawing.catch(() => {});
    return drawing;
  }

  /** Draws the page again after the graphics process of the browser has ended, which leaves its canvases blank. */
  async #restore(sheet: Sheet): Promise<void> {
    // pdf.js refuses to draw two pages on one canvas at the same time.
    await sheet.drawing;
    if (this.#ended.signal.aborted || sheet.page === null) return;
    try {
      const drawing = this.#paint(sheet, sheet.page);
      sheet.drawing = drawing.catch(() => {});
      await drawing;
      this.#context.loop.wake();
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#context.onFault(messageOf(error));
    }
  }

  async #paint(sheet: Sheet, page: number): Promise<void> {
    const scale = window.devicePixelRatio;
    const { clientWidth, clientHeight } = this.element;
    await this.#document?.draw(page, sheet.canvas, {
      width: clientWidth * scale,
      height: clientHeight * scale,
      fit: this.#context.fit,
    });
    sheet.drawn = true;
  }

  #light({ canvas }: Sheet, how: 'faint' | 'lit'): void {
    canvas.className = how;
    this.#pile.raise(canvas);
  }

  #makeSheet(): Sheet {
    const canvas = document.createElement('canvas');
    canvas.style.objectFit = this.#context.fit;
    const sheet: Sheet = { canvas, page: null, drawn: false, late: false, drawing: Promise.resolve() };
    canvas.addEventListener('contextrestored', () => void this.#restore(sheet), { signal: this.#ended.signal });
    return sheet;
  }
}
