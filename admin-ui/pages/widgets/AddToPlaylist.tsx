import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addItem } from '../../../shared/contract/content/playlists.ts';
import type { Widget } from '../../../shared/contract/content/widgets.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { playlistsQuery } from '../../api/playlists.ts';
import { client } from '../../api/requests/client.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { SubjectPicker } from '../../domain/content/SubjectPicker.tsx';

const SECONDS = 15;
const PLAYLISTS = ['playlist'] as const;

/** Dialog that appends the widget to the draft of a playlist. Publishing is a separate step. */
export function AddToPlaylist({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const playlists = useQuery(playlistsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const [seconds, setSeconds] = useState<number | null>(SECONDS);
  const playlist = playlists.data?.find(({ id }) => id === chosen);
  const add = useEdit<string>({
    topics: ['playlists'],
    run: (id) =>
      client.call(addItem, { params: { id }, body: { widget_id: widget.id, duration_sec: seconds ?? SECONDS } }),
    said: (_, id) => ({
      text: t('widget.added', { name: widget.name, playlist: playlist?.name ?? '' }),
      detail: t('widget.addedHelp'),
      action: {
        label: t('common.open'),
        run: () => void navigate({ to: '/playlists/$playlistId', params: { playlistId: id } }),
      },
    }),
    done: onClose,
  });
  return (
    <FormDialog
      title={t('widget.addToPlaylist')}
      onClose={onClose}
      onSubmit={() => chosen && add.mutate(chosen)}
      submit={t('common.add')}
      isDisabled={chosen === null}
      isPending={add.isPending}
    >
      {playlists.data?.length === 0 ? (
        <Notice
          tone="info"
          title={t('widget.noPlaylists')}
          actions={<ButtonLink to="/playlists">{t('playlist.all')}</ButtonLink>}
        />
      ) : (
        <>
          <SubjectPicker
            label={t('screen.playlist')}
            placeholder={t('widget.choosePlaylist')}
            kinds={PLAYLISTS}
            value={chosen === null ? null : { kind: 'playlist', id: chosen }}
            onChange={(playlist) => setChosen(playlist?.id ?? null)}
            autoFocus
          />
          <NumberField
            label={t('widget.forSeconds')}
            value={seconds}
            min={1}
            max={86_400}
            unit="s"
            onChange={setSeconds}
            placeholder={String(SECONDS)}
          />
        </>
      )}
    </FormDialog>
  );
}
