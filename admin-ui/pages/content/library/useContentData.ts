import { useCallback, useMemo } from 'react';
import type { Content } from '../../../../shared/contract/content/content.ts';
import { useHidden } from '../../../api/editing/useRemovals.ts';
import { CONTENT_PAGE, type ContentFilter, contentPageQuery } from '../../../api/files/content.ts';
import { usePages } from '../../../api/requests/usePages.ts';
import { useCanUpload } from '../../../api/session/me.ts';

/** Hook for the library as one long list, without contents whose deletion is in progress. */
export const useContentData = (filter: ContentFilter) => {
  const canWrite = useCanUpload();
  const hidden = useHidden();
  const {
    rows,
    at: there,
    total,
    ...pages
  } = usePages((page) => contentPageQuery(filter, page), { size: CONTENT_PAGE });

  // Indices of contents whose deletion is in progress. These contents leave no gap: later contents move up.
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
      return there(real);
    },
    [there, skip],
  );
  return { ...pages, canWrite, total: total - skip.length, at };
};
