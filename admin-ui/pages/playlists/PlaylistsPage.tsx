import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createPlaylist, type Playlist } from '../../../shared/contract/content/playlists.ts';
import { useWaitingPlaylists } from '../../api/approvals.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { playlistQuery, playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { Badge } from '../../components/frame/Page.tsx';
import { ItemThumb } from '../../domain/preview/ContentThumb.tsx';
import { NewRecord } from '../../domain/records/NewRecord.tsx';
import { TilePage } from '../../domain/records/TilePage.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import playlistsDrawing from '../../drawings/playlists.svg?raw';
import { publishStateOf } from './playlist.utils.ts';
import './playlists.css';

const toneOf = { published: 'good', changed: 'warn', never: undefined } as const;

export function PlaylistsPage() {
  const { t } = useTranslation();
  const query = useQuery(playlistsQuery);
  const playlists = query.data ?? [];
  const waiting = useWaitingPlaylists();
  return (
    <TilePage
      kind="playlist"
      title={t('nav.playlists')}
      lead={playlists.length > 0 ? t('playlists.count', { count: playlists.length }) : undefined}
      query={query}
      records={playlists}
      tile={17}
      tall={16.5}
      empty={{ drawing: playlistsDrawing, title: t('playlists.emptyTitle'), help: t('playlists.emptyHelp') }}
      make={t('playlists.new')}
      dialog={(onClose) => <NewPlaylist onClose={onClose} />}
    >
      {(playlist) => <PlaylistCard playlist={playlist} waits={waiting.has(playlist.id)} />}
    </TilePage>
  );
}

function PlaylistCard({ playlist, waits }: { playlist: Playlist; waits: boolean }) {
  const { t } = useTranslation();
  const state = publishStateOf(playlist);
  const screens =
    playlist.display_count > 0 ? t('playlists.screens', { count: playlist.display_count }) : t('layout.onNone');
  return (
    <Link to="/playlists/$playlistId" params={{ playlistId: playlist.id }} className="tile">
      <Mosaic playlist={playlist} />
      <div className="tile-text playlist-text">
        <h3 className="truncate">{playlist.name}</h3>
        <p>
          {t('playlists.items', { count: playlist.item_count })} · {screens}
        </p>
        <ManagedMark kind="playlist" id={playlist.id} />
        <Badge tone={waits ? 'info' : toneOf[state]} dot>
          {waits
            ? t('approval.badge')
            : playlist.device_id !== null
              ? t('playlists.own')
              : t(`playlists.status.${state}`)}
        </Badge>
      </div>
    </Link>
  );
}

/** Picture of a playlist: the first pictures of its items. */
function Mosaic({ playlist }: { playlist: Playlist }) {
  const { t } = useTranslation();
  const items =
    useQuery({
      ...playlistQuery(playlist.id),
      enabled: playlist.item_count > 0,
      staleTime: 5 * 60_000,
      select: (data) => data.playlist.items.slice(0, 3),
    }).data ?? [];
  const size = items.length === 1 ? 'one' : items.length === 2 ? 'two' : 'three';
  return (
    <div className={`mosaic ${size}`} aria-hidden>
      {items.map((item) => (
        <ItemThumb key={item.id} item={{ ...item, content_duration: null }} cover small />
      ))}
      {playlist.item_count === 0 && <span className="mosaic-empty">{t('playlists.empty')}</span>}
    </div>
  );
}

function NewPlaylist({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    place: 'playlists/new',
    start: { name: '' },
    schema: createPlaylist.body,
    topics: ['playlists'],
    run: (body) => client.call(createPlaylist, { body }),
    done: ({ id }) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: id } }),
  });
  return (
    <NewRecord
      title={t('playlists.newTitle')}
      form={form}
      lead={t('playlists.newLead')}
      placeholder={t('playlists.namePlaceholder')}
      onClose={onClose}
    />
  );
}
