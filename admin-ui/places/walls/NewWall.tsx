import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createWall } from '../../../shared/contract/walls.ts';
import { AmountField } from '../../components/AmountField.tsx';
import { FormDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useForm } from '../../data/useForm.ts';
import { panelSize } from './wall.utils.ts';

export function NewWall({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: '', cols: 2, rows: 2, inches: 55, bezel: 4 },
    schema: createWall.body,
    topics: ['walls'],
    run: ({ name, cols, rows, inches, bezel }) => {
      const body = { name, grid_cols: cols, grid_rows: rows, bezel_h_mm: bezel, bezel_v_mm: bezel };
      return client.call(createWall, { body: { ...body, ...panelSize(inches, 16 / 9) } });
    },
    done: ({ id }) => void navigate({ to: '/walls/$wallId', params: { wallId: id } }),
  });
  return (
    <FormDialog title={t('walls.newTitle')} onClose={onClose} onSubmit={form.send} submit={t('walls.create')} isPending={form.isPending}>
      <TextField {...form.field('name', t('walls.name'))} placeholder={t('walls.namePlaceholder')} autoFocus maxLength={200} />
      <div className="wall-fields">
        <AmountField {...form.field('cols', t('wall.cols'))} min={1} max={50} />
        <AmountField {...form.field('rows', t('wall.rows'))} min={1} max={50} />
        <AmountField {...form.field('inches', t('wall.inches'))} min={1} max={200} digits={1} unit="″" />
        <AmountField {...form.field('bezel', t('wall.bezel'))} min={0} max={1000} digits={1} unit="mm" />
      </div>
      <p className="field-hint">{t('walls.newHint')}</p>
    </FormDialog>
  );
}
