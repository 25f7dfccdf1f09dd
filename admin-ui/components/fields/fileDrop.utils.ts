import type { Held } from './capturedDrop.ts';

/** A dropped file, or a dropped folder whose entries are read in parts. */
type Entry = FileSystemEntry;

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((done, failed) => entry.file(done, failed));

/** Maximum number of files of one drop. More files are probably a whole disk that was dropped by accident. */
export const MOST_FILES = 2000;

/**
 * Returns all entries of a folder. `readEntries` returns at most a hundred entries per call, and an empty list at
 * the end.
 */
const readFolder = async (entry: FileSystemDirectoryEntry): Promise<Entry[]> => {
  const reader = entry.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed));
    all.push(...some);
    if (some.length === 0 || all.length > MOST_FILES) return all;
  }
};

/** A dropped file, and the names of its folders, outermost folder first. */
export type DroppedFile = { readonly file: File; readonly folders: readonly string[] };

/**
 * Reads entries one after the other, so that it can stop after one file over the limit instead of reading a whole
 * disk.
 */
const walk = async (entry: Entry, folders: readonly string[], into: DroppedFile[]): Promise<void> => {
  if (into.length > MOST_FILES) return;
  if (!entry.isDirectory) {
    const found = { file: await readFile(entry as FileSystemFileEntry), folders };
    if (isMeant(found)) into.push(found);
    return;
  }
  for (const one of await readFolder(entry as FileSystemDirectoryEntry))
    await walk(one, [...folders, entry.name], into);
};

/** Returns whether a file is meant to be uploaded. Hidden files like .DS_Store are not. */
const isMeant = ({ file }: DroppedFile) => !file.name.startsWith('.') && file.name !== 'Thumbs.db';

/** Returns all files of a drop, including files in folders. Returns at most one file more than `MOST_FILES`. */
export const filesIn = async ([entries, plain]: Held): Promise<DroppedFile[]> => {
  if (entries.every((entry) => entry?.isDirectory !== true))
    return plain.map((file) => ({ file, folders: [] })).filter(isMeant);
  const found: DroppedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, [], found);
  return found;
};

/**
 * Returns the files of a folder that was chosen in the browser's dialog. The browser gives the relative path of each
 * file.
 */
export const filesOfChoice = (files: Iterable<File>): DroppedFile[] =>
  [...files]
    .map((file) => ({ file, folders: (file.webkitRelativePath || '').split('/').filter(Boolean).slice(0, -1) }))
    .filter(isMeant);
