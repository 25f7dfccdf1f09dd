import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Group, updateGroup } from '../../../shared/contract/groups.ts';
import { Button } from '../../components/Button.tsx';
import { Swatches } from '../../components/Swatches.tsx';
import { TextField } from '../../components/TextField.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useEdit } from '../../data/useEdit.ts';
import { GROUP_COLOURS } from './group.utils.ts';

export function GroupSettings({ group }: { group: Group }) {
  const { t } = useTranslation();
  const [name, setName] = useState(group.name);
  const [color, setColor] = useState(group.color);
  const dirty = name.trim() !== group.name || color.toLowerCase() !== group.color.toLowerCase();
  const save = useEdit({
    topics: ['groups'],
    run: () => client.call(updateGroup, { params: { id: group.id }, body: { name, color } }),
    done: () => toast({ tone: 'done', text: t('group.saved') }),
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty && name.trim()) save.mutate();
      }}
    >
      <TextField label={t('groups.name')} value={name} onChange={setName} maxLength={200} error={name.trim() ? undefined : t('form.missing', { field: t('groups.name') })} />
      <Swatches label={t('groups.colour')} colours={GROUP_COLOURS.map((c) => ({ value: c.value, name: t(`groups.colourOf.${c.name}`) }))} value={color} onChange={setColor} />
      {dirty && (
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={save.isPending}>
            {t('common.save')}
          </Button>
          <Button
            variant="quiet"
            onPress={() => {
              setName(group.name);
              setColor(group.color);
            }}
          >
            {t('common.discard')}
          </Button>
        </div>
      )}
    </form>
  );
}
