/**
 * Polls until the result is neither undefined nor false. Rejects on timeout.
 * @param what description for the error
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
