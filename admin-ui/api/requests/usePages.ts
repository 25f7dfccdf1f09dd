import {
  keepPreviousData,
  type QueryFunction,
  type QueryKey,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { pagesFor } from '../../components/lists/virtualGrid.utils.ts';
import type { ListPage } from './pages.ts';

type PageQuery<T> = {
  readonly queryKey: QueryKey;
  readonly queryFn?: QueryFunction<ListPage<T>, never> | undefined;
};

type Options = {
  /** Records per page. */
  readonly size: number;
  /** Polling interval in milliseconds; false for none. */
  readonly refetchInterval?: number | false;
};

/**
 * Maximum age in milliseconds of a loaded page when an action needs the selected records. Older pages are fetched
 * again.
 */
const FRESH_MS = 10_000;

/**
 * Loads a long list page by page as the user scrolls. `at(i)` is undefined while the page of record `i` is loading.
 * Ten thousand records are loaded by many small requests while scrolling, not by one large request before anything
 * is visible.
 */
export const usePages = <T>(pageOf: (page: number) => PageQuery<T>, { size, refetchInterval = false }: Options) => {
  const queries = useQueryClient();
  const [pages, setPages] = useState<readonly number[]>([0]);
  const options = (page: number) => ({ ...(pageOf(page) as { queryKey: QueryKey }), refetchInterval });
  const first = useQuery<ListPage<T>>({ ...options(0), placeholderData: keepPreviousData });
  const others = pages.filter((page) => page > 0);
  const shown = useQueries({ queries: others.map((page) => options(page)) });
  const come = useMemo(() => {
    const loaded = new Map<number, readonly T[]>();
    if (first.data) loaded.set(0, first.data.rows);
    for (const [i, page] of others.entries()) {
      const data = shown[i]?.data as ListPage<T> | undefined;
      if (data) loaded.set(page, data.rows);
    }
    return loaded;
  }, [first.data, shown, others]);
  // A page that arrives while scrolling contains a hundred cards. React renders them with low priority.
  const rows = useDeferredValue(come);
  const at = useCallback(
    (index: number): T | undefined => rows.get(Math.floor(index / size))?.[index % size],
    [rows, size],
  );
  const onRange = useCallback(
    (from: number, to: number) => {
      const next = pagesFor(from, to + 1, size);
      setPages((now) => (now.join() === next.join() ? now : next));
    },
    [size],
  );
  const ask = useRef(pageOf);
  ask.current = pageOf;
  /** Returns the records of a range of indices, and fetches pages that are not loaded yet. */
  const load = useCallback(
    async (from: number, to: number): Promise<T[]> => {
      const wanted = pagesFor(from, to, size);
      const lists = await Promise.all(
        wanted.map((page) =>
          queries.fetchQuery<ListPage<T>>({
            ...(ask.current(page) as { queryKey: QueryKey }),
            staleTime: FRESH_MS,
          }),
        ),
      );
      const before = (wanted[0] ?? 0) * size;
      return lists.flatMap((list) => list.rows).slice(from - before, to - before + 1);
    },
    [queries, size],
  );
  return {
    status: first.status,
    error: first.error,
    refetch: first.refetch,
    isPlaceholder: first.isPlaceholderData,
    total: first.data?.total ?? 0,
    rows,
    at,
    onRange,
    load,
  };
};
