import type BetterSqlite3 from 'better-sqlite3';

/** Matches text that needs no Unicode normalization, as most names do. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns a text in the form that is used for searching: lower case, without accents. SQLite itself folds only A to Z,
 * but names can be Über, ÉTÉ or ŁÓDŹ. In SQL, the function is called `vitrine_fold` (database.ts).
 */
export const fold = (text: unknown): string => {
  const plain = String(text ?? '');
  return (ASCII.test(plain) ? plain : plain.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
};

/** Number of digits to which numbers are padded. No number in a name has more digits. */
const DIGITS = 12;

/**
 * Returns the sort key of a name, used in all lists: folded, with numbers padded so that Till 2 comes before Till 10,
 * as in `server/kernel/collate.ts`. In SQL, the function is called `vitrine_order`.
 */
export const orderKey = (text: unknown): string => fold(text).replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** Registers the functions `vitrine_fold` and `vitrine_order` with a connection. */
export const foldIn = (raw: BetterSqlite3.Database): void => {
  raw.function('vitrine_fold', { deterministic: true }, fold);
  raw.function('vitrine_order', { deterministic: true }, orderKey);
};
