import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { liveStore } from '../../../api/live/store.ts';
import { useConnection } from '../../../api/live/useLive.ts';
import { isFirstAsked } from '../../../api/requests/firstAsked.ts';
import { pendingQuery } from '../../../api/requests/pending.ts';
import { searchQuery } from '../../../api/requests/search.ts';
import { usePages } from '../../../api/requests/usePages.ts';
import {
  SCREENS_PAGE,
  type ScreensFilter,
  screenCountsQuery,
  screensPageQuery,
  tagsQuery,
} from '../../../api/screens.ts';
import { useCanWrite, useHasAllScreens } from '../../../api/session/me.ts';

/** Polling interval in milliseconds while the live connection is down. */
const ASK_AGAIN_MS = 15_000;
/**
 * Delay in milliseconds until order and counts are fetched again after status changes. The new status itself appears
 * on its card at once.
 */
const SETTLE_MS = 300;
const BETWEEN_MS = 1_500;
const ANY_GROUP = ['group'] as const;

/** Fetches order and counts again after statuses have changed. */
const useFreshOrder = (): void => {
  const queries = useQueryClient();
  useEffect(() => {
    let [statuses, timer, last]: [unknown, ReturnType<typeof setTimeout> | undefined, number] = [
      liveStore.statuses(),
      undefined,
      Number.NEGATIVE_INFINITY,
    ];
    const refresh = () => {
      timer = undefined;
      last = performance.now();
      for (const part of ['page', 'counts']) void queries.invalidateQueries({ queryKey: ['devices', part] });
    };
    const stop = liveStore.subscribe(() => {
      if (liveStore.statuses() === statuses) return;
      statuses = liveStore.statuses();
      timer ??= setTimeout(refresh, Math.max(SETTLE_MS, last + BETWEEN_MS - performance.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries]);
};

/** Hook for all data of the screens page. The server filters and sorts. */
export const useScreensData = (filter: ScreensFilter) => {
  const canWrite = useCanWrite();
  const refetchInterval = useConnection() === 'lost' ? ASK_AGAIN_MS : false;
  const counts = useQuery({ ...screenCountsQuery, refetchInterval });
  const groups = useQuery(searchQuery(ANY_GROUP, '', 1));
  const tags = useQuery(tagsQuery);
  const mayClaim = useHasAllScreens();
  const pending = useQuery({ ...pendingQuery, enabled: mayClaim });
  const { total: found, ...list } = usePages((page) => screensPageQuery(filter, page), {
    size: SCREENS_PAGE,
    refetchInterval,
  });
  useFreshOrder();
  // The list waits for the parts above it: a card that moves under the pointer would make the click hit another
  // screen.
  const isAsking = [counts, groups, tags].some(isFirstAsked) || (mayClaim && isFirstAsked(pending));
  return {
    ...list,
    status: isAsking ? 'pending' : list.status,
    canWrite,
    mayClaim,
    waiting: pending.data ?? [],
    /** Numbers of all screens, of online screens, and of screens with problems. */
    counts: counts.data ?? { total: found, online: 0, problems: 0 },
    /** Number of screens that match the filter. */
    found,
    hasGroups: (groups.data?.total ?? 0) > 0,
    tags: tags.data?.map(({ tag }) => tag) ?? [],
  };
};
