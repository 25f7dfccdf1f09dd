import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { contentPageQuery } from '../../data/content.ts';
import { isFirstAsked } from '../../data/firstAsked.ts';
import { playlistsQuery } from '../../data/playlists.ts';

/** How far a new store is. `draft`: the playlist to go on with. */
export type FirstStepsDone = { readonly uploaded: boolean; readonly published: boolean; readonly connected: boolean; readonly draft: string | undefined };

/**
 * What is left to do from an empty server to a picture on a screen; null where nothing is, or it is not to be told.
 * undefined while it is asked for the first time: the wall waits for that, because what it brings stands above the wall.
 */
export const useFirstSteps = ({ isDue, screens }: { isDue: boolean; screens: number }): FirstStepsDone | null | undefined => {
  const contents = useQuery({ ...contentPageQuery({}, 0), enabled: isDue, select: (page) => page.total });
  const playlists = useQuery({ ...playlistsQuery, enabled: isDue });
  const told = useRef(false);
  if (!isDue) return null;
  if (contents.data === undefined || playlists.data === undefined) return !told.current && (isFirstAsked(contents) || isFirstAsked(playlists)) ? undefined : null;
  told.current = true;
  const done = { uploaded: contents.data > 0, published: playlists.data.some((one) => one.published_at !== null), connected: screens > 0, draft: playlists.data[0]?.id };
  return done.uploaded && done.published && done.connected ? null : done;
};
