/**
 * Renders the first page of a PDF for its thumbnail. Runs in the media process. Without the library, PDFs still work
 * but have no thumbnail.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MAX_MEGAPIXELS, THUMBNAIL_PIXELS } from './inspection.ts';

/**
 * Holds the library's name in a variable of type string, so that bundlers do not include the library. With its canvas
 * it has 70 MB, so the desktop program does not contain it.
 */
const LIBRARY: string = 'pdfjs-dist/legacy/build/pdf.mjs';
/**
 * Size limit in bytes, about a catalogue of photographs in print quality. A thumbnail is not worth the memory of a
 * larger file.
 */
const MOST_BYTES = 100 * 1024 * 1024;
const LIMIT_MS = 15_000;

/** Type of the canvas in the library's Node build, because the library's own types describe only the browser. */
interface NodeCanvas {
  toBuffer(mime: 'image/png'): Buffer;
}
interface NodeCanvasFactory {
  create(width: number, height: number): { readonly canvas: HTMLCanvasElement & NodeCanvas };
}

/** Reason why a PDF cannot be shown: it needs a password, cannot be read, or has no pages. */
export type PdfFault = 'locked' | 'damaged' | 'empty';

/** Names of the library's errors for files that it cannot open. */
const FAULTS: Readonly<Record<string, PdfFault>> = {
  PasswordException: 'locked',
  InvalidPDFException: 'damaged',
  FormatError: 'damaged',
  NoPages: 'empty',
};
class NoPages extends Error {
  override readonly name = 'NoPages';
}

/**
 * Returns a PNG, or the reason why the file cannot be shown. Null when the file is too large or slow to render, or when
 * the library is not installed.
 */
export const firstPageOf = async (path: string, size: number): Promise<Uint8Array | PdfFault | null> => {
  if (size > MOST_BYTES) return null;
  const drawing = draw(path).catch((error: Error) => FAULTS[error.name] ?? null);
  const late = new Promise<null>((resolve) => setTimeout(resolve, LIMIT_MS, null).unref());
  return Promise.race([drawing, late]);
};

const draw = async (path: string): Promise<Uint8Array> => {
  const { getDocument, VerbosityLevel } = (await import(LIBRARY)) as typeof import('pdfjs-dist/legacy/build/pdf.mjs');
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    cMapUrl: `${join(home, 'cmaps')}/`,
    standardFontDataUrl: `${join(home, 'standard_fonts')}/`,
    wasmUrl: `${join(home, 'wasm')}/`,
    // Larger images on the page are left out before they are decoded.
    maxImageSize: MAX_MEGAPIXELS * 1_000_000,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await loading.promise;
    if (document.numPages === 0) throw new NoPages();
    const page = await document.getPage(1);
    const paper = page.getViewport({ scale: 1 });
    // Renders the page at twice the size of the thumbnail and then reduces it, which gives smoother text.
    const viewport = page.getViewport({ scale: (2 * THUMBNAIL_PIXELS) / Math.max(paper.width, paper.height) });
    const { canvas } = (document.canvasFactory as NodeCanvasFactory).create(
      Math.ceil(viewport.width),
      Math.ceil(viewport.height),
    );
    await page.render({ canvas, viewport }).promise;
    return canvas.toBuffer('image/png');
  } finally {
    await loading.destroy();
  }
};
