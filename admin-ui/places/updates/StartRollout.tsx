import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Release, startRollout } from '../../../shared/contract/updates.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { NumberField } from '../../components/NumberField.tsx';
import { Select } from '../../components/Select.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { groupsQuery } from '../../data/groups.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';

/** One screen proves the version before any other gets it; groups may follow before the rest. */
export function StartRollout({ release, onClose }: { release: Release; onClose: () => void }) {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery).data ?? [];
  const groups = useQuery(groupsQuery).data ?? [];
  const [first, setFirst] = useState<string | null>(null);
  const [groupIds, setGroupIds] = useState<readonly string[]>([]);
  const [minutes, setMinutes] = useState<number | null>(15);
  const start = useEdit({
    topics: ['settings'],
    run: () => client.call(startRollout, { body: { release_id: release.id, first_device_id: first ?? '', group_ids: [...groupIds], ...(minutes !== null && { minutes }) } }),
    done: () => {
      onClose();
      toast({ tone: 'done', text: t('updates.started', { version: release.version }) });
    },
  });
  return (
    <FormDialog
      title={t('updates.startTitle', { version: release.version })}
      onClose={onClose}
      onSubmit={() => first !== null && start.mutate()}
      submit={t('updates.begin')}
      isPending={start.isPending}
      isDisabled={first === null}
    >
      <p>{t('updates.startHelp')}</p>
      <Select
        label={t('updates.first')}
        hint={t('updates.firstHint')}
        placeholder={t('updates.choose')}
        value={first}
        options={screens.map(({ id, name, status }) => ({ value: id, label: name, hint: status === 'online' ? undefined : t('updates.isAway') }))}
        onChange={setFirst}
      />
      {groups.length > 0 && (
        <fieldset className="updates-groups">
          <legend>{t('updates.groups')}</legend>
          <ScreenTicks
            screens={groups}
            isTicked={(id) => groupIds.includes(id)}
            onToggle={(id, on) => setGroupIds(on ? [...groupIds, id] : groupIds.filter((other) => other !== id))}
          />
        </fieldset>
      )}
      <NumberField label={t('updates.minutes')} hint={t('updates.minutesHint')} unit="min" min={2} max={1440} value={minutes} onChange={setMinutes} />
    </FormDialog>
  );
}
