import { join } from 'node:path';
import { ROOT } from '../kernel/place.ts';

/** What was built for browsers: served to everybody who asks. */
export const DIST = join(ROOT, 'dist');
