import { join } from 'node:path';
import { ROOT } from '../kernel/place.ts';

/** Holds what was built for browsers, and is served to everybody who asks. */
export const DIST = join(ROOT, 'dist');
