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

const walk = async (entry: Entry): Promise<File[]> => {
  if (entry.isFile) return [await readFile(entry as FileSystemFileEntry)];
  const inside = await readFolder(entry as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map(walk))).flat();
};

/** .DS_Store and the like nobody means to upload. */
const isHidden = (file: File) => file.name.startsWith('.') || file.name === 'Thumbs.db';

/** All files of a drop, those in folders too. */
export const filesOf = async (transfer: DataTransfer): Promise<File[]> => {
  // Both are gone after the first await.
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry?.isDirectory !== true)) return plain.filter((file) => !isHidden(file));
  const files = await Promise.all(entries.filter((entry) => entry !== null).map(walk));
  return files.flat().filter((file) => !isHidden(file));
};
