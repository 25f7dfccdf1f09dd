import {
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  type DragStartEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content.ts';
import type { PlaylistItem, PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import type { Widget } from '../../../shared/contract/widgets.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { formatClock } from '../../i18n/format.ts';
import { ContentThumb } from '../../parts/ContentThumb.tsx';
import { collide, LIST_ID, libraryContent } from './dnd.utils.ts';
import { ItemList } from './ItemList.tsx';
import { ItemRowBody, nameOf } from './ItemRow.tsx';
import { LibraryPane } from './LibraryPane.tsx';
import { totalSeconds } from './playlist.utils.ts';
import { useAnnouncements } from './useAnnouncements.ts';
import type { PlaylistActions } from './usePlaylistData.ts';
import { ZoneLayoutChoice } from './ZoneLayoutChoice.tsx';

type Lifted = { item: PlaylistItem } | { content: Content };

/** The list, and the library beside it. Both belong to one drag-and-drop context, so that contents can be dragged over. */
export function Editor({ playlist, canWrite, actions }: { playlist: PlaylistWithItems; canWrite: boolean; actions: PlaylistActions }) {
  const { t } = useTranslation();
  const [lifted, setLifted] = useState<Lifted>();
  /** Where a content from the library would go. */
  const [place, setPlace] = useState<number>();
  const [choosing, setChoosing] = useState(false);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 160, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const items = playlist.items;
  const indexOf = (key: string | number) => items.findIndex((item) => actions.keyOf(item) === key);
  const accessibility = useAnnouncements((key) => {
    const index = indexOf(key);
    const item = items[index];
    return item && { name: nameOf(item, t), n: index + 1, total: items.length };
  });

  const start = ({ active }: DragStartEvent) => {
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
  const append = (content: Content) => {
    void actions.add(content, items.length);
    toast({ tone: 'done', text: t('playlist.added', { name: content.filename }) }, { timeout: 2500 });
  };
  const appendWidget = (widget: Widget) => {
    void actions.addWidget(widget, items.length);
    toast({ tone: 'done', text: t('playlist.added', { name: widget.name }) }, { timeout: 2500 });
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collide}
      accessibility={accessibility}
      onDragStart={start}
      onDragOver={(event) => setPlace(placeAt(event))}
      onDragMove={(event) => libraryContent(event.active) && setPlace(placeAt(event))}
      onDragEnd={end}
      onDragCancel={cancel}
    >
      <div className="editor">
        <section className="editor-list">
          <div className="editor-bar">
            <p>{t('playlist.itemsAndLength', { count: items.length, length: formatClock(totalSeconds(items)) })}</p>
            <ZoneLayoutChoice />
            {canWrite && (
              <span className="add-content">
                <Button icon={Plus} onPress={() => setChoosing(true)}>
                  {t('playlist.addContent')}
                </Button>
              </span>
            )}
          </div>
          <ItemList items={items} canWrite={canWrite} actions={actions} place={place} />
        </section>
        {canWrite && (
          <aside className="library" aria-label={t('playlist.library')}>
            <header>
              <h2>{t('playlist.library')}</h2>
              <p>{t('playlist.libraryLead')}</p>
            </header>
            <LibraryPane onAdd={append} onAddWidget={appendWidget} draggable />
          </aside>
        )}
      </div>
      {choosing && (
        <Dialog title={t('playlist.addContent')} size="wide" onClose={() => setChoosing(false)} actions={<Button onPress={() => setChoosing(false)}>{t('common.done')}</Button>}>
          <LibraryPane onAdd={append} onAddWidget={appendWidget} />
        </Dialog>
      )}
      <DragOverlay dropAnimation={null}>
        {lifted && 'item' in lifted && (
          <div className="item-row lifted">
            <ItemRowBody item={lifted.item} />
          </div>
        )}
        {lifted && 'content' in lifted && (
          <div className="lifted-card">
            <ContentThumb content={lifted.content} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}
