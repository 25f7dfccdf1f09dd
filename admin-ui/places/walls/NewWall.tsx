import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createWall } from '../../../shared/contract/walls.ts';
import { AmountField } from '../../components/AmountField.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { panelSize } from './wall.utils.ts';

export function NewWall({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [cols, setCols] = useState(2);
  const [rows, setRows] = useState(2);
  const [inches, setInches] = useState(55);
  const [bezel, setBezel] = useState(4);
  const [asked, setAsked] = useState(false);
  const create = useEdit({
    topics: ['walls'],
    run: () => client.call(createWall, { body: { name, grid_cols: cols, grid_rows: rows, bezel_h_mm: bezel, bezel_v_mm: bezel, ...panelSize(inches, 16 / 9) } }),
    done: ({ id }) => void navigate({ to: '/walls/$wallId', params: { wallId: id } }),
  });
  const submit = () => {
    setAsked(true);
    if (name.trim()) create.mutate();
  };
  return (
    <Dialog
      title={t('walls.newTitle')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('walls.create')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('walls.name')}
        placeholder={t('walls.namePlaceholder')}
        value={name}
        onChange={setName}
        autoFocus
        maxLength={200}
        error={asked && !name.trim() ? t('walls.needName') : undefined}
      />
      <div className="wall-fields">
        <AmountField label={t('wall.cols')} value={cols} min={1} max={50} onChange={setCols} />
        <AmountField label={t('wall.rows')} value={rows} min={1} max={50} onChange={setRows} />
        <AmountField label={t('wall.inches')} value={inches} min={1} max={200} digits={1} unit="″" onChange={setInches} />
        <AmountField label={t('wall.bezel')} value={bezel} min={0} max={1000} digits={1} unit="mm" onChange={setBezel} />
      </div>
      <p className="field-hint">{t('walls.newHint')}</p>
    </Dialog>
  );
}
