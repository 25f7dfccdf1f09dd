import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PlaylistSource } from '../../../../shared/contract/screens/devices.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { screenQuery } from '../../../api/screens.ts';

/** Milliseconds for which a card must be visible before it sends a request. Scrolling past a card sends none. */
const LOOKED_AT_MS = 400;

/** Returns the playlist that a screen plays, and its source; null while unknown, or if the screen plays none. */
export const useWhyPlaying = (id: string): { source: PlaylistSource; playlist: string } | null => {
  const [looked, setLooked] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLooked(true), LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, []);
  const screen = useQuery({ ...screenQuery(id), enabled: looked, staleTime: 60_000 }).data?.screen;
  const playlists = useQuery({ ...playlistsQuery, enabled: looked }).data;
  if (!screen?.playlist_source || !playlists) return null;
  const playlist = playlists.find((p) => p.id === screen.current_playlist_id)?.name;
  return playlist === undefined ? null : { source: screen.playlist_source, playlist };
};
