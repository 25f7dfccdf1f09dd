import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Playlist } from '../../../shared/contract/playlists.ts';
import { PlaylistArt } from '../../components/Art.tsx';
import { Button } from '../../components/Button.tsx';
import { Badge, Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { useCanWrite } from '../../data/me.ts';
import { playlistQuery, playlistsQuery } from '../../data/playlists.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { ItemThumb } from '../../parts/ContentThumb.tsx';
import { NewPlaylist } from './NewPlaylist.tsx';
import { publishStateOf } from './playlist.utils.ts';
import './playlists.css';

const toneOf = { published: 'good', changed: 'warn', never: undefined } as const;

export function PlaylistsPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const query = useQuery(playlistsQuery);
  const [making, setMaking] = useState(false);
  const playlists = query.data ?? [];
  const make = canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('playlists.new')}
    </Button>
  );
  return (
    <Page title={t('playlists.title')} lead={playlists.length > 0 ? t('playlists.count', { count: playlists.length }) : undefined} actions={playlists.length > 0 && make}>
      {query.isPending && (
        <div className="playlist-grid" aria-hidden>
          {[0, 1, 2].map((i) => (
            <Bone key={i} height="15rem" radius="var(--r-xl)" />
          ))}
        </div>
      )}
      {query.isError && !query.data && <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />}
      {query.isSuccess && playlists.length === 0 && (
        <Empty art={<PlaylistArt />} title={t('playlists.emptyTitle')} actions={make}>
          {t('playlists.emptyHelp')}
        </Empty>
      )}
      {playlists.length > 0 && (
        <ul className="playlist-grid">
          {playlists.map((playlist) => (
            <li key={playlist.id}>
              <PlaylistCard playlist={playlist} />
            </li>
          ))}
        </ul>
      )}
      {making && <NewPlaylist onClose={() => setMaking(false)} />}
    </Page>
  );
}

function PlaylistCard({ playlist }: { playlist: Playlist }) {
  const { t } = useTranslation();
  const state = publishStateOf(playlist);
  const screens = playlist.display_count > 0 ? t('playlists.screens', { count: playlist.display_count }) : t('playlists.noScreens');
  return (
    <Link to="/playlists/$playlistId" params={{ playlistId: playlist.id }} className="playlist-card">
      <Mosaic playlist={playlist} />
      <div className="playlist-card-text">
        <h3 className="truncate">{playlist.name}</h3>
        <p>
          {t('playlists.items', { count: playlist.item_count })} · {screens}
        </p>
        <Badge tone={toneOf[state]} dot>
          {playlist.device_id !== null ? t('playlists.own') : t(`playlists.status.${state}`)}
        </Badge>
      </div>
    </Link>
  );
}

/** The first pictures tell more than the name. */
function Mosaic({ playlist }: { playlist: Playlist }) {
  const { t } = useTranslation();
  const items = useQuery({ ...playlistQuery(playlist.id), enabled: playlist.item_count > 0, staleTime: 5 * 60_000, select: (data) => data.playlist.items.slice(0, 3) }).data ?? [];
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
