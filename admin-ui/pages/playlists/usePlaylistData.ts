import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { playlistQuery } from '../../api/playlists.ts';
import { rootsOf } from '../../api/requests/topics.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { useMay } from '../../api/session/rights.ts';
import { toast } from '../../components/controls/toasts.ts';
import { itemActions, type RunEdit } from './edits/itemActions.ts';
import { ItemNumbers } from './edits/itemNumbers.ts';
import { listActions } from './edits/listActions.ts';
import { PlaylistEdits, type PlaylistState } from './edits/playlist.edits.ts';
import { playlistActions } from './edits/playlistActions.ts';

/** One playlist and all its edits. */
export const usePlaylistData = (id: string) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const { may: canWrite, why, isHeld } = useMay('playlist', id);

  const edits = useMemo(() => {
    const { queryKey } = playlistQuery(id);
    return new PlaylistEdits({
      get: () => queries.getQueryData(queryKey),
      set: (state: PlaylistState) => queries.setQueryData(queryKey, state),
      reload: async () => void (await queries.fetchQuery({ ...playlistQuery(id), staleTime: 0 })),
      onFailure: (error) => {
        if (error instanceof ApiError && error.status === 412)
          toast({ tone: 'problem', text: t('playlist.conflictTitle'), detail: t('playlist.conflictHelp') });
        else tell(error);
      },
    });
  }, [id, queries, t, tell]);

  // An announcement during edits must not undo the drawn state: the fetch waits for the edits.
  const base = playlistQuery(id);
  const query = useQuery({
    ...base,
    queryFn: async (context) => {
      if (edits.busy && queries.getQueryData(base.queryKey)) await edits.idle();
      return (base.queryFn as (c: typeof context) => Promise<PlaylistState>)(context);
    },
  });

  const actions = useMemo(() => {
    const numbers = new ItemNumbers();
    const run: RunEdit = async (edit, topics = ['playlists', 'devices']) => {
      void queries.cancelQueries({ queryKey: playlistQuery(id).queryKey });
      const end = ownEdits.begin(topics);
      try {
        return await edits.run(edit);
      } finally {
        end();
        // Marks lists and screens with the playlist as stale. This page is up to date already.
        const roots = new Set(rootsOf('playlists'));
        void queries.invalidateQueries({
          predicate: (q) => roots.has(String(q.queryKey[0])) && (q.queryKey[1] !== 'one' || q.queryKey[2] !== id),
        });
      }
    };
    const present = () => queries.getQueryData<PlaylistState>(playlistQuery(id).queryKey)?.playlist;
    return {
      keyOf: numbers.keyOf,
      ...itemActions(id, run, numbers),
      ...listActions(id, run, numbers, { present, tell, t }),
      ...playlistActions(id, run),
    };
  }, [id, edits, queries, t, tell]);

  return { query, playlist: query.data?.playlist, canWrite, why, isHeld, actions };
};

export type PlaylistActions = ReturnType<typeof usePlaylistData>['actions'];
