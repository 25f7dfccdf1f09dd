/** The table of a directory: categories with entries, as the server stores it. */
import { type Config, listIn, textIn } from '../../domain/saving/useConfigDraft.ts';

export type Entry = {
  readonly identifier: string;
  readonly name: string;
  readonly subtitle: string;
  readonly available: boolean;
};
export type Category = { readonly name: string; readonly entries: readonly Entry[] };

export const categoriesIn = (config: Config): Category[] =>
  listIn(config, 'categories').map((category) => ({
    name: textIn(category, 'name'),
    entries: listIn(category, 'entries').map((entry) => ({
      identifier: textIn(entry, 'identifier'),
      name: textIn(entry, 'name'),
      subtitle: textIn(entry, 'subtitle'),
      available: entry['available'] !== false,
    })),
  }));

export const emptyEntry: Entry = { identifier: '', name: '', subtitle: '', available: true };

/**
 * Parses rows from a spreadsheet (tabs) or a CSV file (semicolons, commas): category, number or room, name, subtitle.
 * Rows with fewer columns have no category, then no number. Rows of the same category are grouped in order of
 * appearance.
 */
export const categoriesFromTable = (text: string): Category[] => {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const separator = ['\t', ';', ','].find((mark) => rows.some((row) => row.includes(mark))) ?? '\t';
  const found = new Map<string, Entry[]>();
  for (const row of rows) {
    const cells = row.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const [category, identifier, name, subtitle] =
      cells.length >= 3 ? cells : cells.length === 2 ? ['', ...cells] : ['', '', ...cells];
    const entries = found.get(category ?? '') ?? [];
    found.set(category ?? '', entries);
    entries.push({ identifier: identifier ?? '', name: name ?? '', subtitle: subtitle ?? '', available: true });
  }
  return [...found].map(([name, entries]) => ({ name, entries }));
};
