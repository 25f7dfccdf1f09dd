import { useDroppable } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaylistItem } from '../../../shared/contract/playlists.ts';
import { Empty } from '../../components/Page.tsx';
import playlistsDrawing from '../../drawings/playlists.svg?raw';
import { LIST_ID } from './dnd.utils.ts';
import { ItemRow } from './ItemRow.tsx';
import type { PlaylistActions } from './usePlaylistData.ts';

type ItemListProps = { items: readonly PlaylistItem[]; canWrite: boolean; actions: PlaylistActions; place: number | undefined };

export function ItemList({ items, canWrite, actions, place }: ItemListProps) {
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
            <ItemRow item={item} index={index} total={items.length} id={actions.keyOf(item)} canWrite={canWrite} actions={actions} />
          </Fragment>
        ))}
        {place !== undefined && place === items.length && items.length > 0 && dropPlace}
      </ol>
    </SortableContext>
  );
}
