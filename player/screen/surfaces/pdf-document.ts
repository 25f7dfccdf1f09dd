/**
 * PDF files, drawn by pdf.js. Loaded when the first document is due, because it is ten times the size of the rest of
 * the page. Workers read and draw, so that a heavy page delays no frame of other pictures.
 */
import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PDFWorker,
  type RenderTask,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import rendererSrc from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import type { FitMode } from '../../../shared/program/program.ts';
import { pause } from '../host/backoff.ts';

/**
 * Character maps, the 14 standard fonts, and decoders of rare images. The build puts them next to this file
 * (vite.config.ts).
 */
const BESIDE = new URL('./pdf/', import.meta.url).href;
/** Four 4K panels in a row have 8 million pixels each. A canvas beyond this limit fails on small boards. */
const MOST_PIXELS = 16_000_000;

export class DocumentUnreadable extends Error {}

/** Longest wait for pdf.js to close a document by itself, before its workers are terminated. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * The two workers of one document: one parses the file, one draws the pages. Each document has its own pair, so that a
 * document that hangs does not stop other documents. pdf.js alone would leave a worker behind that never started.
 */
class PdfWorkers {
  readonly #parser = new Worker(workerSrc, { type: 'module' });
  readonly #renderer = new Worker(rendererSrc, { type: 'module' });

  /** Resolves when both workers run. Rejects when one of them cannot start. */
  async started(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#parser, this.#renderer].map((worker) => firstMessage(worker, signal)));
  }

  /** Starts to load a document with these workers. May be called once, after {@link started}. */
  load(source: Parameters<typeof getDocument>[0]): {
    readonly loading: PDFDocumentLoadingTask;
    readonly worker: PDFWorker;
  } {
    // An address is passed because pdf.js requires one, although it receives the workers.
    GlobalWorkerOptions.workerSrc = workerSrc;
    GlobalWorkerOptions.rendererPorts = [this.#renderer];
    const worker = PDFWorker.create({ port: this.#parser });
    return { loading: getDocument({ ...source, worker }), worker };
  }

  terminate(): void {
    this.#parser.terminate();
    this.#renderer.terminate();
  }
}

/** Resolves with the first message of a worker. Each worker of pdf.js sends one message as soon as it runs. */
function firstMessage(worker: Worker, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const options = { signal: AbortSignal.any([signal, settled.signal]) };
    const settle = (end: () => void) => () => {
      settled.abort();
      end();
    };
    worker.addEventListener('message', settle(resolve), options);
    worker.addEventListener(
      'error',
      settle(() => reject(new DocumentUnreadable('the PDF reader did not start'))),
      options,
    );
    signal.addEventListener(
      'abort',
      settle(() => reject(new DocumentUnreadable('the PDF was closed before it was loaded'))),
      { signal: settled.signal },
    );
  });
}

/**
 * Opens a document. Its workers end with {@link PdfDocument.destroy}, or when opening fails or is aborted.
 *
 * @throws DocumentUnreadable with a sentence for the operator
 */
export async function openPdf(address: string, signal: AbortSignal): Promise<PdfDocument> {
  signal.throwIfAborted();
  const workers = new PdfWorkers();
  let close = (): void => workers.terminate();
  const stop = (): void => close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await workers.started(signal);
    // A file in the page's own store has no address that supports range requests.
    const file = /^https?:/.test(address)
      ? { url: address }
      : { data: await (await fetch(address, { signal })).arrayBuffer() };
    signal.throwIfAborted();
    const { loading, worker } = workers.load({
      ...file,
      cMapUrl: `${BESIDE}cmaps/`,
      standardFontDataUrl: `${BESIDE}fonts/`,
      wasmUrl: `${BESIDE}decoders/`,
      // Code generation is disabled, because the content security policy of the page forbids code from data.
      useWasm: false,
      // System fonts are not used, because they differ from screen to screen.
      useSystemFonts: false,
      verbosity: VerbosityLevel.ERRORS,
    });
    close = () => {
      const closed = loading.destroy().catch(() => {});
      void Promise.race([closed, pause(CLOSE_WITHIN_MS)]).then(() => {
        worker.destroy();
        workers.terminate();
      });
    };
    return new PdfDocument(await loading.promise, close);
  } catch (error) {
    close();
    if (error instanceof DocumentUnreadable) throw error;
    throw new DocumentUnreadable(
      nameOf(error) === 'PasswordException' ? 'the PDF is protected by a password' : 'the PDF cannot be read',
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export class PdfDocument {
  readonly #document: PDFDocumentProxy;
  readonly #close: () => void;
  readonly #drawing = new Set<RenderTask>();

  constructor(document: PDFDocumentProxy, close: () => void) {
    this.#document = document;
    this.#close = close;
  }

  get pages(): number {
    return this.#document.numPages;
  }

  /** Draws a page with as many pixels as its box has on the panel. `page` counts from 0. */
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
    this.#close();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
