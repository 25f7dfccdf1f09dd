import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { contentPageQuery } from '../../../api/files/content.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { isFirstAsked } from '../../../api/requests/firstAsked.ts';

/** Progress of a new store. `draft`: the playlist to continue with. */
export type FirstStepsDone = {
  readonly uploaded: boolean;
  readonly published: boolean;
  readonly connected: boolean;
  readonly draft: string | undefined;
};

/** With more screens than this, no first steps are shown. */
const BEGINNERS = 3;

/**
 * The remaining steps from an empty server to a picture on a screen; null if there are none or they are dismissed.
 * undefined while loading for the first time: the screens wait for it, because the steps appear above them.
 */
export const useFirstSteps = ({
  screens,
  canWrite,
}: {
  /** Undefined while loading. */
  screens: number | undefined;
  canWrite: boolean;
}): FirstStepsDone | null | undefined => {
  const isDue = screens !== undefined && screens <= BEGINNERS && canWrite;
  const contents = useQuery({ ...contentPageQuery({}, 0), enabled: isDue, select: (page) => page.total });
  const playlists = useQuery({ ...playlistsQuery, enabled: isDue });
  const wallShown = useRef(false);
  if (screens === undefined) return null;
  if (isDue && !wallShown.current && (isFirstAsked(contents) || isFirstAsked(playlists))) return undefined;
  wallShown.current = true;
  if (!isDue || contents.data === undefined || playlists.data === undefined) return null;
  const done = {
    uploaded: contents.data > 0,
    published: playlists.data.some((one) => one.published_at !== null),
    connected: screens > 0,
    draft: playlists.data[0]?.id,
  };
  return done.uploaded && done.published && done.connected ? null : done;
};
