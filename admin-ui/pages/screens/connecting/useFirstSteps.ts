import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { contentPageQuery } from '../../../api/files/content.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { isFirstAsked } from '../../../api/requests/firstAsked.ts';

/** Which first steps are done in a new store. `draft`: id of the playlist with which to continue. */
export type FirstStepsDone = {
  readonly uploaded: boolean;
  readonly published: boolean;
  readonly connected: boolean;
  readonly draft: string | undefined;
};

/** Number of screens above which the first steps are not shown. */
const BEGINNERS = 3;

/**
 * Returns the steps from an empty server to a picture on a screen; null if all are done, if the user may not write, or
 * if there are more screens than `BEGINNERS`; undefined while loading for the first time. The list of screens waits for
 * the result, because the steps appear above it.
 */
export const useFirstSteps = ({
  screens,
  canWrite,
}: {
  /** Number of screens; undefined while loading. */
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
