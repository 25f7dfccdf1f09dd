import { useCallback, useMemo } from 'react';
import type { Content } from '../../../shared/contract/content.ts';
import { CONTENT_PAGE, type ContentFilter, contentPageQuery } from '../../data/content.ts';
import { useCanUpload } from '../../data/me.ts';
import { usePages } from '../../data/usePages.ts';
import { useHidden } from '../../data/useRemovals.ts';

/** The library as one long list, without contents that are being deleted. */
export const useContentData = (filter: ContentFilter) => {
  const canWrite = useCanUpload();
  const hidden = useHidden();
  const {
    rows,
    at: there,
    total,
    ...pages
  } = usePages((page) => contentPageQuery(filter, page), { size: CONTENT_PAGE });

  // Contents that are being deleted leave no gap in the list: later contents move up.
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
