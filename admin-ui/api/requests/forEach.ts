export type Failed<T> = { readonly item: T; readonly error: unknown };

/** Runs an action for each item, a few actions at a time. A failure does not stop the other actions. */
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
