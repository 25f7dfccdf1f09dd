import type BetterSqlite3 from 'better-sqlite3';

/** What is folded already, as most names are: nothing is taken apart for it. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns the text as it is searched: in small letters, without accents. SQLite folds A to Z only; people also name
 * things Über, ÉTÉ and ŁÓDŹ. Within SQL it is `vitrine_fold` (database.ts).
 */
export const fold = (text: unknown): string => {
  const plain = String(text ?? '');
  return (ASCII.test(plain) ? plain : plain.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
};

/** More digits than any number in a name has. */
const DIGITS = 12;

/**
 * Returns what names are sorted by, everywhere people see them: folded, and numbers by their value, so that Till 2
 * comes before Till 10 as in `server/kernel/collate.ts`. Within SQL it is `vitrine_order`.
 */
export const orderKey = (text: unknown): string => fold(text).replace(/\d+/g, (number) => number.padStart(DIGITS, '0'));

/** Teaches a connection both. */
export const foldIn = (raw: BetterSqlite3.Database): void => {
  raw.function('vitrine_fold', { deterministic: true }, fold);
  raw.function('vitrine_order', { deterministic: true }, orderKey);
};
