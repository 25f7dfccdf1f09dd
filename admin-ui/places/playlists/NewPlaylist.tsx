import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createPlaylist } from '../../../shared/contract/playlists.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';

export function NewPlaylist({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const create = useEdit({
    topics: ['playlists'],
    run: () => client.call(createPlaylist, { body: { name } }),
    done: ({ id }) => void navigate({ to: '/playlists/$playlistId', params: { playlistId: id } }),
  });
  const submit = () => {
    setAsked(true);
    if (name.trim()) create.mutate();
  };
  return (
    <Dialog
      title={t('playlists.newTitle')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('playlists.create')}
          </Button>
        </>
      }
    >
      <p>{t('playlists.newLead')}</p>
      <TextField
        label={t('playlists.name')}
        placeholder={t('playlists.namePlaceholder')}
        value={name}
        onChange={setName}
        autoFocus
        maxLength={200}
        error={asked && !name.trim() ? t('playlists.needName') : undefined}
      />
    </Dialog>
  );
}
