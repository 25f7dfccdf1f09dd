import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Device, Orientation } from '../../../../../shared/contract/screens/devices.ts';
import type { CommandName } from '../../../../../shared/protocol/commands.ts';
import { layoutsQuery } from '../../../../api/layouts.ts';
import { playlistsQuery } from '../../../../api/playlists.ts';
import { Select } from '../../../../components/choices/Select.tsx';
import { Button } from '../../../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../../../components/controls/Dialog.tsx';
import { templateName } from '../../../../domain/records/templateName.ts';
import { CommandDialog, type Order } from '../../../../domain/screens/CommandDialog.tsx';
import { TagPicker } from '../../../../domain/screens/TagPicker.tsx';
import { useFormat } from '../../../../i18n/useFormat.ts';
import { HoursDialog } from '../../OpeningHours.tsx';
import { RenameScreens } from './RenameScreens.tsx';
import type { useBulk } from './useBulk.ts';

/** An action on many screens whose dialog is open. */
export type BulkAction =
  | { what: 'playlist' | 'group' | 'layout' | 'orientation' | 'hours' | 'tags' | 'rename' }
  | { what: 'command'; type: CommandName };

type BulkDialogsProps = {
  action: BulkAction;
  screens: readonly Device[];
  groups: readonly Choice[];
  bulk: ReturnType<typeof useBulk>;
  isPending: boolean;
  /** Called with the request of the action. */
  onRun: (work: Promise<void>) => void;
  onCommand: (order: Order) => void;
  onClose: () => void;
};

/** The dialog of an action on many screens. */
export function BulkDialogs({ action, groups, bulk, onRun, onCommand, ...each }: BulkDialogsProps) {
  const { t } = useTranslation();
  const { screens } = each;
  switch (action.what) {
    case 'playlist':
      return <ChoosePlaylist {...each} onChoose={(playlist) => onRun(bulk.playlist(playlist))} />;
    case 'group':
      return <Choose {...each} what="group" options={groups} onChoose={(group) => group && onRun(bulk.group(group))} />;
    case 'layout':
      return <ChooseLayout {...each} onChoose={(layout) => onRun(bulk.layout(layout))} />;
    case 'orientation':
      return (
        <Choose
          {...each}
          what="orientation"
          options={Orientation.options.map((id) => ({ id, name: t(`screen.orientationOf.${id}`) }))}
          onChoose={(chosen) => chosen && onRun(bulk.orientation(Orientation.parse(chosen.id)))}
        />
      );
    case 'tags':
      return <ChangeTags {...each} onChange={(add, remove) => onRun(bulk.tags(add, remove))} />;
    case 'rename':
      return <RenameScreens {...each} onRename={(names) => onRun(bulk.rename(names))} />;
    case 'hours':
      return <ChangeHours {...each} onSave={(hours) => onRun(bulk.hours(hours))} />;
    case 'command':
      return (
        <CommandDialog
          type={action.type}
          to={t('common.screens', { count: screens.length })}
          count={screens.length}
          isPending={each.isPending}
          onGive={onCommand}
          onClose={each.onClose}
        >
          <Names screens={screens} />
        </CommandDialog>
      );
  }
}

