/**
 * Returns the text as it is searched and sorted: in small letters, without accents. SQLite folds and sorts A to Z
 * only; people also name things Über, ÉTÉ and ŁÓDŹ. Within SQL it is `vitrine_fold` (database.ts).
 */
export const fold = (text: unknown): string =>
  String(text ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
