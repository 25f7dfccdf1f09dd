/** Values of a store in the editor: rows with a name and a text. */
import { ValueName } from '../../../shared/chain/values.ts';

export type Row = { readonly name: string; readonly text: string };

export const rowsOf = (values: Readonly<Record<string, string>>): Row[] =>
  Object.entries(values)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, text]) => ({ name, text }));

/** Returns the values of the rows. Empty rows are left out. */
export const valuesIn = (rows: readonly Row[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ name, text }) => (text.trim() === '' ? [] : [[name.trim(), text.trim()] as const])),
  );

/** Decodes a file from a spreadsheet: UTF-8, or Windows-1252 if it is not valid UTF-8. */
export const tableIn = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/** Returns the mistake in the name of a row; undefined if there is none. */
export const mistakeIn = (rows: readonly Row[], at: number): 'name' | 'twice' | undefined => {
  const { name, text } = rows[at] ?? { name: '', text: '' };
  if (name.trim() === '' && text.trim() === '') return undefined;
  if (!ValueName.safeParse(name).success) return 'name';
  return rows.findIndex((row) => row.name.trim() === name.trim()) < at ? 'twice' : undefined;
};
