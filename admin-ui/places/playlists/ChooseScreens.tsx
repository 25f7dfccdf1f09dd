import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { assignPlaylist, type PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Page.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { useTicks } from '../../parts/useTicks.ts';

/** Makes it the playlist of screens. Those that have it already are ticked and stay. */
export function ChooseScreens({ playlist, onClose }: { playlist: PlaylistWithItems; onClose: () => void }) {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery).data ?? [];
  const names = new Map((useQuery(playlistsQuery).data ?? []).map((p) => [p.id, p.name]));
  const { chosen, tick } = useTicks();
  const playlistOf = new Map(screens.map((screen) => [screen.id, screen.playlist_id]));
  const has = (id: string) => playlistOf.get(id) === playlist.id;
  const assign = useEdit<void, number>({
    topics: ['devices', 'playlists'],
    run: async () => {
      for (const id of chosen) await client.call(assignPlaylist, { params: { id: playlist.id }, body: { device_id: id } });
      return chosen.size;
    },
    done: (count) => {
      toast({ tone: 'done', text: t('playlist.shown', { count, name: playlist.name }), detail: playlist.published_at === null ? t('screen.assignedDraft') : undefined });
      onClose();
    },
  });
  return (
    <Dialog
      title={t('playlist.chooseScreens')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" isDisabled={chosen.size === 0} isPending={assign.isPending} onPress={() => assign.mutate()}>
            {chosen.size > 0 ? t('playlist.show', { count: chosen.size }) : t('playlist.showChoose')}
          </Button>
        </>
      }
    >
      {screens.length === 0 ? <Notice tone="info" title={t('playlist.chooseScreensNone')} /> : <p>{t('playlist.chooseScreensLead', { name: playlist.name })}</p>}
      {screens.length > 0 && (
        <ScreenTicks
          screens={screens}
          isTicked={(id) => has(id) || chosen.has(id)}
          isFixed={has}
          onToggle={tick}
          hintOf={(id) => {
            const now = playlistOf.get(id) ?? null;
            return now === null ? t('playlist.chooseScreensNothing') : t('playlist.chooseScreensInstead', { name: names.get(now) ?? '' });
          }}
        />
      )}
    </Dialog>
  );
}
