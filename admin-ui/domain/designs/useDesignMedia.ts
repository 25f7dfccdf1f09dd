import { useQueries } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { DrawContext } from '../../../shared/design/draw/context.ts';
import { contentQuery, thumbnailOf } from '../../api/files/content.ts';
import { imageCache } from '../../api/files/useImage.ts';

/** Milliseconds for which a content counts as fresh. A live message about contents makes it stale at once. */
const FRESH_MS = 5 * 60_000;

/**
 * Returns the pictures of these contents for a preview: their thumbnails, fetched with the session. A clip is shown by
 * its thumbnail. A content is missing while its thumbnail loads, and if it has none.
 */
export const useDesignMedia = (ids: readonly string[]): DrawContext['media'] => {
  const contents = useQueries({ queries: ids.map((id) => ({ ...contentQuery(id), staleTime: FRESH_MS })) });
  // One string, so that the addresses are compared by value.
  const addresses = contents.map(({ data }) => (data && thumbnailOf(data.content)) ?? '').join('\n');
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = addresses
        .split('\n')
        .filter(Boolean)
        .map((url) => imageCache.use(url, listener));
      return () => {
        for (const stop of leave) stop();
      };
    },
    [addresses],
  );
  const loaded = useSyncExternalStore(subscribe, () =>
    addresses
      .split('\n')
      .map((url) => {
        const state = url === '' ? undefined : imageCache.state(url);
        return state?.status === 'ready' ? state.src : '';
      })
      .join('\n'),
  );
  const known = ids.join('\n');
  return useCallback(
    (id: string) => {
      const url = loaded.split('\n')[known.split('\n').indexOf(id)];
      return url ? { url, isVideo: false } : undefined;
    },
    [known, loaded],
  );
};
