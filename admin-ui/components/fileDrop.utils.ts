import type { Held } from './heldFiles.ts';

/** A folder that is dragged in comes as an entry, to be read bit by bit. */
type Entry = FileSystemEntry;

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((done, failed) => entry.file(done, failed));

/** More are not meant for a library at once, but are a disk that slipped onto the window. */
export const MOST_FILES = 2000;

/** `readEntries` gives at most a hundred at a time, and an empty list at the end. */
const readFolder = async (entry: FileSystemDirectoryEntry): Promise<Entry[]> => {
  const reader = entry.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed));
    all.push(...some);
    if (some.length === 0 || all.length > MOST_FILES) return all;
  }
};

/** A file, and the folders it was in, outermost first. */
export type DroppedFile = { readonly file: File; readonly folders: readonly string[] };

/** One after the other, so that a disk is not read to its end: stops after one file too many. */
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

/** Leaves out hidden files like .DS_Store, which nobody means to upload. */
const isMeant = ({ file }: DroppedFile) => !file.name.startsWith('.') && file.name !== 'Thumbs.db';

/** All files of a drop, those in folders too; of more than `MOST_FILES` one too many. */
export const filesIn = async ([entries, plain]: Held): Promise<DroppedFile[]> => {
  if (entries.every((entry) => entry?.isDirectory !== true))
    return plain.map((file) => ({ file, folders: [] })).filter(isMeant);
  const found: DroppedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, [], found);
  return found;
};

/** The files of a folder that was chosen. The browser says where in it each of them lies. */
export const filesOfChoice = (files: Iterable<File>): DroppedFile[] =>
  [...files]
    .map((file) => ({ file, folders: (file.webkitRelativePath || '').split('/').filter(Boolean).slice(0, -1) }))
    .filter(isMeant);
