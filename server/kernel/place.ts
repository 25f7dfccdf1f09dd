import { join } from 'node:path';
import { type Entry, entryFile } from '../../shared/desktop/entries.ts';

/** Root folder of the program, with package.json, node_modules and dist, in a checkout and in a package. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** Returns the path of an entry file for a program, thread or process. */
export const pathOf = (entry: Entry): string => join(ROOT, entryFile(entry, import.meta.filename));
