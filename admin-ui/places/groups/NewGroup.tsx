import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addGroupDevice, createGroup, type Group } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Swatches } from '../../components/Swatches.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { useTicks } from '../../parts/useTicks.ts';
import { GROUP_COLOURS } from './group.utils.ts';

export function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const screens = useQuery(screensQuery).data ?? [];
  const [name, setName] = useState('');
  const [color, setColor] = useState<string>(GROUP_COLOURS[0].value);
  const { chosen, tick } = useTicks();
  const [asked, setAsked] = useState(false);
  const create = useEdit<void, Group>({
    topics: ['groups', 'devices'],
    run: async () => {
      const group = await client.call(createGroup, { body: { name, color } });
      for (const device_id of chosen) await client.call(addGroupDevice, { params: { id: group.id }, body: { device_id } });
      return group;
    },
    done: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  });
  const submit = () => {
    setAsked(true);
    if (name.trim()) create.mutate();
  };
  return (
    <Dialog
      title={t('groups.newTitle')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isPending={create.isPending}>
            {t('groups.create')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('groups.name')}
        placeholder={t('groups.namePlaceholder')}
        value={name}
        onChange={setName}
        autoFocus
        maxLength={200}
        error={asked && !name.trim() ? t('groups.needName') : undefined}
      />
      <Swatches label={t('groups.colour')} colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))} value={color} onChange={setColor} />
      {screens.length > 0 && (
        <div className="field">
          <span className="field-label">{t('group.members')}</span>
          <ScreenTicks screens={screens} isTicked={(id) => chosen.has(id)} onToggle={tick} />
        </div>
      )}
    </Dialog>
  );
}
