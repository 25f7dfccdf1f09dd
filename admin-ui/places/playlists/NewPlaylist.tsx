import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createPlaylist } from '../../../shared/contract/playlists.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';

export function NewPlaylist({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: '' },
    schema: createPlaylist.body,
    topics: ['playlists'],
    run: (body) => client.call(createPlaylist, { body }),
    done: ({ id }) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: id } }),
  });
  return (
    <FormDialog title={t('playlists.newTitle')} onClose={onClose} onSubmit={form.send} submit={t('playlists.create')} isPending={form.isPending}>
      <p>{t('playlists.newLead')}</p>
      <TextField {...form.field('name', t('playlists.name'))} placeholder={t('playlists.namePlaceholder')} autoFocus maxLength={200} />
    </FormDialog>
  );
}
