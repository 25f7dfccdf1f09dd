import {
  type Active,
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DndContextProps,
  type DragEndEvent,
  type DragOverEvent,
  DragOverlay,
  type DragStartEvent,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  type UniqueIdentifier,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Plus } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import type { PlaylistItem, PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';
import { Select } from '../../components/choices/Select.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Empty } from '../../components/frame/Page.tsx';
import { ContentThumb } from '../../domain/preview/ContentThumb.tsx';
import playlistsDrawing from '../../drawings/playlists.svg?raw';
import { formatClock } from '../../i18n/format.ts';
import { useArranged } from './arrange.ts';
import { ItemRow, ItemRowBody, nameOf } from './ItemRow.tsx';
import { LibraryPane } from './LibraryPane.tsx';
import { totalSeconds, zoneLengths } from './playlist.utils.ts';
import { PlaylistTransition } from './Transitions.tsx';
import type { PlaylistActions } from './usePlaylistData.ts';

const LIST_ID = 'list';

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

type Lifted = { item: PlaylistItem } | { content: Content };

/** The list, and the library beside it. Both share one drag-and-drop context, so that contents can be dragged over. */
export function Editor({
  playlist,
  canWrite,
  actions,
}: {
  playlist: PlaylistWithItems;
  canWrite: boolean;
  actions: PlaylistActions;
}) {
  const { t } = useTranslation();
  const [lifted, setLifted] = useState<Lifted>();
  /** Position for a dragged content of the library. */
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
  const append = (content: Content) => {
    void actions.add(content, items.length);
    toast({ tone: 'done', text: t('common.added', { name: content.filename }) }, { timeout: 2500 });
  };
  const appendWidget = (widget: Widget) => {
    void actions.addWidget(widget, items.length);
    toast({ tone: 'done', text: t('common.added', { name: widget.name }) }, { timeout: 2500 });
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
            <Length items={items} />
            <ZoneLayoutChoice />
            <PlaylistTransition
              value={playlist.transition}
              isDisabled={!canWrite}
              onSave={(transition) => void actions.setDefaultTransition(transition)}
            />
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
        <Dialog
          title={t('playlist.addContent')}
          size="wide"
          onClose={() => setChoosing(false)}
          actions={<Button onPress={() => setChoosing(false)}>{t('common.done')}</Button>}
        >
          <LibraryPane onAdd={append} onAddWidget={appendWidget} />
        </Dialog>
      )}
      {lifted && (
        <DragOverlay dropAnimation={null}>
          {'item' in lifted ? (
            <div className="item-row lifted">
              <ItemRowBody item={lifted.item} />
            </div>
          ) : (
            <div className="lifted-card">
              <ContentThumb content={lifted.content} />
            </div>
          )}
        </DragOverlay>
      )}
    </DndContext>
  );
}

type ItemListProps = {
  items: readonly PlaylistItem[];
  canWrite: boolean;
  actions: PlaylistActions;
  place: number | undefined;
};

function ItemList({ items, canWrite, actions, place }: ItemListProps) {
  const { t } = useTranslation();
  const { setNodeRef } = useDroppable({ id: LIST_ID });
  const dropPlace = <li className="drop-place" aria-hidden />;
  return (
    <SortableContext items={items.map(actions.keyOf)} strategy={verticalListSortingStrategy} disabled={!canWrite}>
      <ol ref={setNodeRef} className={place !== undefined && items.length === 0 ? 'drop-list over' : 'drop-list'}>
        {items.length === 0 && (
          <li className="empty">
            <Empty drawing={playlistsDrawing} title={t('playlist.emptyTitle')}>
              {t('playlist.emptyHelp')}
            </Empty>
          </li>
        )}
        {items.map((item, index) => (
          <Fragment key={actions.keyOf(item)}>
            {place === index && dropPlace}
            <ItemRow
              item={item}
              index={index}
              total={items.length}
              id={actions.keyOf(item)}
              canWrite={canWrite}
              actions={actions}
            />
          </Fragment>
        ))}
        {place !== undefined && place === items.length && items.length > 0 && dropPlace}
      </ol>
    </SortableContext>
  );
}

/**
 * Zones run at the same time, so the playlist is as long as its longest zone. With several zones, each duration is
 * listed.
 */
function Length({ items }: { items: readonly PlaylistItem[] }) {
  const { t } = useTranslation();
  const { layout } = useArranged();
  const zones = zoneLengths(items, layout?.zones ?? []);
  const [longest] = zones;
  const length = formatClock(longest?.seconds ?? totalSeconds(items));
  return (
    <p>
      {t('playlist.itemsAndLength', { count: items.length, length })}
      {zones.length > 1 && (
        <small className="zone-lengths">
          {zones.map(({ zone, seconds }) => `${zone.name} ${formatClock(seconds)}`).join(' · ')}
        </small>
      )}
    </p>
  );
}

const WHOLE = '';

/** Chooses the layout whose zones the items are put into. It changes no screen, since screens have their own layout. */
function ZoneLayoutChoice() {
  const { t } = useTranslation();
  const { layout, layouts, chooseLayout } = useArranged();
  const divided = layouts.filter((l) => l.zones.length > 1);
  if (divided.length === 0) return null;
  return (
    <span className="zone-layout">
      <Select
        label={t('playlist.arrangeFor')}
        hideLabel
        value={layout && divided.includes(layout) ? layout.id : WHOLE}
        onChange={(id) => chooseLayout(id || null)}
        options={[
          { value: WHOLE, label: t('playlist.wholeScreen') },
          ...divided.map((l) => ({ value: l.id, label: l.name, hint: t('layouts.zones', { count: l.zones.length }) })),
        ]}
      />
    </span>
  );
}

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
