import {
  type Active,
  type Announcements,
  type CollisionDetection,
  closestCenter,
  type DndContextProps,
  type DragEndEvent,
  type DragOverEvent,
  type DragStartEvent,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import type { PlaylistItem } from '../../../shared/contract/content/playlists.ts';
import { nameOf } from './ItemRow.tsx';
import type { PlaylistActions } from './usePlaylistData.ts';

/** Id of the whole list as a drop target. */
export const LIST_ID = 'list';

/** The dragged content, if it comes from the library. */
const libraryContent = (active: Active): Content | undefined =>
  (active.data.current as { content?: Content } | undefined)?.content;

/**
 * A content from the library goes to the pointer's position, and nowhere outside the list. An item of the list goes to
 * the nearest position.
 */
const collide: CollisionDetection = (args) => {
  if (!libraryContent(args.active))
    return closestCenter({ ...args, droppableContainers: args.droppableContainers.filter((c) => c.id !== LIST_ID) });
  const under = pointerWithin(args);
  const rows = under.filter((c) => c.id !== LIST_ID);
  return rows.length > 0 ? rows : under;
};

/** The item or content under the pointer during a drag. */
export type Lifted = { item: PlaylistItem } | { content: Content };

/** Dragging items within the list, and contents from the library into it. `drag` are the props of the context. */
export const useListDrag = (items: readonly PlaylistItem[], actions: PlaylistActions) => {
  const { t } = useTranslation();
  const [lifted, setLifted] = useState<Lifted>();
  /** Position for a dragged content of the library. */
  const [place, setPlace] = useState<number>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 160, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const indexOf = (key: string | number) => items.findIndex((item) => actions.keyOf(item) === key);
  const accessibility = useAnnouncements((key) => {
    const index = indexOf(key);
    const item = items[index];
    return item && { name: nameOf(item, t), n: index + 1, total: items.length };
  });

  const start = ({ active, activatorEvent }: DragStartEvent) => {
    // With the keyboard, the row itself moves: a copy would cover the focused handle.
    if (activatorEvent instanceof KeyboardEvent) return;
    const content = libraryContent(active);
    const item = items[indexOf(active.id)];
    setLifted(content ? { content } : item ? { item } : undefined);
  };
  const placeAt = ({ active, over }: DragOverEvent): number | undefined => {
    if (!over || !libraryContent(active)) return undefined;
    if (over.id === LIST_ID) return items.length;
    const index = indexOf(over.id);
    if (index < 0) return undefined;
    const middle = over.rect.top + over.rect.height / 2;
    const top = active.rect.current.translated?.top ?? 0;
    return top + (active.rect.current.translated?.height ?? 0) / 2 > middle ? index + 1 : index;
  };
  const end = (event: DragEndEvent) => {
    setLifted(undefined);
    setPlace(undefined);
    const content = libraryContent(event.active);
    if (content) {
      const at = placeAt(event);
      if (at !== undefined) void actions.add(content, at);
      return;
    }
    const from = indexOf(event.active.id);
    const to = event.over ? indexOf(event.over.id) : -1;
    const item = items[from];
    if (item && to >= 0 && to !== from) void actions.move(item, to);
  };
  const cancel = () => {
    setLifted(undefined);
    setPlace(undefined);
  };
  return {
    lifted,
    place,
    drag: {
      sensors,
      collisionDetection: collide,
      accessibility,
      onDragStart: start,
      onDragOver: (event) => setPlace(placeAt(event)),
      onDragMove: (event) => libraryContent(event.active) && setPlace(placeAt(event)),
      onDragEnd: end,
      onDragCancel: cancel,
    } satisfies DndContextProps,
  };
};

/** Announcements to screen readers while an item is moved. */
const useAnnouncements = (
  find: (key: UniqueIdentifier) => { name: string; n: number; total: number } | undefined,
): NonNullable<DndContextProps['accessibility']> => {
  const { t } = useTranslation();
  const say = (key: 'picked' | 'moved' | 'dropped', item: UniqueIdentifier, at?: UniqueIdentifier) => {
    const found = find(item);
    const place = at === undefined ? found : find(at);
    return found && place && t(`playlist.${key}`, { ...found, n: place.n });
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => say('picked', active.id),
    onDragOver: ({ active, over }) => (over ? say('moved', active.id, over.id) : undefined),
    onDragEnd: ({ active, over }) => (over ? say('dropped', active.id, over.id) : undefined),
    onDragCancel: ({ active }) => {
      const found = find(active.id);
      return found && t('playlist.cancelled', found);
    },
  };
  return { announcements, screenReaderInstructions: { draggable: t('playlist.dragHint') } };
};
