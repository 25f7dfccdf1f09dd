import type { TFunction } from 'i18next';
import type { Content } from '../../../../shared/contract/content/content.ts';
import {
  addItem,
  type PlaylistItem,
  type PlaylistWithItems,
  removeItem,
  reorderItems,
  replaceItemSchedules,
} from '../../../../shared/contract/content/playlists.ts';
import type { Widget } from '../../../../shared/contract/content/widgets.ts';
import { client } from '../../../api/requests/client.ts';
import { toast } from '../../../components/controls/toasts.ts';
import { draftItem, draftWidgetItem, inserted, moved, without } from '../playlist.utils.ts';
import { itemActions, type RunEdit } from './itemActions.ts';
import type { ItemNumbers } from './itemNumbers.ts';

type ListActionsOptions = {
  /** Returns the playlist as drawn; undefined after the user left the page. */
  readonly present: () => PlaylistWithItems | undefined;
  readonly tell: (error: unknown) => void;
  readonly t: TFunction;
};

/** Edits of the list: adds, moves, removes and restores items. */
export const listActions = (
  id: string,
  run: RunEdit,
  numbers: ItemNumbers,
  { present, tell, t }: ListActionsOptions,
) => {
  const params = { id };
  const { numberOf } = numbers;
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
        numbers.learn(draft.id, item.id);
        return { ...p, items: p.items.map((i) => (i.id === draft.id ? { ...item, sort_order: i.sort_order } : i)) };
      },
    });
  const add = (content: Content, at: number) => insert(draftItem(id, content, numbers.draft()), at);
  const addWidget = (widget: Widget, at: number) => insert(draftWidgetItem(id, widget, numbers.draft()), at);
  /** Appends to the list. An upload may finish after the user left the page: then the item is only sent. */
  const append = async (content: Content) => {
    const playlist = present();
    if (playlist) return add(content, playlist.items.length);
    return client.call(addItem, { params, body: { content_id: content.id } }).catch(tell);
  };
  const move = (item: PlaylistItem, to: number) => {
    // The order as drawn now: later edits are not included, and items added earlier have their numbers when it is sent.
    let order: number[] = [];
    return run({
      apply: (p) => {
        const after = moved(p, item.id, to);
        order = after.items.map((i) => i.id);
        return after;
      },
      send: (ifMatch) => client.request(reorderItems, { params, body: { order: order.map(numberOf) }, ifMatch }),
    });
  };
  /** Puts a removed item back as it was. The server gives it a new number. */
  const restore = async (item: PlaylistItem, at: number) => {
    const draft = { ...item, id: numbers.draft() };
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
        numbers.learn(draft.id, answer.id);
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
    if (item.muted) await itemActions(id, run, numbers).setMuted(back, true);
  };
  const remove = async (item: PlaylistItem, name: string) => {
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
  };
  return { add, addWidget, append, move, remove };
};
