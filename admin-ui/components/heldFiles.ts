/** What a drop brings, before anything of it is read. Small, since it is there from the first. */
export type Held = readonly [entries: readonly (FileSystemEntry | null)[], files: readonly File[]];

/** To be called within the event: the browser empties both after it. */
export const heldIn = ({ items, files }: DataTransfer): Held => [
  [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry()),
  [...files],
];
