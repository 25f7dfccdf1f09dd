import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Layout, setDeviceLayout } from '../../../shared/contract/layouts.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { client } from '../../data/client.ts';
import { groupMembersQuery, groupsQuery } from '../../data/groups.ts';
import { layoutsQuery } from '../../data/layouts.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { templateName } from '../../parts/templateName.ts';

/** Which screens have this layout. Ticking gives it, unticking makes the screen full screen again. */
export function LayoutScreens({
  layout,
  saveFirst,
  onClose,
}: {
  layout: Layout;
  /** Undefined: there is nothing to be saved. */
  saveFirst: (() => Promise<unknown>) | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery).data ?? [];
  const names = new Map((useQuery(layoutsQuery).data ?? []).map((l) => [l.id, templateName(l, t)]));
  const groups = useQuery(groupsQuery).data ?? [];
  const queries = useQueryClient();
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const assign = useEdit<void, number>({
    topics: ['devices'],
    run: async () => {
      await saveFirst?.();
      for (const [deviceId, on] of changes)
        await client.call(setDeviceLayout, { params: { deviceId }, body: { layout_id: on ? layout.id : null } });
      return changes.size;
    },
    said: (count) => t('layout.screensChanged', { count }),
    done: onClose,
  });
  const has = (id: string) => screens.find((s) => s.id === id)?.layout_id === layout.id;
  const toggle = (id: string, had: boolean, on: boolean) =>
    setChanges((now) => {
      const next = new Map(now);
      if (on === had) next.delete(id);
      else next.set(id, on);
      return next;
    });
  const tickGroup = async (groupId: string) => {
    if (!groupId) return;
    const members = await queries.fetchQuery(groupMembersQuery(groupId));
    for (const { id } of members) toggle(id, has(id), true);
  };
  return (
    <FormDialog
      title={t('layout.chooseScreens')}
      onClose={onClose}
      onSubmit={() => changes.size > 0 && assign.mutate()}
      submit={t('layout.changeScreens', { count: changes.size })}
      isDisabled={changes.size === 0}
      isPending={assign.isPending}
    >
      <p>
        {t('layout.chooseScreensLead')} {saveFirst && t('layout.saveFirst')}
      </p>
      {groups.length > 0 && (
        <Select
          label={t('layout.tickGroup')}
          value=""
          onChange={(id) => void tickGroup(id)}
          options={[
            { value: '', label: t('layout.tickGroupNone') },
            ...groups.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {screens.length === 0 ? (
        <Notice tone="info" title={t('playlist.chooseScreensNone')} />
      ) : (
        <ScreenTicks
          screens={screens}
          isTicked={(id) => changes.get(id) ?? has(id)}
          onToggle={(id, on) => toggle(id, has(id), on)}
          hintOf={(id) => {
            const present = screens.find((s) => s.id === id)?.layout_id ?? null;
            if (present === layout.id) return undefined;
            return present === null ? t('layout.nowFull') : t('layout.nowHas', { name: names.get(present) ?? '' });
          }}
        />
      )}
    </FormDialog>
  );
}
