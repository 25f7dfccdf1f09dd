import { createRoot } from 'react-dom/client';
import { queryClient } from './api/requests/queryClient.ts';
import { screenCountsQuery, screensPageQuery, WALL } from './api/screens.ts';
import { configQuery, meQuery } from './api/session/me.ts';
import { session } from './api/session/session.ts';
import { atHeadquarters, openedStore } from './api/session/storeWindow.ts';
import { App } from './app/App.tsx';
import { startTranslations } from './i18n/i18n.ts';

/**
 * Fetches the data of the first page before React renders the page: the user and, for the screens page, its screens.
 */
const fetchAhead = (): void => {
  if (session.token() === null) {
    void queryClient.prefetchQuery(configQuery);
    return;
  }
  void queryClient.prefetchQuery(meQuery);
  if (!/^#?\/?(screens)?$/.test(location.hash)) return;
  void queryClient.prefetchQuery(screensPageQuery(WALL, 0));
  void queryClient.prefetchQuery(screenCountsQuery);
};

export const start = async (): Promise<void> => {
  if (openedStore !== undefined && session.token() === null) return location.replace(atHeadquarters(openedStore));
  fetchAhead();
  await startTranslations();
  createRoot(document.getElementById('root')!).render(<App />);
};
