import { useQuery } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { clearDevicePlaylist, type DeviceDetail } from '../../../shared/contract/devices.ts';
import { assignPlaylist } from '../../../shared/contract/playlists.ts';
import { ButtonLink } from '../../components/Button.tsx';
import { Notice } from '../../components/Page.tsx';
import { type Option, Select } from '../../components/Select.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { playlistsQuery } from '../../data/playlists.ts';
import { useEdit } from '../../data/useEdit.ts';

const NONE = '';

/** Takes effect on the screen at once; the toast undoes it. */
export function PlaylistChoice({ detail, canWrite }: { detail: DeviceDetail; canWrite: boolean }) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const current = detail.playlist_id ?? NONE;
  const nameOf = (id: string) => playlists.find((p) => p.id === id)?.name ?? '';
  const choose = useEdit<{ id: string; undone?: boolean }>({
    topics: ['devices'],
    run: ({ id }) =>
      id === NONE
        ? client.call(clearDevicePlaylist, { params: { id: detail.id } })
        : client.call(assignPlaylist, { params: { id }, body: { device_id: detail.id } }),
    done: (_, { id, undone }) => {
      if (undone) return;
      const draft = id !== NONE && playlists.find((p) => p.id === id)?.published_at === null;
      toast({
        tone: 'done',
        text:
          id === NONE
            ? t('screen.inherits', { screen: detail.name })
            : t('screen.assigned', { screen: detail.name, playlist: nameOf(id) }),
        detail: draft ? t('screen.assignedDraft') : undefined,
        action: { label: t('common.undo'), run: () => choose.mutate({ id: current, undone: true }) },
      });
    },
  });
  const options: Option<string>[] = [
    { value: NONE, label: t('screen.inherit'), hint: t('screen.inheritHint') },
    ...playlists
      .filter((p) => p.device_id === null || p.device_id === detail.id)
      .map((p) => ({
        value: p.id,
        label: p.name,
        hint: p.published_at === null ? t('playlists.status.never') : t('playlists.items', { count: p.item_count }),
      })),
  ];
  const hint = detail.playlist_source ? t(`screen.playlistHint.${detail.playlist_source}`) : undefined;
  return (
    <>
      {!detail.playlist_source && !detail.playlist_id && <Notice tone="info" title={t('screen.noPlaylist')} />}
      <Select
        label={t('screen.playlist')}
        options={options}
        value={choose.isPending ? choose.variables.id : current}
        onChange={(id) => id !== current && choose.mutate({ id })}
        isDisabled={!canWrite || choose.isPending}
        hint={hint}
      />
      {detail.current_playlist_id && (
        <div className="form-actions">
          <ButtonLink
            to="/playlists/$playlistId"
            params={{ playlistId: detail.current_playlist_id }}
            icon={Clapperboard}
            size="small"
          >
            {t('screen.openPlaylist')}
          </ButtonLink>
        </div>
      )}
    </>
  );
}
