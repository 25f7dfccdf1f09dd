import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Layout } from '../../../shared/contract/content/layouts.ts';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { layoutsQuery } from '../../api/layouts.ts';
import { FormDialog } from '../../components/controls/Dialog.tsx';
import { Notice } from '../../components/frame/Page.tsx';
import { PlaybackOnScreens } from '../../domain/content/PlaybackProblems.tsx';
import { templateName } from '../../domain/records/templateName.ts';
import { ScreenTicks } from '../../domain/screens/ScreenTicks.tsx';
import { useChangeScreens } from '../../domain/screens/useChangeScreens.ts';

/**
 * Dialog for choosing the screens with this layout. Ticking a screen assigns the layout, unticking returns the screen
 * to full screen.
 */
export function LayoutScreens({
  layout,
  saveFirst,
  onClose,
}: {
  layout: Layout;
  /** Saves the layout before it is assigned. Undefined if it has no unsaved changes. */
  saveFirst: (() => Promise<unknown>) | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const names = new Map((useQuery(layoutsQuery).data ?? []).map((l) => [l.id, templateName(l, t)]));
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const assign = useChangeScreens({
    before: saveFirst,
    said: (count) => ({ text: t('layout.screensChanged', { count }) }),
    done: onClose,
  });
  const has = (screen: Device) => screen.layout_id === layout.id;
  const toggle = (screens: readonly Device[], on: boolean) =>
    setChanges((now) => {
      const next = new Map(now);
      for (const screen of screens) {
        if (on === has(screen)) next.delete(screen.id);
        else next.set(screen.id, on);
      }
      return next;
    });
  const idsOf = (wanted: boolean) => [...changes].flatMap(([id, on]) => (on === wanted ? [id] : []));
  const give = () => {
    assign.mutate(
      [
        { device_ids: idsOf(true), set: { layout_id: layout.id } },
        { device_ids: idsOf(false), set: { layout_id: null } },
      ].filter(({ device_ids }) => device_ids.length > 0),
    );
  };
  return (
    <FormDialog
      title={t('layout.chooseScreens')}
      onClose={onClose}
      onSubmit={() => changes.size > 0 && give()}
      submit={t('layout.changeScreens', { count: changes.size })}
      isDisabled={changes.size === 0}
      isPending={assign.isPending}
    >
      <p>
        {t('layout.chooseScreensLead')} {saveFirst && t('layout.saveFirst')}
      </p>
      <PlaybackOnScreens shown={{ layout_id: layout.id }} ids={idsOf(true)} />
      <ScreenTicks
        none={<Notice tone="info" title={t('playlist.chooseScreensNone')} />}
        isTicked={(screen) => changes.get(screen.id) ?? has(screen)}
        onToggle={toggle}
        hintOf={({ layout_id: present }) => {
          if (present === layout.id) return undefined;
          return present === null ? t('layout.nowFull') : t('layout.nowHas', { name: names.get(present) ?? '' });
        }}
      />
    </FormDialog>
  );
}
