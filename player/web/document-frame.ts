/** Opens a document of the program (a widget, a kiosk page) in a frame with its own opaque origin. See frame.html. */
import { pause } from '../screen/host/backoff.ts';
import frameUrl from './frame.html?url';

const WRITTEN_WITHIN_MS = 5_000;
/** Time limit for the pictures of a document. After this time the document is shown without its pictures. */
const LOADED_WITHIN_MS = 1_500;

/** Resolves when the content is visible. The frame must be in the document and have its sandbox. */
export async function openDocument(frame: HTMLIFrameElement, html: string): Promise<void> {
  await loaded(frame, () => {
    frame.src = frameUrl;
  });
  const written = whenWritten(frame);
  const shown = Promise.race([loaded(frame, () => {}), pause(LOADED_WITHIN_MS)]);
  // The target origin is '*', because an opaque origin has no name. The data is public content of the shop.
  frame.contentWindow?.postMessage({ type: 'vitrine:document', html }, '*');
  await written;
  await shown;
}

/**
 * Loads frame.html into the browser's cache for frames while the server is available. A fetch would not reach that
 * cache.
 */
export function cacheFrame(parent: HTMLElement): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.addEventListener('load', () => frame.remove(), { once: true });
  frame.src = frameUrl;
  parent.append(frame);
}

function loaded(frame: HTMLIFrameElement, begin: () => void): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(), { once: true });
    begin();
  });
}

/** Rejects if frame.html does not answer. In this case the browser shows its own page about an unavailable server. */
function whenWritten(frame: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const timer = setTimeout(() => {
      done.abort();
      reject(new Error('the page cannot be opened while the server cannot be reached'));
    }, WRITTEN_WITHIN_MS);
    window.addEventListener(
      'message',
      ({ source, data }: MessageEvent<{ readonly type?: unknown } | null>) => {
        if (source !== frame.contentWindow || data?.type !== 'vitrine:written') return;
        clearTimeout(timer);
        done.abort();
        resolve();
      },
      { signal: done.signal },
    );
  });
}
