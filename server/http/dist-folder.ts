import { join } from 'node:path';

/** What was built for browsers: served to everybody who asks. */
export const DIST = join(import.meta.dirname, '..', '..', 'dist');
