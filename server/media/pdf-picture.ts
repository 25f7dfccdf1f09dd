/**
 * The first page of a PDF as a picture, for its thumbnail. Runs in the media process; without it a PDF is shown all the
 * same.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MAX_MEGAPIXELS, THUMBNAIL_PIXELS } from './inspection.ts';

/** By a name that no bundler follows: with its canvas it is 70 MB, which the desktop program does without. */
const LIBRARY: string = 'pdfjs-dist/legacy/build/pdf.mjs';
/** A catalogue of photographs in print quality; beyond it the memory is not worth a thumbnail. */
const MOST_BYTES = 100 * 1024 * 1024;
const LIMIT_MS = 15_000;

/** What a canvas of the library's Node build can do; its own types name the browser's. */
interface NodeCanvas {
  toBuffer(mime: 'image/png'): Buffer;
}
interface NodeCanvasFactory {
  create(width: number, height: number): { readonly canvas: HTMLCanvasElement & NodeCanvas };
}

/** Why a PDF cannot be shown: it asks for a password, cannot be read, or has no pages. */
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
 * PNG, or the fault for which nothing can show the file; null when it is too large or too slow to draw here, or where the
 * library is not installed.
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
    // Larger ones are left out of the page before they are decoded.
    maxImageSize: MAX_MEGAPIXELS * 1_000_000,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await loading.promise;
    if (document.numPages === 0) throw new NoPages();
    const page = await document.getPage(1);
    const paper = page.getViewport({ scale: 1 });
    // Twice as large as the thumbnail: shrunk, letters are smoother than drawn small.
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
