import type { Announcements, DndContextProps, UniqueIdentifier } from '@dnd-kit/core';
import { useTranslation } from 'react-i18next';

/** What screen readers say while an item is moved. */
export const useAnnouncements = (find: (key: UniqueIdentifier) => { name: string; n: number; total: number } | undefined): NonNullable<DndContextProps['accessibility']> => {
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
