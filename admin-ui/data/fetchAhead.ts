import { configQuery, meQuery } from './me.ts';
import { queryClient } from './queryClient.ts';
import { screensQuery } from './screens.ts';
import { session } from './session.ts';

/** What the first page will ask, asked before it is drawn: who it is for and, on the wall, its screens. */
export const fetchAhead = (): void => {
  if (session.token() === null) {
    void queryClient.prefetchQuery(configQuery);
    return;
  }
  void queryClient.prefetchQuery(meQuery);
  if (/^#?\/?(screens)?(\?|$)/.test(location.hash)) void queryClient.prefetchQuery(screensQuery);
};
