/** Maximum number of names that a sentence lists. */
const LISTED = 5;

export const wordsOfMany = (all: readonly string[]): string =>
  all.length <= LISTED ? all.join(', ') : `${all.slice(0, LISTED).join(', ')} and ${all.length - LISTED} more`;
