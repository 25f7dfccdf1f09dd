import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { NothingFoundArt } from '../../components/Art.tsx';
import { ButtonLink } from '../../components/Button.tsx';
import { Bone, Empty, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { describeProblem } from '../../data/useProblem.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { ArrangeContext, useArrange } from './arrange.ts';
import { ChangesNotice } from './Changes.tsx';
import { Editor } from './Editor.tsx';
import { publishStateOf } from './playlist.utils.ts';
import './playlists.css';
import { PreviewButton } from './PreviewButton.tsx';
import { PublishButtons } from './PublishButtons.tsx';
import { TitleField } from './TitleField.tsx';
import { type PlaylistActions, usePlaylistData } from './usePlaylistData.ts';

export function PlaylistPage() {
  const { t } = useTranslation();
  const { playlistId } = useParams({ from: '/shell/playlists/$playlistId' });
  const { query, playlist, canWrite, actions } = usePlaylistData(playlistId);
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <div className="page">
        <Empty
          art={<NothingFoundArt />}
          title={t('app.notFound')}
          actions={
            <ButtonLink to="/playlists" variant="primary">
              {t('playlist.all')}
            </ButtonLink>
          }
        >
          {t('app.notFoundHelp')}
        </Empty>
      </div>
    );
  }
  if (query.isError && !playlist) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (!playlist) {
    return (
      <Page before={<Back />} title={<Bone width="14rem" />}>
        <Bone height="20rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  return <PlaylistEditor key={playlist.id} playlist={playlist} canWrite={canWrite} actions={actions} />;
}

function Back() {
  const { t } = useTranslation();
  return (
    <Link to="/playlists" className="crumb">
      <ChevronLeft aria-hidden />
      {t('playlist.all')}
    </Link>
  );
}

function PlaylistEditor({ playlist, canWrite, actions }: { playlist: PlaylistWithItems; canWrite: boolean; actions: PlaylistActions }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = publishStateOf(playlist);
  const arrange = useArrange(playlist);
  return (
    <ArrangeContext value={arrange}>
      <Page
        before={<Back />}
        title={canWrite ? <TitleField key={playlist.name} label={t('playlist.rename')} value={playlist.name} onChange={(name) => void actions.rename(name)} /> : playlist.name}
        lead={t(`playlist.state.${state}`, { when: playlist.published_at === null ? '' : format.dateTime(playlist.published_at) })}
        actions={
          <>
            <PreviewButton playlist={playlist} layout={arrange.layout} />
            {canWrite && <PublishButtons playlist={playlist} actions={actions} />}
          </>
        }
      >
        {state === 'changed' && <ChangesNotice changes={arrange.changes} />}
        <Editor playlist={playlist} canWrite={canWrite} actions={actions} />
      </Page>
    </ArrangeContext>
  );
}
