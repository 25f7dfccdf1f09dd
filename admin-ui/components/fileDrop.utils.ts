/** A folder that is dragged in comes as an entry, to be read bit by bit. */
type Entry = FileSystemEntry;

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((done, failed) => entry.file(done, failed));

/** `readEntries` gives at most a hundred at a time, and an empty list at the end. */
const readFolder = async (entry: FileSystemDirectoryEntry): Promise<Entry[]> => {
  const reader = entry.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
};

/** A file, and the folders it was in, outermost first. */
export type DroppedFile = { readonly file: File; readonly folders: readonly string[] };

const walk = async (entry: Entry, folders: readonly string[]): Promise<DroppedFile[]> => {
  if (entry.isFile) return [{ file: await readFile(entry as FileSystemFileEntry), folders }];
  const inside = await readFolder(entry as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map((one) => walk(one, [...folders, entry.name])))).flat();
};

/** Leaves out hidden files like .DS_Store, which nobody means to upload. */
const isMeant = ({ file }: DroppedFile) => !file.name.startsWith('.') && file.name !== 'Thumbs.db';

/** All files of a drop, those in folders too. */
export const filesOf = async (transfer: DataTransfer): Promise<DroppedFile[]> => {
  // Reads both at once: the browser empties them after the first await.
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry?.isDirectory !== true))
    return plain.map((file) => ({ file, folders: [] })).filter(isMeant);
  const files = await Promise.all(entries.filter((entry) => entry !== null).map((entry) => walk(entry, [])));
  return files.flat().filter(isMeant);
};

/** The files of a folder that was chosen. The browser says where in it each of them lies. */
export const filesOfChoice = (files: Iterable<File>): DroppedFile[] =>
  [...files]
    .map((file) => ({ file, folders: (file.webkitRelativePath || '').split('/').filter(Boolean).slice(0, -1) }))
    .filter(isMeant);
