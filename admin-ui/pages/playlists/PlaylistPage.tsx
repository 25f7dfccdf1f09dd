import { useNavigate, useParams } from '@tanstack/react-router';
import { Copy, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import type { Layout } from '../../../shared/contract/content/layouts.ts';
import { duplicatePlaylist, type PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { client } from '../../api/requests/client.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Bone, Page } from '../../components/frame/Page.tsx';
import { useDropTarget } from '../../components/hooks/dropTargets.ts';
import { useNarrow } from '../../components/hooks/useMedia.ts';
import { useUploadInto } from '../../domain/content/useUploadInto.ts';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import { useFormat } from '../../i18n/useFormat.ts';
import { ArrangeContext, useArrange } from './arrange.ts';
import { Editor } from './Editor.tsx';
import { FilledPlaces } from './FilledPlaces.tsx';
import { publishStateOf } from './playlist.utils.ts';
import { ApprovalNotice } from './publishing/Approval.tsx';
import { ChangesNotice } from './publishing/Changes.tsx';
import { NextStep, PublishButtons } from './publishing/PublishButtons.tsx';
import { type PlaylistActions, usePlaylistData } from './usePlaylistData.ts';
import './playlists.css';

export function PlaylistPage() {
  const { t } = useTranslation();
  const { playlistId } = useParams({ from: '/shell/playlists/$playlistId' });
  const { query, playlist, canWrite, why, isHeld, actions } = usePlaylistData(playlistId);
  return (
    <RecordPage
      query={query}
      record={playlist}
      name={playlist?.name}
      list={{ to: '/playlists', label: t('playlist.all') }}
      bones={<Bone height="20rem" radius="var(--r-xl)" />}
    >
      {(record, back) => (
        <PlaylistEditor
          key={record.id}
          playlist={record}
          canWrite={canWrite}
          why={why}
          isHeld={isHeld}
          actions={actions}
          back={back}
        />
      )}
    </RecordPage>
  );
}

type EditorProps = {
  playlist: PlaylistWithItems;
  canWrite: boolean;
  why: string | undefined;
  isHeld: boolean;
  actions: PlaylistActions;
  back: ReactNode;
};

function PlaylistEditor({ playlist, canWrite, why, isHeld, actions, back }: EditorProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = publishStateOf(playlist);
  const arrange = useArrange(playlist);
  const uploadInto = useUploadIntoPlaylist(actions);
  useDropTarget(
    {
      title: t('playlist.drop', { name: playlist.name }),
      lead: t('playlist.dropHelp'),
      onFiles: (files) => void uploadInto(files),
    },
    !canWrite,
  );
  return (
    <ArrangeContext value={arrange}>
      <Page
        before={back}
        title={
          canWrite ? (
            <TitleField
              label={t('playlist.rename')}
              value={playlist.name}
              onChange={async (name) => (await actions.rename(name)) !== undefined}
            />
          ) : (
            playlist.name
          )
        }
        lead={t(`playlist.state.${state}`, {
          when: playlist.published_at === null ? '' : format.dateTime(playlist.published_at),
        })}
        actions={
          <>
            <PreviewButton playlist={playlist} layout={arrange.layout} />
            {canWrite && <PublishButtons playlist={playlist} actions={actions} />}
          </>
        }
      >
        <ManagedMark kind="playlist" id={playlist.id} isLink />
        <Hindered why={why} actions={isHeld && <CopyPlaylist playlist={playlist} />} />
        {canWrite && <NextStep playlist={playlist} />}
        <FilledPlaces id={playlist.id} />
        <ApprovalNotice playlist={playlist} canWrite={canWrite} />
        {state === 'changed' && <ChangesNotice changes={arrange.changes} />}
        <Editor playlist={playlist} canWrite={canWrite} actions={actions} />
      </Page>
    </ArrangeContext>
  );
}

/** Uploads files into the library, and appends them to the playlist in the order in which they were dropped. */
const useUploadIntoPlaylist = (actions: PlaylistActions) => {
  const last = useRef(Promise.resolve<unknown>(undefined));
  return useUploadInto(undefined, () => {
    const before = last.current;
    let first: ((answer: unknown) => void) | undefined;
    const uploaded = new Promise((ended) => {
      first = ended;
    });
    last.current = before.then(() => uploaded).then((answer) => answer && actions.append(answer as Content));
    return (answer) => {
      if (first) first(answer);
      // A failed upload was retried and has succeeded.
      else if (answer) void actions.append(answer as Content);
      first = undefined;
    };
  });
};

type TitleFieldProps = {
  label: string;
  value: string;
  /** Saves the text. Resolves to whether it was saved. */
  onChange: (value: string) => Promise<boolean>;
};

/**
 * A heading that can be edited. Enter or leaving the field saves, Escape restores. A text that could not be saved
 * stays for another attempt.
 */
function TitleField({ label, value, onChange }: TitleFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const keep = async () => {
    const name = text.trim();
    if (!name || name === value) return setText(value);
    if (!(await onChange(name))) setText(name);
  };
  return (
    <input
      className="title-field"
      aria-label={label}
      value={text}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => void keep()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setText(value);
      }}
    />
  );
}

/** Copies a playlist of headquarters. The copy belongs to the store. */
function CopyPlaylist({ playlist: { id, name } }: { playlist: PlaylistWithItems }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const copy = useEdit<void, { id: string }>({
    topics: ['playlists'],
    run: () => {
      const body = { name: t('held.copyOf', { name }).slice(0, 200) };
      return client.call(duplicatePlaylist, { params: { id }, body });
    },
    done: (made) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: made.id } }),
  });
  return (
    <Button icon={Copy} size="small" isPending={copy.isPending} onPress={() => copy.mutate()}>
      {t('held.copy')}
    </Button>
  );
}

const Preview = lazy(() => import('./Preview.tsx').then((m) => ({ default: m.Preview })));

/** Button that plays the draft as a screen would. */
function PreviewButton({ playlist, layout }: { playlist: PlaylistWithItems; layout: Layout | undefined }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const show = { isDisabled: playlist.items.length === 0, onPress: () => setOpen(true) };
  return (
    <>
      {narrow ? (
        <IconButton icon={Play} variant="secondary" label={t('common.preview')} {...show} />
      ) : (
        <Button icon={Play} {...show}>
          {t('common.preview')}
        </Button>
      )}
      {open && (
        <Suspense>
          <Preview playlist={playlist} layout={layout} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
