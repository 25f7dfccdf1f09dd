/** Location of this program on disk. */
import { join } from 'node:path';
import { type Entry, entryFile } from '../../shared/desktop/entries.ts';

/** The folder with package.json, node_modules and dist: a checkout or the packaged app. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** @returns the path of a program, thread or process to start */
export const pathOf = (entry: Entry): string => join(ROOT, entryFile(entry, import.meta.filename));
