import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createLayout } from '../../../shared/contract/layouts.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { SIZES } from './layout.utils.ts';

export function NewLayout({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [size, setSize] = useState<(typeof SIZES)[number]['key']>('landscape');
  const [asked, setAsked] = useState(false);
  const create = useEdit({
    topics: ['layouts'],
    run: () => {
      const { width, height } = SIZES.find((s) => s.key === size) ?? SIZES[0];
      return client.call(createLayout, {
        body: { name, width, height, zones: [{ name: t('layout.firstZone'), x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 }] },
      });
    },
    done: ({ id }) => void navigate({ to: '/layouts/$layoutId', params: { layoutId: id } }),
  });
  const submit = () => {
    setAsked(true);
    if (name.trim()) create.mutate();
  };
  return (
    <Dialog
      title={t('layouts.newTitle')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('layouts.create')}
          </Button>
        </>
      }
    >
      <p>{t('layouts.newLead')}</p>
      <TextField
        label={t('layouts.name')}
        placeholder={t('layouts.namePlaceholder')}
        value={name}
        onChange={setName}
        autoFocus
        maxLength={200}
        error={asked && !name.trim() ? t('layouts.needName') : undefined}
      />
      <Select
        label={t('layouts.size')}
        value={size}
        onChange={setSize}
        options={SIZES.map(({ key, width, height }) => ({ value: key, label: t(`layouts.sizeOf.${key}`), hint: `${width} × ${height}` }))}
      />
    </Dialog>
  );
}
