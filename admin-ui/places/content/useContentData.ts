import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { Content } from '../../../shared/contract/content.ts';
import { pagesFor } from '../../components/virtualGrid.utils.ts';
import { CONTENT_PAGE, type ContentFilter, contentPageQuery } from '../../data/content.ts';
import { useCanWrite } from '../../data/me.ts';
import { useHidden } from '../../data/useRemovals.ts';

/**
 * The library as one long list of which only the pages in view are loaded: `at(i)` is undefined while its page is on
 * its way. Ten thousand contents are then twenty small requests while somebody scrolls, not one large one before they
 * see anything.
 */
export const useContentData = (filter: ContentFilter) => {
  const canWrite = useCanWrite();
  const hidden = useHidden();
  const [pages, setPages] = useState<number[]>([0]);
  const first = useQuery({ ...contentPageQuery(filter, 0), placeholderData: keepPreviousData });
  const shown = useQueries({ queries: pages.filter((page) => page > 0).map((page) => contentPageQuery(filter, page)) });
  const come = useMemo(() => {
    const loaded = new Map<number, Content[]>();
    if (first.data) loaded.set(0, first.data.rows);
    for (const [i, page] of pages.filter((p) => p > 0).entries()) {
      const data = shown[i]?.data;
      if (data) loaded.set(page, data.rows);
    }
    return loaded;
  }, [first.data, shown, pages]);
  // A page that comes while somebody scrolls is a hundred cards: drawn piece by piece.
  const rows = useDeferredValue(come);
  const total = first.data?.total ?? 0;

  // What is being deleted leaves no hole: the indices behind it move up.
  const skip = useMemo(() => {
    const gone: number[] = [];
    for (const [page, list] of rows)
      for (const [i, content] of list.entries())
        if (hidden.has(`content:${content.id}`)) gone.push(page * CONTENT_PAGE + i);
    return gone.sort((a, b) => a - b);
  }, [rows, hidden]);
  const at = useCallback(
    (index: number): Content | undefined => {
      let real = index;
      for (const gone of skip) if (gone <= real) real++;
      return rows.get(Math.floor(real / CONTENT_PAGE))?.[real % CONTENT_PAGE];
    },
    [rows, skip],
  );
  const onRange = useCallback((from: number, to: number) => {
    const next = pagesFor(from, to + 1, CONTENT_PAGE);
    setPages((now) => (now.join() === next.join() ? now : next));
  }, []);
  return {
    status: first.status,
    error: first.error,
    refetch: first.refetch,
    canWrite,
    total: total - skip.length,
    at,
    onRange,
  };
};
