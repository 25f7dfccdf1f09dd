/** Loads the PDF code in advance, because the server may be gone when the first PDF file is due. */
import rendererSrc from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/**
 * Loads the code for PDFs into the browser's cache. The cache keeps it, because the name of the code depends on its
 * bytes.
 */
export async function readyForPdf(): Promise<void> {
  await Promise.all([
    import('../screen/surfaces/pdf-document.ts'),
    ...[rendererSrc, workerSrc].map((address) => fetch(address).then((answer) => answer.arrayBuffer())),
  ]);
}
