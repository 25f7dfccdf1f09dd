import { useQuery } from '@tanstack/react-query';
import { Clapperboard } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { assignPlaylist } from '../../../../shared/contract/content/playlists.ts';
import { clearDevicePlaylist, type DeviceDetail } from '../../../../shared/contract/screens/devices.ts';
import { useManaged } from '../../../api/chain/managed.ts';
import { useEdit } from '../../../api/editing/useEdit.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { client } from '../../../api/requests/client.ts';
import { ButtonLink } from '../../../components/controls/Button.tsx';
import { toast } from '../../../components/controls/toasts.ts';
import { Notice } from '../../../components/frame/Page.tsx';
import { SubjectPicker } from '../../../domain/content/SubjectPicker.tsx';

const NONE = '';
const PLAYLISTS = ['playlist'] as const;

/**
 * Select for the playlist of the screen. A change takes effect on the screen at once, and a toast offers to undo it.
 */
export function PlaylistChoice({ detail, canWrite }: { detail: DeviceDetail; canWrite: boolean }) {
  const { t } = useTranslation();
  const playlists = useQuery(playlistsQuery).data ?? [];
  const current = detail.playlist_id ?? NONE;
  const choose = useEdit<{ id: string; name: string; undone?: boolean }>({
    topics: ['devices'],
    run: ({ id }) =>
      id === NONE
        ? client.call(clearDevicePlaylist, { params: { id: detail.id } })
        : client.call(assignPlaylist, { params: { id }, body: { device_id: detail.id } }),
    done: (_, { id, name, undone }) => {
      if (undone) return;
      const draft = id !== NONE && playlists.find((p) => p.id === id)?.published_at === null;
      toast({
        tone: 'done',
        text:
          id === NONE
            ? t('screen.inherits', { screen: detail.name })
            : t('screen.assigned', { screen: detail.name, playlist: name }),
        detail: draft ? t('screen.assignedDraft') : undefined,
        action: { label: t('common.undo'), run: () => choose.mutate({ id: current, name: '', undone: true }) },
      });
    },
  });
  const held = useManaged('playlist', detail.current_playlist_id ?? NONE);
  const hint =
    held && detail.playlist_source === 'schedule'
      ? t('held.onNow', { name: held.campaign_name })
      : detail.playlist_source
        ? t(`screen.playlistHint.${detail.playlist_source}`)
        : t('screen.inheritHint');
  const shown = choose.isPending ? choose.variables.id : current;
  return (
    <>
      {!detail.playlist_source && !detail.playlist_id && <Notice tone="info" title={t('screen.noPlaylist')} />}
      <SubjectPicker
        label={t('screen.playlist')}
        placeholder={t('screen.inherit')}
        kinds={PLAYLISTS}
        value={shown === NONE ? null : { kind: 'playlist', id: shown }}
        onChange={(chosen, hit) => {
          const id = chosen?.id ?? NONE;
          if (id !== current) choose.mutate({ id, name: hit?.name ?? '' });
        }}
        allowsNone
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
