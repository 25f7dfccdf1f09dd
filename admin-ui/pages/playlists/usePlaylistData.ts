import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import {
  addItem,
  discardPlaylist,
  type PlaylistItem,
  publishPlaylist,
  removeItem,
  reorderItems,
  replaceItemSchedules,
  returnToPlaylistVersion,
  updateItem,
  updatePlaylist,
} from '../../../shared/contract/content/playlists.ts';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { requestPublish } from '../../../shared/contract/people/approvals.ts';
import { updateAssignment } from '../../../shared/contract/screens/assignments.ts';
import type { Transition } from '../../../shared/program/program.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { playlistQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { rootsOf } from '../../api/requests/topics.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { useMay } from '../../api/session/rights.ts';
import { toast } from '../../components/controls/toasts.ts';
import { type Edit, PlaylistEdits, type PlaylistState } from './playlist.edits.ts';
import { changed, draftItem, draftWidgetItem, inserted, moved, without } from './playlist.utils.ts';

type ItemEdit = { duration_sec: number } | { zone_id: string | null } | { transition: Transition | null } | Valid;

let nextDraftId = -1;

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
    const params = { id };
    /**
     * Maps the server's item numbers to the temporary ones and back, so that an item keeps its identity on the page.
     */
    const numbers = new Map<number, number>();
    const drafts = new Map<number, number>();
    const numberOf = (drawn: number) => numbers.get(drawn) ?? drawn;
    const learn = (draft: number, number: number) => {
      numbers.set(draft, number);
      drafts.set(number, draft);
    };
    /** @param topics whose announcements are echoes of this edit */
    const run = async <R>(
      edit: Edit<R>,
      topics: readonly Topic[] = ['playlists', 'devices'],
    ): Promise<R | undefined> => {
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
    const itemEdit = (item: PlaylistItem, change: ItemEdit) =>
      run({
        apply: (p) => changed(p, item.id, change),
        send: (ifMatch) =>
          client.request(updateItem, { params: { id, itemId: numberOf(item.id) }, body: change, ifMatch }),
      });
    const insert = (draft: PlaylistItem, at: number) =>
      run({
        apply: (p) => inserted(p, draft, at),
        send: (ifMatch) =>
          client.request(addItem, {
            params,
            body: { content_id: draft.content_id, widget_id: draft.widget_id, sort_order: at },
            ifMatch,
          }),
        settle: (p, item) => {
          learn(draft.id, item.id);
          return { ...p, items: p.items.map((i) => (i.id === draft.id ? { ...item, sort_order: i.sort_order } : i)) };
        },
      });
    const add = (content: Content, at: number) => insert(draftItem(id, content, nextDraftId--), at);
    /** Appends to the list. An upload may finish after the user left the page: then the item is only sent. */
    const append = async (content: Content) => {
      const there = queries.getQueryData<PlaylistState>(playlistQuery(id).queryKey);
      if (there) return add(content, there.playlist.items.length);
      return client.call(addItem, { params, body: { content_id: content.id } }).catch(tell);
    };
    const addWidget = (widget: Widget, at: number) => insert(draftWidgetItem(id, widget, nextDraftId--), at);
    const setMuted = (item: PlaylistItem, muted: boolean) =>
      run({
        apply: (p) => changed(p, item.id, { muted }),
        send: (ifMatch) =>
          client.request(updateAssignment, { params: { id: numberOf(item.id) }, body: { muted }, ifMatch }),
      });
    /** Puts a removed item back as it was. The server gives it a new number. */
    const restore = async (item: PlaylistItem, at: number) => {
      const draft = { ...item, id: nextDraftId-- };
      const back = await run({
        apply: (p) => inserted(p, draft, Math.min(at, p.items.length)),
        send: (ifMatch) =>
          client.request(addItem, {
            params,
            body: {
              content_id: item.content_id,
              widget_id: item.widget_id,
              zone_id: item.zone_id,
              sort_order: at,
              duration_sec: item.duration_sec,
              transition: item.transition,
              valid_from: item.valid_from,
              valid_until: item.valid_until,
            },
            ifMatch,
          }),
        settle: (p, answer) => {
          learn(draft.id, answer.id);
          return { ...p, items: p.items.map((i) => (i.id === draft.id ? { ...draft, id: answer.id } : i)) };
        },
      });
      if (!back) return;
      if (item.schedules.length > 0)
        await run({
          apply: (p) => p,
          send: (ifMatch) =>
            client.request(replaceItemSchedules, {
              params: { id, itemId: back.id },
              body: { blocks: item.schedules },
              ifMatch,
            }),
        });
      if (item.muted) await setMuted(back, true);
    };
    return {
      keyOf: (item: PlaylistItem): number => drafts.get(item.id) ?? item.id,
      add,
      append,
      addWidget,
      setMuted,
      setSchedules: (item: PlaylistItem, schedules: PlaylistItem['schedules']) =>
        run({
          apply: (p) => changed(p, item.id, { schedules }),
          send: (ifMatch) =>
            client.request(replaceItemSchedules, {
              params: { id, itemId: numberOf(item.id) },
              body: { blocks: schedules },
              ifMatch,
            }),
        }),
      setValid: (item: PlaylistItem, valid: Valid) => itemEdit(item, valid),
      setDuration: (item: PlaylistItem, duration_sec: number) => itemEdit(item, { duration_sec }),
      setTransition: (item: PlaylistItem, transition: Transition | null) => itemEdit(item, { transition }),
      setZone: (item: PlaylistItem, zone_id: string | null) => itemEdit(item, { zone_id }),
      move: (item: PlaylistItem, to: number) => {
        // The order as drawn now: later edits are not included, and items added earlier have their numbers when it is
        // sent.
        let order: number[] = [];
        return run({
          apply: (p) => {
            const after = moved(p, item.id, to);
            order = after.items.map((i) => i.id);
            return after;
          },
          send: (ifMatch) => client.request(reorderItems, { params, body: { order: order.map(numberOf) }, ifMatch }),
        });
      },
      remove: async (item: PlaylistItem, name: string) => {
        const gone = await run({
          apply: (p) => without(p, item.id),
          send: (ifMatch) => client.request(removeItem, { params: { id, itemId: numberOf(item.id) }, ifMatch }),
        });
        if (gone)
          toast({
            tone: 'done',
            text: t('playlist.removed', { name }),
            action: { label: t('common.undo'), run: () => void restore(item, item.sort_order) },
          });
      },
      rename: (name: string) =>
        run({
          apply: (p) => ({ ...p, name }),
          send: (ifMatch) => client.request(updatePlaylist, { params, body: { name }, ifMatch }),
        }),
      setDefaultTransition: (transition: Transition | null) =>
        run({
          apply: (p) => ({ ...p, transition, status: 'draft' }),
          send: (ifMatch) => client.request(updatePlaylist, { params, body: { transition }, ifMatch }),
          settle: (p, { status }) => ({ ...p, status }),
        }),
      publish: () =>
        run({
          apply: (p) => p,
          send: (ifMatch) => client.request(publishPlaylist, { params, ifMatch }),
          settle: (_, answer) => answer,
        }),
      ask: (note: string) =>
        run(
          {
            apply: (p) => p,
            send: (ifMatch) => client.request(requestPublish, { params, body: { note }, ifMatch }),
          },
          // It changes no playlist, so announcements about playlists are no echoes.
          [],
        ),
      returnTo: (version: number) =>
        run({
          apply: (p) => p,
          send: (ifMatch) =>
            client.request(returnToPlaylistVersion, { params: { id, version: String(version) }, ifMatch }),
          settle: (_, answer) => answer,
        }),
      discard: () =>
        run({
          apply: (p) => p,
          send: (ifMatch) => client.request(discardPlaylist, { params, ifMatch }),
          settle: (_, answer) => answer,
        }),
    };
  }, [id, edits, queries, t, tell]);

  return { query, playlist: query.data?.playlist, canWrite, why, isHeld, actions };
};

export type PlaylistActions = ReturnType<typeof usePlaylistData>['actions'];
