import { useCallback, useMemo } from 'react';
import type { Content } from '../../../../shared/contract/content/content.ts';
import { useHidden } from '../../../api/editing/useRemovals.ts';
import { CONTENT_PAGE, type ContentFilter, contentPageQuery } from '../../../api/files/content.ts';
import { usePages } from '../../../api/requests/usePages.ts';
import { useCanUpload } from '../../../api/session/me.ts';

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

  // Contents that are being deleted leave no gap: later indices move up.
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
