import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useCanWrite } from '../../data/me.ts';
import { pendingQuery } from '../../data/pending.ts';
import { screensQuery } from '../../data/screens.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { liveStore } from '../../live/store.ts';
import { useConnection, useLiveStatuses } from '../../live/useLive.ts';
import { inOrder, stateOf, withLive } from './screens.utils.ts';

/** Everything the wall shows, problems first. */
export const useScreensData = (q: string) => {
  const locale = useLocaleTag();
  const canWrite = useCanWrite();
  const statuses = useLiveStatuses();
  const offline = useConnection() === 'lost';
  // Without the live line the wall asks by itself.
  const screens = useQuery({ ...screensQuery, refetchInterval: offline ? 15_000 : false });
  const pending = useQuery({ ...pendingQuery, enabled: canWrite });
  const ordered = useMemo(() => {
    // Read anew when a status changes: the order depends on it. What else is live each card draws by itself.
    void statuses;
    const all = (screens.data ?? []).map((screen) => {
      const now = withLive(screen, liveStore.device(screen.id));
      return { screen, state: stateOf(now), online: now.status === 'online' };
    });
    return inOrder(all, locale);
  }, [screens.data, statuses, locale]);
  const wanted = q.trim().toLocaleLowerCase(locale);
  const found = useMemo(
    () => (wanted ? ordered.filter(({ screen }) => `${screen.name} ${screen.notes}`.toLocaleLowerCase(locale).includes(wanted)) : ordered),
    [ordered, wanted, locale],
  );
  return {
    status: screens.status,
    error: screens.error,
    refetch: screens.refetch,
    canWrite,
    waiting: pending.data ?? [],
    total: ordered.length,
    online: ordered.filter((s) => s.online).length,
    screens: found.map((s) => s.screen),
  };
};
