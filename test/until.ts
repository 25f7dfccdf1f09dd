/**
 * Looks again and again until there is something: neither undefined nor false. Rejects when there is nothing in time.
 * @param what is waited for, for the error
 */
export const until = async <T>(
  what: string | (() => string),
  ms: number,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  every = 50,
): Promise<T> => {
  for (const deadline = performance.now() + ms; ; await new Promise((next) => setTimeout(next, every))) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline)
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${ms} ms`);
  }
};
