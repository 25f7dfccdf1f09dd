export type Failed<T> = { readonly item: T; readonly error: unknown };

/** Does the same with each of many, a few at a time; what fails does not keep the others from being done. */
export const forEach = async <T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  parallel = 4,
): Promise<{ done: T[]; failed: Failed<T>[] }> => {
  const rest = items.values();
  const done: T[] = [];
  const failed: Failed<T>[] = [];
  const work = async () => {
    for (const item of rest) {
      try {
        await run(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, work));
  return { done, failed };
};
