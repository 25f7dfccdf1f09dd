import { DndContext, DragOverlay, useDroppable } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
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
import { ItemRow, ItemRowBody } from './ItemRow.tsx';
import { LibraryPane } from './LibraryPane.tsx';
import { totalSeconds, zoneLengths } from './playlist.utils.ts';
import { PlaylistTransition } from './Transitions.tsx';
import { LIST_ID, type Lifted, useListDrag } from './useListDrag.ts';
import type { PlaylistActions } from './usePlaylistData.ts';

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
  const [choosing, setChoosing] = useState(false);
  const items = playlist.items;
  const { lifted, place, drag } = useListDrag(items, actions);
  const append = (content: Content) => {
    void actions.add(content, items.length);
    toast({ tone: 'done', text: t('common.added', { name: content.filename }) }, { timeout: 2500 });
  };
  const appendWidget = (widget: Widget) => {
    void actions.addWidget(widget, items.length);
    toast({ tone: 'done', text: t('common.added', { name: widget.name }) }, { timeout: 2500 });
  };
  return (
    <DndContext {...drag}>
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
            <LibraryPane playlistId={playlist.id} onAdd={append} onAddWidget={appendWidget} draggable />
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
          <LibraryPane playlistId={playlist.id} onAdd={append} onAddWidget={appendWidget} />
        </Dialog>
      )}
      {lifted && <LiftedItem lifted={lifted} />}
    </DndContext>
  );
}

/** The dragged item or content, under the pointer. */
function LiftedItem({ lifted }: { lifted: Lifted }) {
  return (
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
