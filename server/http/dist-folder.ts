import { join } from 'node:path';
import { ROOT } from '../kernel/place.ts';

/** Folder of the built web pages, which are served to everybody. */
export const DIST = join(ROOT, 'dist');
