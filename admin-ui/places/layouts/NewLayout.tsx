import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createLayout } from '../../../shared/contract/layouts.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';
import { SIZES } from './layout.utils.ts';

export function NewLayout({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: '', size: 'landscape' as (typeof SIZES)[number]['key'] },
    schema: createLayout.body,
    topics: ['layouts'],
    run: ({ name, size }) => {
      const { width, height } = SIZES.find((s) => s.key === size) ?? SIZES[0];
      const whole = { name: t('layout.firstZone'), x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 };
      return client.call(createLayout, { body: { name, width, height, zones: [whole] } });
    },
    done: ({ id }) => void navigate({ to: '/layouts/$layoutId', params: { layoutId: id } }),
  });
  return (
    <FormDialog title={t('layouts.newTitle')} onClose={onClose} onSubmit={form.send} submit={t('layouts.create')} isPending={form.isPending}>
      <p>{t('layouts.newLead')}</p>
      <TextField {...form.field('name', t('layouts.name'))} placeholder={t('layouts.namePlaceholder')} autoFocus maxLength={200} />
      <Select
        label={t('layouts.size')}
        value={form.values.size}
        onChange={(size) => form.set({ size })}
        options={SIZES.map(({ key, width, height }) => ({ value: key, label: t(`layouts.sizeOf.${key}`), hint: `${width} × ${height}` }))}
      />
    </FormDialog>
  );
}
