/** How long the event loop was held. */

/** Once everything that waits for the loop now has had its turn. */
export const nextTurn = (): Promise<void> => new Promise((next) => setImmediate(next));
