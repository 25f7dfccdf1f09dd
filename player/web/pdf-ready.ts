/** What draws PDF files comes from the server, when the first one is due; by then the server may be gone. */
import rendererSrc from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** Loads it, or brings it into the browser's cache, which keeps it: its name is that of its bytes. */
export async function readyForPdf(): Promise<void> {
  await Promise.all([
    import('../screen/surfaces/pdf-document.ts'),
    ...[rendererSrc, workerSrc].map((address) => fetch(address).then((answer) => answer.arrayBuffer())),
  ]);
}
