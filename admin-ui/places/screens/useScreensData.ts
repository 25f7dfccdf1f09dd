import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Device } from '../../../shared/contract/devices.ts';
import { isFirstAsked } from '../../data/firstAsked.ts';
import { groupMembersQuery, groupsQuery } from '../../data/groups.ts';
import { useCanWrite } from '../../data/me.ts';
import { pendingQuery } from '../../data/pending.ts';
import { screensQuery } from '../../data/screens.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { liveStore } from '../../live/store.ts';
import { useConnection, useLiveStatuses } from '../../live/useLive.ts';
import { inOrder, matchesState, type StateFilter, stateOf, withLive } from './screens.utils.ts';

export type ScreensFilter = {
  readonly q: string;
  readonly state: StateFilter;
  readonly group: string | undefined;
  readonly tag: string | undefined;
};

const tagsOf = (screens: readonly Device[], locale: string): string[] =>
  [...new Set(screens.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b, locale));

/** Everything the wall shows, problems first. */
export const useScreensData = ({ q, state, group, tag }: ScreensFilter) => {
  const locale = useLocaleTag();
  const canWrite = useCanWrite();
  const statuses = useLiveStatuses();
  const offline = useConnection() === 'lost';
  // Without the live line the wall asks by itself.
  const screens = useQuery({ ...screensQuery, refetchInterval: offline ? 15_000 : false });
  const groups = useQuery(groupsQuery);
  const inGroup = useQuery({
    ...groupMembersQuery(group ?? ''),
    enabled: group !== undefined,
    select: (all) => new Set(all.map((one) => one.id)),
  });
  const members = inGroup.data;
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
    () =>
      ordered.filter(
        ({ screen, state: now }) =>
          matchesState(now, state) &&
          (group === undefined || members?.has(screen.id) === true) &&
          (tag === undefined || screen.tags.includes(tag)) &&
          (!wanted ||
            [screen.name, screen.notes, screen.ip_address, ...screen.tags]
              .join('\n')
              .toLocaleLowerCase(locale)
              .includes(wanted)),
      ),
    [ordered, wanted, locale, state, group, members, tag],
  );
  return {
    // What stands above the wall comes with it: a screen that moves away under the pointer is another one by the time
    // of the click.
    status: isFirstAsked(groups) || (canWrite && isFirstAsked(pending)) ? 'pending' : screens.status,
    /** The members of the group are not known yet. */
    filtering: group !== undefined && isFirstAsked(inGroup),
    error: screens.error,
    refetch: screens.refetch,
    canWrite,
    waiting: pending.data ?? [],
    total: ordered.length,
    online: ordered.filter((s) => s.online).length,
    problems: ordered.filter((s) => matchesState(s.state, 'problems')).length,
    groups: groups.data ?? [],
    tags: useMemo(() => tagsOf(screens.data ?? [], locale), [screens.data, locale]),
    screens: useMemo(() => found.map((s) => s.screen), [found]),
  };
};
