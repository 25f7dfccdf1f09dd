/** One moment by two clocks. */
import type { ScreenHost } from './host.ts';

/** Read within this time, two clocks tell of the same moment … */
const AT_ONCE_MS = 0.2;
/** … which a busy machine may not allow: then the best of some. */
const TRIES = 4;

/**
 * The server's clock when this page's read `reading`. Between reading the one and the other a busy machine may let
 * somebody else run, for longer than a refresh: a picture would be changed at the wrong one.
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
