/** The files and folders of a drop, not read yet. This file is small, since it is part of the first load. */
export type Held = readonly [entries: readonly (FileSystemEntry | null)[], files: readonly File[]];

/**
 * Returns the files and folders of a drop. Must be called during the drop event: the browser empties both lists
 * afterwards.
 */
export const capturedDrop = ({ items, files }: DataTransfer): Held => [
  [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry()),
  [...files],
];
