/** Letters that one searches for: no list takes fewer. */
export const MAX_SEARCH = 100;
