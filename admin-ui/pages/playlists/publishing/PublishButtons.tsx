import { useQuery } from '@tanstack/react-query';
import { ChartColumn, CloudUpload, Copy, Ellipsis, History, MonitorPlay, Stamp, Trash2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deletePlaylist,
  duplicatePlaylist,
  type PlaylistVersion,
  type PlaylistWithItems,
} from '../../../../shared/contract/content/playlists.ts';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { client } from '../../../api/requests/client.ts';
import { screenCountsQuery } from '../../../api/screens.ts';
import { meQuery, useHasAllScreens } from '../../../api/session/me.ts';
import { Menu, MenuItem } from '../../../components/choices/Menu.tsx';
import { Button, ButtonLink, IconButton } from '../../../components/controls/Button.tsx';
import { ConfirmDialog, Dialog } from '../../../components/controls/Dialog.tsx';
import { toast } from '../../../components/controls/toasts.ts';
import { Notice } from '../../../components/frame/Page.tsx';
import { useNarrow } from '../../../components/hooks/useMedia.ts';
import { useTicks } from '../../../components/lists/useTicks.ts';
import { PlaybackOnScreens } from '../../../domain/content/PlaybackProblems.tsx';
import { DeleteRecord } from '../../../domain/saving/DeleteRecord.tsx';
import { useDuplicate } from '../../../domain/saving/useDuplicate.ts';
import { ScreenTicks } from '../../../domain/screens/ScreenTicks.tsx';
import { useChangeScreens } from '../../../domain/screens/useChangeScreens.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { publishStateOf } from '../playlist.utils.ts';
import type { PlaylistActions } from '../usePlaylistData.ts';
import { AskForApproval, useRequest } from './Approval.tsx';
import { PublishEffects } from './PublishEffects.tsx';

const Versions = lazy(() => import('./Versions.tsx').then((m) => ({ default: m.Versions })));

type Asking = 'publish' | 'approval' | 'discard' | 'delete' | 'screens' | 'versions';

/** Actions on a playlist: publish, discard, choose screens, and more in a menu. */
export function PublishButtons({ playlist, actions }: { playlist: PlaylistWithItems; actions: PlaylistActions }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<Asking>();
  const narrow = useNarrow();
  const state = publishStateOf(playlist);
  const mustAsk = useQuery({ ...meQuery, select: (me) => me.needs_approval }).data ?? false;
  const request = useRequest(playlist.id);
  const waits = request?.state === 'waiting' && !request.is_stale;
  const close = () => setAsking(undefined);
  const { busy, publish, discard, returnTo } = usePublishing(actions, setAsking);
  return (
    <>
      {!narrow && (
        <Button icon={MonitorPlay} onPress={() => setAsking('screens')}>
          {t('layout.chooseScreens')}
        </Button>
      )}
      {!narrow && state === 'changed' && (
        <Button icon={Undo2} onPress={() => setAsking('discard')}>
          {t('playlist.discard')}
        </Button>
      )}
      {state !== 'published' && mustAsk && !waits && (
        <Button icon={Stamp} variant="primary" onPress={() => setAsking('approval')}>
          {t('approval.ask')}
        </Button>
      )}
      {state !== 'published' && !mustAsk && (
        <Button
          icon={CloudUpload}
          variant="primary"
          isPending={busy}
          onPress={() => (playlist.display_count > 0 ? setAsking('publish') : void publish())}
        >
          {t('playlist.publish')}
        </Button>
      )}
      <MoreMenu playlist={playlist} narrow={narrow} onAsk={setAsking} />
      {asking === 'publish' && (
        <PublishDialog playlist={playlist} isPending={busy} onConfirm={() => void publish()} onClose={close} />
      )}
      {asking === 'approval' && (
        <AskForApproval
          playlist={playlist}
          actions={actions}
          onDone={() => {
            close();
            toast({ tone: 'done', text: t('approval.asked', { name: playlist.name }) });
          }}
          onClose={close}
        />
      )}
      {asking === 'screens' && <ChooseScreens playlist={playlist} onClose={close} />}
      {asking === 'versions' && (
        <Suspense>
          <Versions playlist={playlist} onReturn={returnTo} onClose={close} />
        </Suspense>
      )}
      {asking === 'discard' && (
        <DiscardDialog playlist={playlist} isPending={busy} onConfirm={() => void discard()} onClose={close} />
      )}
      {asking === 'delete' && <DeletePlaylist playlist={playlist} onClose={close} />}
    </>
  );
}

