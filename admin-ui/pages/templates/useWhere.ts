import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Playlist } from '../../../shared/contract/content/playlists.ts';
import { groupsQuery } from '../../api/groups.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { screenCountsQuery } from '../../api/screens.ts';
import { useCanShow, useOwnGroups } from '../../api/session/me.ts';
import { useHindrances } from '../../api/session/rights.ts';
import { browserStore } from '../../components/hooks/browserStore.ts';
import type { Target } from '../../domain/screens/TargetPicker.tsx';

/** Where a new design is shown: in a playlist, or on chosen screens. */
export type Where =
  | { readonly kind: 'playlist'; readonly id: string | null }
  | { readonly kind: 'screens'; readonly targets: readonly Target[] };

const KEY = 'vitrine.newDesign.playlist';
/** Number of playlists among which the one that is suggested is searched. */
const TRIED = 20;

/** Suggests this playlist for the next new design. */
export const rememberPlaylist = (id: string): void => void browserStore.setItem(KEY, id);

/**
 * Returns where a new design is shown, and how to change it. The suggestion is the playlist of the address, the screens
 * of the user's groups, the playlist that was used last, or the one on most screens.
 */
export const useWhere = (wanted: string | undefined) => {
  const [chosen, setWhere] = useState<Where>();
  const mayScreens = useCanShow();
  const ownGroups = useOwnGroups();
  const playlists = useQuery(playlistsQuery).data;
  const groups = useQuery({ ...groupsQuery, enabled: ownGroups !== null }).data;
  const screens = useQuery(screenCountsQuery).data?.total;
  const likely = likelyFirst(playlists ?? [], wanted).slice(0, TRIED);
  const hindered = useHindrances(
    'playlist',
    likely.map(({ id }) => id),
  );
  const isKnown = playlists !== undefined && hindered !== undefined && (ownGroups === null || groups !== undefined);
  const free = likely.filter(({ id }) => !hindered?.some((one) => one.id === id));
  const own = (groups ?? []).filter(({ id }) => ownGroups?.includes(id));
  const suggested: Where =
    mayScreens && own.length > 0 && wanted === undefined
      ? { kind: 'screens', targets: own.map(({ id, name }) => ({ kind: 'group', id, name })) }
      : free[0] || !mayScreens
        ? { kind: 'playlist', id: free[0]?.id ?? null }
        : { kind: 'screens', targets: [] };
  const where = chosen ?? suggested;
  const playlist = where.kind === 'playlist' ? playlists?.find(({ id }) => id === where.id) : undefined;
  return {
    isKnown,
    where,
    setWhere,
    playlist,
    mayScreens,
    /** Whether there is nothing that could show the design. */
    isNowhere: isKnown && free.length === 0 && screens === 0,
    isReady: where.kind === 'playlist' ? where.id !== null : where.targets.length > 0,
  };
};
export type WhereChoice = ReturnType<typeof useWhere>;

const likelyFirst = (playlists: readonly Playlist[], wanted: string | undefined): Playlist[] => {
  const last = browserStore.getItem(KEY);
  const rank = ({ id, display_count, device_id }: Playlist): number =>
    id === wanted ? 3e6 : id === last ? 2e6 : device_id === null ? 1e6 + display_count : display_count;
  return playlists.toSorted((a, b) => rank(b) - rank(a));
};
