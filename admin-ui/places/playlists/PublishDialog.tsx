import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Badge, Bone, Notice } from '../../components/Page.tsx';
import { playlistScreensQuery, publishedItemsQuery } from '../../data/playlists.ts';
import { ChangesList } from './Changes.tsx';
import { compare } from './compare.utils.ts';

type Props = { playlist: PlaylistWithItems; isPending: boolean; onConfirm: () => void; onClose: () => void };

const SHOWN = 60;

/** Names the screens that will change and what changes on them, before it does. */
export function PublishDialog({ playlist, isPending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  // A schedule may have begun since the page was opened.
  const screens = useQuery({ ...playlistScreensQuery(playlist.id), staleTime: 0 }).data;
  const published = useQuery(publishedItemsQuery(playlist.id)).data;
  const changes = published && playlist.published_at !== null ? compare(published, playlist.items) : [];
  const count = screens?.length ?? playlist.display_count;
  return (
    <ConfirmDialog title={t('playlist.publishAsk', { name: playlist.name })} confirm={t('playlist.publish')} isPending={isPending} onConfirm={onConfirm} onClose={onClose}>
      <p>{t('playlist.publishScreens', { count })}</p>
      {screens ? (
        <ul className="name-list">
          {screens.slice(0, SHOWN).map((screen) => (
            <li key={screen.device_id}>
              <Badge tone="info">
                {screen.source === 'device' ? screen.name : t('playlist.publishThrough', { name: screen.name, source: t(`playlist.source.${screen.source}`) })}
              </Badge>
            </li>
          ))}
        </ul>
      ) : (
        <Bone height="1.75rem" />
      )}
      {count > SHOWN && <p>{t('playlist.publishMore', { count: count - SHOWN })}</p>}
      {changes.length > 0 && <ChangesList changes={changes} />}
      {playlist.items.length === 0 && <Notice tone="warn" title={t('playlist.publishEmpty')} />}
    </ConfirmDialog>
  );
}