/** Publishes, discards and restores the playlist, and reports the result. */
const usePublishing = (actions: PlaylistActions, onAsk: (asking: Asking | undefined) => void) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const hasScreens = (useQuery(screenCountsQuery).data?.total ?? 0) > 0;
  const publish = async () => {
    setBusy(true);
    const published = await actions.publish();
    setBusy(false);
    onAsk(undefined);
    if (!published) return;
    const count = published.display_count;
    if (count > 0) toast({ tone: 'done', text: t('playlist.publishedOn', { name: published.name, count }) });
    else {
      const text = t('playlist.published', { name: published.name });
      toast({ tone: 'done', text, detail: t('playlist.publishedNowhere') });
      if (hasScreens) onAsk('screens');
    }
  };
  const discard = async () => {
    setBusy(true);
    if (await actions.discard()) toast({ tone: 'done', text: t('playlist.discarded') });
    setBusy(false);
    onAsk(undefined);
  };
  const returnTo = async (version: PlaylistVersion) => {
    const isBack = (await actions.returnTo(version.id)) !== undefined;
    if (isBack) {
      const text = t('playlist.versionReturned', { when: format.dateTime(version.published_at) });
      toast({ tone: 'done', text, detail: t('playlist.versionReturnedHelp') });
    }
    return isBack;
  };
  return { busy, publish, discard, returnTo };
};

function MoreMenu({
  playlist,
  narrow,
  onAsk,
}: {
  playlist: PlaylistWithItems;
  /** Whether the menu has the actions for which there is no room beside it. */
  narrow: boolean;
  onAsk: (asking: Asking) => void;
}) {
  const { t } = useTranslation();
  const state = publishStateOf(playlist);
  const label = t('common.moreFor', { name: playlist.name });
  const duplicate = useDuplicate({
    topics: ['playlists'],
    run: (body) => client.call(duplicatePlaylist, { params: { id: playlist.id }, body }),
    said: ({ name }) => t('find.duplicated', { name }),
    to: ({ id }) => ({ to: '/playlists/$playlistId', params: { playlistId: id } }),
  });
  return (
    <Menu label={label} trigger={<IconButton icon={Ellipsis} label={label} />}>
      {narrow ? (
        <MenuItem icon={MonitorPlay} onAction={() => onAsk('screens')}>
          {t('layout.chooseScreens')}
        </MenuItem>
      ) : null}
      {narrow && state === 'changed' ? (
        <MenuItem icon={Undo2} onAction={() => onAsk('discard')}>
          {t('playlist.discard')}
        </MenuItem>
      ) : null}
      <MenuItem icon={History} onAction={() => onAsk('versions')}>
        {t('playlist.versions')}
      </MenuItem>
      <MenuItem icon={Copy} onAction={() => duplicate.mutate()}>
        {t('find.duplicate')}
      </MenuItem>
      <MenuItem icon={ChartColumn} href={`#/reports?only=playlist:${playlist.id}&range=lastMonth`}>
        {t('reports.report')}
      </MenuItem>
      <MenuItem icon={Trash2} danger onAction={() => onAsk('delete')}>
        {t('playlist.delete')}
      </MenuItem>
    </Menu>
  );
}

