/** Converts a moment from the page's clock to the server's clock. */
import type { ScreenHost } from '../host/host.ts';

/** Milliseconds. Two clocks that are read within this time count as read at the same moment. */
const AT_ONCE_MS = 0.2;
/** Number of attempts to read both clocks at the same moment. On a busy machine the best attempt is used. */
const TRIES = 4;

/**
 * Returns the server's clock at the moment at which this page's clock read `reading`. A busy machine may run other work
 * between two readings for longer than a refresh, which would assign the change of a picture to the wrong refresh.
 */
export function instantOf(host: Pick<ScreenHost, 'now'>, reading: number): number {
  let best = { took: Infinity, offset: 0 };
  for (let tried = 0; tried < TRIES && best.took > AT_ONCE_MS; tried++) {
    const before = performance.now();
    const now = host.now();
    const took = performance.now() - before;
    if (took < best.took) best = { took, offset: now - before - took / 2 };
  }
  return reading + best.offset;
}
