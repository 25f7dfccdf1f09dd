import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';

/** Returns the indices of the rows to render: the visible rows, and the row with the focus. */
export const withKept =
  (kept: number | undefined) =>
  (range: Range): number[] => {
    const rows = defaultRangeExtractor(range);
    if (kept === undefined || kept < 0 || kept >= range.count || rows.includes(kept)) return rows;
    return [...rows, kept].sort((a, b) => a - b);
  };