/** Adds tags to all selected screens, and removes tags from all of them. */
function ChangeTags({
  screens,
  isPending,
  onChange,
  onClose,
}: {
  screens: readonly Device[];
  isPending: boolean;
  onChange: (add: readonly string[], remove: readonly string[]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  return (
    <FormDialog
      title={t('bulk.tagsTitle', { count: screens.length })}
      onClose={onClose}
      onSubmit={() => onChange(add, remove)}
      submit={t('bulk.apply', { count: screens.length })}
      isDisabled={add.length + remove.length === 0}
      isPending={isPending}
    >
      <TagPicker label={t('bulk.tagsAdd')} value={add} onChange={setAdd} />
      <TagPicker label={t('bulk.tagsRemove')} value={remove} onChange={setRemove} />
      <Names screens={screens} />
    </FormDialog>
  );
}

function ChangeHours({
  screens,
  isPending,
  onSave,
  onClose,
}: {
  screens: readonly Device[];
  isPending: boolean;
  onSave: (hours: Device['opening_hours']) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const common = hoursOfAll(screens);
  return (
    <HoursDialog
      title={t('hours.bulkTitle', { count: screens.length })}
      keep={t('bulk.apply', { count: screens.length })}
      hours={common ?? []}
      none={common ? undefined : t('hours.differ')}
      isPending={isPending}
      onSave={onSave}
      onClose={onClose}
    >
      <Names screens={screens} />
    </HoursDialog>
  );
}

/** Undefined if they differ. */
const hoursOfAll = (screens: readonly Device[]): Device['opening_hours'] | undefined => {
  const [first, ...others] = screens.map((screen) => JSON.stringify(screen.opening_hours));
  return first !== undefined && others.every((one) => one === first) ? screens[0]!.opening_hours : undefined;
};

const SHOWN = 12;

function Names({ screens }: { screens: readonly Device[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = screens.slice(0, SHOWN).map((screen) => screen.name);
  const more = screens.length - names.length;
  return <p className="field-hint">{format.list(more > 0 ? [...names, t('bulk.more', { count: more })] : names)}</p>;
}

type Choice = { readonly id: string; readonly name: string; readonly hint?: string };
type ChooseProps = {
  what: 'playlist' | 'group' | 'layout' | 'orientation';
  screens: readonly Device[];
  options: readonly Choice[];
  /** Label of the option for no value. */
  none?: { label: string; hint?: string };
  isPending: boolean;
  onChoose: (choice: Choice | null) => void;
  onClose: () => void;
};
const NONE = '';

/** Chooses one value of a list for all selected screens, and names the screens. */
function Choose({ what, screens, options, none, isPending, onChoose, onClose }: ChooseProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState<string | null>(null);
  return (
    <Dialog
      title={t(`bulk.${what}Title`, { count: screens.length })}
      onClose={onClose}
      onSubmit={() => value !== null && onChoose(options.find((o) => o.id === value) ?? null)}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary" isDisabled={value === null} isPending={isPending}>
            {t('bulk.apply', { count: screens.length })}
          </Button>
        </>
      }
    >
      <Select
        label={t(`bulk.${what}`)}
        placeholder={t('bulk.choose')}
        value={value}
        onChange={setValue}
        options={[
          ...(none ? [{ value: NONE, ...none }] : []),
          ...options.map(({ id, name, hint }) => ({ value: id, label: name, hint })),
        ]}
      />
      <Names screens={screens} />
    </Dialog>
  );
}

type OneOf = Omit<ChooseProps, 'what' | 'options' | 'none'>;

function ChoosePlaylist(props: OneOf) {
  const { t } = useTranslation();
  const playlists = (useQuery(playlistsQuery).data ?? []).filter((p) => p.device_id === null);
  const options = playlists.map((p) => ({
    id: p.id,
    name: p.name,
    hint: p.published_at === null ? t('playlists.status.never') : t('playlists.items', { count: p.item_count }),
  }));
  return (
    <Choose
      {...props}
      what="playlist"
      options={options}
      none={{ label: t('screen.inherit'), hint: t('screen.inheritHint') }}
    />
  );
}

function ChooseLayout(props: OneOf) {
  const { t } = useTranslation();
  const layouts = useQuery(layoutsQuery).data ?? [];
  const options = layouts
    .filter((l) => l.zones.length > 1)
    .map((l) => ({ id: l.id, name: templateName(l, t), hint: t('layouts.zones', { count: l.zones.length }) }));
  return <Choose {...props} what="layout" options={options} none={{ label: t('playlist.wholeScreen') }} />;
}
