import type { Held } from './capturedDrop.ts';

/** A dropped folder is an entry that is read in parts. */
type Entry = FileSystemEntry;

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((done, failed) => entry.file(done, failed));

/** More files are hardly meant for a library, but a disk dropped by accident. */
export const MOST_FILES = 2000;

/** `readEntries` returns at most a hundred at a time, and an empty list at the end. */
const readFolder = async (entry: FileSystemDirectoryEntry): Promise<Entry[]> => {
  const reader = entry.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed));
    all.push(...some);
    if (some.length === 0 || all.length > MOST_FILES) return all;
  }
};

/** A file, and its folders, outermost first. */
export type DroppedFile = { readonly file: File; readonly folders: readonly string[] };

/** One after the other, so that it can stop after one file over the limit instead of reading a whole disk. */
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

/** Leaves out hidden files like .DS_Store, which nobody wants to upload. */
const isMeant = ({ file }: DroppedFile) => !file.name.startsWith('.') && file.name !== 'Thumbs.db';

/** All files of a drop, including those in folders. If there are more than `MOST_FILES`, one over the limit. */
export const filesIn = async ([entries, plain]: Held): Promise<DroppedFile[]> => {
  if (entries.every((entry) => entry?.isDirectory !== true))
    return plain.map((file) => ({ file, folders: [] })).filter(isMeant);
  const found: DroppedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, [], found);
  return found;
};

/** The files of a chosen folder. The browser gives each file's relative path. */
export const filesOfChoice = (files: Iterable<File>): DroppedFile[] =>
  [...files]
    .map((file) => ({ file, folders: (file.webkitRelativePath || '').split('/').filter(Boolean).slice(0, -1) }))
    .filter(isMeant);
