/** Returns how many columns of at least `minColumn` pixels fit; at least 1. */
export const columnsFor = (width: number, minColumn: number, gap: number): number =>
  Math.max(1, Math.floor((width + gap) / (minColumn + gap)));

/** Returns the numbers of the pages that contain the rows `first` to `last`. */
export const pagesFor = (first: number, last: number, pageSize: number): number[] => {
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(first, last) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
};
