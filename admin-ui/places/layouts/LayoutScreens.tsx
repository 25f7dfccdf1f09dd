import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Layout, setDeviceLayout } from '../../../shared/contract/layouts.ts';
import { FormDialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Page.tsx';
import { client } from '../../data/client.ts';
import { layoutsQuery } from '../../data/layouts.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { ScreenTicks } from '../../parts/ScreenTicks.tsx';
import { templateName } from '../../parts/templateName.ts';

/** Which screens have this layout. Ticking gives it, unticking makes the screen full screen again. */
export function LayoutScreens({ layout, onClose }: { layout: Layout; onClose: () => void }) {
  const { t } = useTranslation();
  const screens = useQuery(screensQuery).data ?? [];
  const names = new Map((useQuery(layoutsQuery).data ?? []).map((l) => [l.id, templateName(l, t)]));
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const assign = useEdit<void, number>({
    topics: ['devices'],
    run: async () => {
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
  return (
    <FormDialog
      title={t('layout.chooseScreens')}
      onClose={onClose}
      onSubmit={() => changes.size > 0 && assign.mutate()}
      submit={t('layout.changeScreens', { count: changes.size })}
      isDisabled={changes.size === 0}
      isPending={assign.isPending}
    >
      <p>{t('layout.chooseScreensLead')}</p>
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
