import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addGroupDevice, createGroup } from '../../../shared/contract/groups.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { Swatches } from '../../components/Swatches.tsx';
import { TextField } from '../../components/TextField.tsx';
import { client } from '../../data/client.ts';
import { screensQuery } from '../../data/screens.ts';
import { useForm } from '../../data/useForm.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { useTicks } from '../../parts/useTicks.ts';
import { GROUP_COLOURS } from './group.utils.ts';

export function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const screens = useQuery(screensQuery).data ?? [];
  const { chosen, tick } = useTicks();
  const form = useForm({
    start: { name: '', color: GROUP_COLOURS[0].value as string },
    schema: createGroup.body,
    topics: ['groups', 'devices'],
    run: async (body) => {
      const group = await client.call(createGroup, { body });
      for (const device_id of chosen) await client.call(addGroupDevice, { params: { id: group.id }, body: { device_id } });
      return group;
    },
    done: ({ id }) => void navigate({ to: '/groups/$groupId', params: { groupId: id } }),
  });
  return (
    <FormDialog title={t('groups.newTitle')} onClose={onClose} onSubmit={form.send} submit={t('groups.create')} isPending={form.isPending}>
      <TextField {...form.field('name', t('groups.name'))} placeholder={t('groups.namePlaceholder')} autoFocus maxLength={200} />
      <Swatches
        label={t('groups.colour')}
        colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))}
        value={form.values.color}
        onChange={(color) => form.set({ color })}
      />
      {screens.length > 0 && (
        <div className="field">
          <span className="field-label">{t('group.members')}</span>
          <ScreenTicks screens={screens} isTicked={(id) => chosen.has(id)} onToggle={tick} />
        </div>
      )}
    </FormDialog>
  );
}
