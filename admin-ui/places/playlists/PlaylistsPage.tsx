import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createPlaylist, type Playlist } from '../../../shared/contract/playlists.ts';
import { Button } from '../../components/Button.tsx';
import { Badge, Empty, Page } from '../../components/Page.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { client } from '../../data/client.ts';
import { useCanWrite } from '../../data/me.ts';
import { playlistQuery, playlistsQuery } from '../../data/playlists.ts';
import { useForm } from '../../data/useForm.ts';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';
import playlistsDrawing from '../../drawings/playlists.svg?raw';
import { ItemThumb } from '../../parts/ContentThumb.tsx';
import { NewRecord } from '../../parts/NewRecord.tsx';
import { TileStates } from '../../parts/TileGrid.tsx';
import { publishStateOf } from './playlist.utils.ts';
import '../../components/Toolbar.css';
import './playlists.css';

/** Fewer are seen at a glance. */
const SEARCH_FROM = 9;

const toneOf = { published: 'good', changed: 'warn', never: undefined } as const;

export function PlaylistsPage() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const query = useQuery(playlistsQuery);
  const [making, setMaking] = useState(false);
  const navigate = useNavigate({ from: '/playlists' });
  const { q = '', new: asked } = useSearch({ from: '/shell/playlists' });
  const playlists = query.data ?? [];
  const wanted = q.trim().toLocaleLowerCase();
  const found = wanted ? playlists.filter((playlist) => playlist.name.toLocaleLowerCase().includes(wanted)) : playlists;
  const stopMaking = () => {
    setMaking(false);
    if (asked) void navigate({ search: q ? { q } : {}, replace: true });
  };
  const make = canWrite && (
    <Button icon={Plus} variant="primary" onPress={() => setMaking(true)}>
      {t('playlists.new')}
    </Button>
  );
  return (
    <Page
      title={t('nav.playlists')}
      lead={playlists.length > 0 ? t('playlists.count', { count: playlists.length }) : undefined}
      actions={playlists.length > 0 && make}
    >
      <TileStates
        query={query}
        isEmpty={playlists.length === 0}
        tile="17rem"
        bone="15rem"
        empty={
          <Empty drawing={playlistsDrawing} title={t('playlists.emptyTitle')} actions={make}>
            {t('playlists.emptyHelp')}
          </Empty>
        }
      />
      {playlists.length >= SEARCH_FROM && (
        <div className="toolbar">
          <SearchField
            label={t('playlists.search')}
            value={q}
            onChange={(text) => void navigate({ search: text ? { q: text } : {}, replace: true })}
          />
        </div>
      )}
      {playlists.length > 0 && found.length === 0 && (
        <Empty
          drawing={nothingFoundDrawing}
          title={t('playlists.noneFound')}
          actions={
            <Button onPress={() => void navigate({ search: {}, replace: true })}>{t('playlists.showAll')}</Button>
          }
        >
          {t('screens.noneFoundHelp', { q })}
        </Empty>
      )}
      {found.length > 0 && (
        <VirtualGrid
          label={t('nav.playlists')}
          count={found.length}
          minColumn={272}
          gap={20}
          estimateRow={(width) => (width * 10) / 16 + 110}
          keyOf={(i) => found[i]!.id}
          renderCell={(i) => <PlaylistCard playlist={found[i]!} />}
        />
      )}
      {(making || asked) && canWrite && <NewPlaylist onClose={stopMaking} />}
    </Page>
  );
}

function PlaylistCard({ playlist }: { playlist: Playlist }) {
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
