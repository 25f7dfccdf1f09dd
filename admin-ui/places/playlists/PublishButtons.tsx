import { useNavigate } from '@tanstack/react-router';
import { CloudUpload, Ellipsis, MonitorPlay, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deletePlaylist, type PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { Button, IconButton } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { toast } from '../../components/toasts.ts';
import { useNarrow } from '../../components/useMedia.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ChooseScreens } from './ChooseScreens.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { publishStateOf } from './playlist.utils.ts';
import type { PlaylistActions } from './usePlaylistData.ts';

type Asking = 'publish' | 'discard' | 'delete' | 'screens';

export function PublishButtons({ playlist, actions }: { playlist: PlaylistWithItems; actions: PlaylistActions }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const [busy, setBusy] = useState(false);
  const narrow = useNarrow();
  const state = publishStateOf(playlist);
  const close = () => setAsking(undefined);

  const publish = async () => {
    setBusy(true);
    const published = await actions.publish();
    setBusy(false);
    close();
    if (!published) return;
    const count = published.display_count;
    if (count > 0) toast({ tone: 'done', text: t('playlist.publishedOn', { name: published.name, count }) });
    else {
      const choose = { label: t('playlist.showChoose'), run: () => setAsking('screens') };
      toast({ tone: 'done', text: t('playlist.published', { name: published.name }), detail: t('playlist.publishedNowhere'), action: choose });
    }
  };
  const discard = async () => {
    setBusy(true);
    if (await actions.discard()) toast({ tone: 'done', text: t('playlist.discarded') });
    setBusy(false);
    close();
  };
  const remove = useEdit({
    topics: ['playlists'],
    run: async () => {
      const gone = await client.call(deletePlaylist, { params: { id: playlist.id } });
      await navigate({ to: '/playlists' });
      return gone;
    },
    done: () => toast({ tone: 'done', text: t('playlist.deleted', { name: playlist.name }) }),
  });
  return (
    <>
      {!narrow && (
        <Button icon={MonitorPlay} onPress={() => setAsking('screens')}>
          {t('playlist.chooseScreens')}
        </Button>
      )}
      {!narrow && state === 'changed' && (
        <Button icon={Undo2} onPress={() => setAsking('discard')}>
          {t('playlist.discard')}
        </Button>
      )}
      {state !== 'published' && (
        <Button icon={CloudUpload} variant="primary" isPending={busy} onPress={() => (playlist.display_count > 0 ? setAsking('publish') : void publish())}>
          {t('playlist.publish')}
        </Button>
      )}
      <Menu label={t('common.moreFor', { name: playlist.name })} trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: playlist.name })} />}>
        {narrow ? (
          <MenuItem icon={MonitorPlay} onAction={() => setAsking('screens')}>
            {t('playlist.chooseScreens')}
          </MenuItem>
        ) : null}
        {narrow && state === 'changed' ? (
          <MenuItem icon={Undo2} onAction={() => setAsking('discard')}>
            {t('playlist.discard')}
          </MenuItem>
        ) : null}
        <MenuItem icon={Trash2} danger onAction={() => setAsking('delete')}>
          {t('playlist.delete')}
        </MenuItem>
      </Menu>
      {asking === 'publish' && <PublishDialog playlist={playlist} isPending={busy} onConfirm={() => void publish()} onClose={close} />}
      {asking === 'screens' && <ChooseScreens playlist={playlist} onClose={close} />}
      {asking === 'discard' && (
        <ConfirmDialog title={t('playlist.discardAsk')} confirm={t('playlist.discard')} danger isPending={busy} onConfirm={() => void discard()} onClose={close}>
          <p>{t('playlist.discardEffects', { when: playlist.published_at === null ? '' : format.dateTime(playlist.published_at) })}</p>
        </ConfirmDialog>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={t('playlist.deleteAsk', { name: playlist.name })}
          confirm={t('common.delete')}
          danger
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>{t('playlist.deleteEffects', { count: playlist.display_count })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
