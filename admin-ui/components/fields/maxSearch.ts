/** Longest search text. Every list accepts at least this length. */
export const MAX_SEARCH = 100;
