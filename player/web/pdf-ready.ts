/** Loads the PDF code in advance, because the server may be gone when the first PDF file is due. */
import rendererSrc from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** Loads the code into the browser's cache, which keeps it because its name depends on its bytes. */
export async function readyForPdf(): Promise<void> {
  await Promise.all([
    import('../screen/surfaces/pdf-document.ts'),
    ...[rendererSrc, workerSrc].map((address) => fetch(address).then((answer) => answer.arrayBuffer())),
  ]);
}
