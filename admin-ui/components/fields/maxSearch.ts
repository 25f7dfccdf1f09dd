/** Maximum length of a search text in characters. Every list of the server accepts at least this length. */
export const MAX_SEARCH = 100;
