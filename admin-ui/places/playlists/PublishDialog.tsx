import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Badge, Notice } from '../../components/Page.tsx';
import { screensQuery } from '../../data/screens.ts';

type Props = { playlist: PlaylistWithItems; isPending: boolean; onConfirm: () => void; onClose: () => void };

/** Names the screens that will change, before they do. */
export function PublishDialog({ playlist, isPending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery).data ?? [];
  const named = screens.filter((screen) => screen.playlist_id === playlist.id);
  const count = playlist.display_count;
  const others = Math.max(0, count - named.length);
  return (
    <ConfirmDialog title={t('playlist.publishAsk', { name: playlist.name })} confirm={t('playlist.publish')} isPending={isPending} onConfirm={onConfirm} onClose={onClose}>
      <p>{t('playlist.publishScreens', { count })}</p>
      <ul className="name-list">
        {named.slice(0, 40).map((screen) => (
          <li key={screen.id}>
            <Badge tone="info">{screen.name}</Badge>
          </li>
        ))}
      </ul>
      {others > 0 && <p>{t('playlist.publishMore', { count: others })}</p>}
      {playlist.items.length === 0 && <Notice tone="warn" title={t('playlist.publishEmpty')} />}
    </ConfirmDialog>
  );
}
