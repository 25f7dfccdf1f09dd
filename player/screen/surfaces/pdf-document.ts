/**
 * PDF files, drawn by pdf.js. Loaded when the first document is due, never before: it is ten times the rest of the
 * page. Reading and drawing happen in workers, so that a heavy page costs the picture beside it no frame.
 */
import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  type RenderTask,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import rendererSrc from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type { FitMode } from '../../../shared/program/program.ts';

/**
 * Character maps, the 14 fonts that a PDF need not bring, decoders of rare images: put beside this file by the build
 * (vite.config.ts).
 */
const BESIDE = new URL('./pdf/', import.meta.url).href;
/** Four 4K panels in a row are 8 million pixels each; a canvas beyond this fails on small boards. */
const MOST_PIXELS = 16_000_000;

export class DocumentUnreadable extends Error {}

/** Shared by all documents of this page, and made anew when it has ended. */
let reader: PDFWorker | undefined;

function readerNow(): PDFWorker {
  GlobalWorkerOptions.workerSrc = workerSrc;
  GlobalWorkerOptions.rendererSrc = rendererSrc;
  if (!reader || reader.destroyed) reader = new PDFWorker();
  return reader;
}

/** @throws DocumentUnreadable with a sentence for the operator */
export async function openPdf(address: string, signal: AbortSignal): Promise<PdfDocument> {
  const loading = getDocument({
    // A file in the page's own store has no address that could be asked for a part of it.
    ...(/^https?:/.test(address) ? { url: address } : { data: await (await fetch(address, { signal })).arrayBuffer() }),
    worker: readerNow(),
    cMapUrl: `${BESIDE}cmaps/`,
    standardFontDataUrl: `${BESIDE}fonts/`,
    wasmUrl: `${BESIDE}decoders/`,
    // The security policy of the page lets no code be made of data.
    useWasm: false,
    // The fonts of the machine differ from screen to screen.
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const stop = (): void => void loading.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return new PdfDocument(await loading.promise, () => loading.destroy());
  } catch (error) {
    void loading.destroy();
    throw new DocumentUnreadable(
      nameOf(error) === 'PasswordException' ? 'the PDF wants a password' : 'the PDF cannot be read',
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export class PdfDocument {
  readonly #document: PDFDocumentProxy;
  readonly #destroy: () => Promise<void>;
  readonly #drawing = new Set<RenderTask>();

  constructor(document: PDFDocumentProxy, destroy: () => Promise<void>) {
    this.#document = document;
    this.#destroy = destroy;
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** As sharp as the box on the glass. `page` counts from 0. */
  async draw(
    page: number,
    canvas: HTMLCanvasElement,
    box: { readonly width: number; readonly height: number; readonly fit: FitMode },
  ): Promise<void> {
    const proxy = await this.#document.getPage(page + 1);
    const paper = proxy.getViewport({ scale: 1 });
    const scales = [box.width / paper.width, box.height / paper.height];
    const wanted = box.fit === 'contain' ? Math.min(...scales) : Math.max(...scales);
    const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (paper.width * paper.height)));
    const viewport = proxy.getViewport({ scale });
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    const task = proxy.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
    this.#drawing.add(task);
    try {
      await task.promise;
    } catch {
      throw new DocumentUnreadable(`page ${page + 1} of the PDF cannot be drawn`);
    } finally {
      this.#drawing.delete(task);
      proxy.cleanup();
    }
  }

  destroy(): void {
    for (const task of this.#drawing) task.cancel();
    void this.#destroy().catch(() => {});
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
