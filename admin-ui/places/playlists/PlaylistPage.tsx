import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlaylistWithItems } from '../../../shared/contract/playlists.ts';
import { Bone, Page } from '../../components/Page.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { RecordPage } from '../../parts/RecordPage.tsx';
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
  return (
    <RecordPage query={query} record={playlist} list={{ to: '/playlists', label: t('playlist.all') }} bones={<Bone height="20rem" radius="var(--r-xl)" />}>
      {(record, back) => <PlaylistEditor key={record.id} playlist={record} canWrite={canWrite} actions={actions} back={back} />}
    </RecordPage>
  );
}

type EditorProps = { playlist: PlaylistWithItems; canWrite: boolean; actions: PlaylistActions; back: ReactNode };

function PlaylistEditor({ playlist, canWrite, actions, back }: EditorProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = publishStateOf(playlist);
  const arrange = useArrange(playlist);
  return (
    <ArrangeContext value={arrange}>
      <Page
        before={back}
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
