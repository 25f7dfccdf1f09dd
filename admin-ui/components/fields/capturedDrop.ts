/** The content of a drop before anything is read. Small, since it is part of the first load. */
export type Held = readonly [entries: readonly (FileSystemEntry | null)[], files: readonly File[]];

/** Call it during the event: the browser empties both lists afterwards. */
export const capturedDrop = ({ items, files }: DataTransfer): Held => [
  [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry()),
  [...files],
];