/** Offers the next step after the first publishing: screens that show the playlist, or the first screen. */
export function NextStep({ playlist }: { playlist: PlaylistWithItems }) {
  const { t } = useTranslation();
  const screens = useQuery(screenCountsQuery).data?.total;
  const hasAll = useHasAllScreens();
  const [choosing, setChoosing] = useState(false);
  if (playlist.published_at === null || playlist.display_count > 0 || screens === undefined) return null;
  return (
    <>
      <Notice
        tone="info"
        title={t('playlist.nowhere')}
        actions={
          screens > 0 ? (
            <Button icon={MonitorPlay} size="small" variant="primary" onPress={() => setChoosing(true)}>
              {t('playlist.showOnScreens')}
            </Button>
          ) : (
            hasAll && (
              <ButtonLink to="/screens" search={{ connect: true }} size="small" variant="primary">
                {t('screens.connect')}
              </ButtonLink>
            )
          )
        }
      >
        {t(screens > 0 ? 'playlist.nowhereHelp' : 'playlist.noScreensYet')}
      </Notice>
      {choosing && <ChooseScreens playlist={playlist} onClose={() => setChoosing(false)} />}
    </>
  );
}

type Props = { playlist: PlaylistWithItems; isPending: boolean; onConfirm: () => void; onClose: () => void };

function PublishDialog({ playlist, isPending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('playlist.publishAsk', { name: playlist.name })}
      confirm={t('playlist.publish')}
      isPending={isPending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <PublishEffects playlist={playlist} />
    </ConfirmDialog>
  );
}

function DiscardDialog({ playlist, isPending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ConfirmDialog
      title={t('playlist.discardAsk')}
      confirm={t('playlist.discard')}
      danger
      isPending={isPending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {t('playlist.discardEffects', {
          when: playlist.published_at === null ? '' : format.dateTime(playlist.published_at),
        })}
      </p>
    </ConfirmDialog>
  );
}

function DeletePlaylist({ playlist, onClose }: Pick<Props, 'playlist' | 'onClose'>) {
  const { t } = useTranslation();
  return (
    <DeleteRecord
      topics={['playlists']}
      run={() => client.call(deletePlaylist, { params: { id: playlist.id } })}
      to="/playlists"
      binned={{ kind: 'playlist', id: playlist.id }}
      title={t('common.deleteAsk', { name: playlist.name })}
      said={() => t('common.deleted', { name: playlist.name })}
      onClose={onClose}
    >
      <p>{t('playlist.deleteEffects', { count: playlist.display_count })}</p>
    </DeleteRecord>
  );
}

/** Assigns the playlist to screens. Screens that have it already are ticked and stay. */
function ChooseScreens({ playlist, onClose }: { playlist: PlaylistWithItems; onClose: () => void }) {
  const { t } = useTranslation();
  const names = new Map((useQuery(playlistsQuery).data ?? []).map((p) => [p.id, p.name]));
  const { chosen, tick } = useTicks();
  const has = (screen: Device) => screen.playlist_id === playlist.id;
  const assign = useChangeScreens({
    said: (count) => ({
      text: t('common.playing', { count, name: playlist.name }),
      detail: playlist.published_at === null ? t('screen.assignedDraft') : undefined,
    }),
    done: onClose,
  });
  return (
    <Dialog
      title={t('layout.chooseScreens')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={chosen.size === 0}
            isPending={assign.isPending}
            onPress={() => assign.mutate([{ device_ids: [...chosen], set: { playlist_id: playlist.id } }])}
          >
            {chosen.size > 0 ? t('playlist.show', { count: chosen.size }) : t('playlist.showChoose')}
          </Button>
        </>
      }
    >
      <p>{t('playlist.chooseScreensLead', { name: playlist.name })}</p>
      <PlaybackOnScreens shown={{ playlist_id: playlist.id }} ids={[...chosen]} />
      <ScreenTicks
        none={<Notice tone="info" title={t('playlist.chooseScreensNone')} />}
        isTicked={(screen) => has(screen) || chosen.has(screen.id)}
        isFixed={has}
        onToggle={tick}
        hintOf={({ playlist_id: now }) =>
          now === null
            ? t('playlist.chooseScreensNothing')
            : t('playlist.chooseScreensInstead', { name: names.get(now) ?? '' })
        }
      />
    </Dialog>
  );
}
