import { useQuery } from '@tanstack/react-query';
import {
  Clapperboard,
  Clock,
  Group,
  LayoutPanelTop,
  Megaphone,
  PencilLine,
  RotateCwSquare,
  ScanEye,
  Tag,
  Terminal,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Device, Orientation } from '../../../../shared/contract/screens/devices.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../../../shared/protocol/commands.ts';
import { composer } from '../../../api/editing/composer.ts';
import { groupsQuery } from '../../../api/groups.ts';
import { layoutsQuery } from '../../../api/layouts.ts';
import { playlistsQuery } from '../../../api/playlists.ts';
import { useCanShow, useHasAllScreens } from '../../../api/session/me.ts';
import { useHindrances } from '../../../api/session/rights.ts';
import { Menu, MenuItem } from '../../../components/choices/Menu.tsx';
import { Select } from '../../../components/choices/Select.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog, FormDialog } from '../../../components/controls/Dialog.tsx';
import { SelectionBar } from '../../../components/lists/SelectionBar.tsx';
import { templateName } from '../../../domain/records/templateName.ts';
import { CommandDialog, type Order } from '../../../domain/screens/CommandDialog.tsx';
import { iconOf, needsConfirmation, whyNot } from '../../../domain/screens/commands.utils.ts';
import { TagPicker } from '../../../domain/screens/TagPicker.tsx';
import { worded } from '../../../i18n/sentences.ts';
import { useFormat } from '../../../i18n/useFormat.ts';
import { HoursDialog } from '../OpeningHours.tsx';
import { RenameScreens } from './RenameScreens.tsx';
import { useBulk } from './useBulk.ts';

type Asking =
  | { what: 'playlist' | 'group' | 'layout' | 'orientation' | 'hours' | 'tags' | 'rename' }
  | { what: 'command'; type: CommandName };

/** Actions on many screens at once. */
export function BulkActions({
  screens,
  onClear,
  onAll,
}: {
  screens: readonly Device[];
  onClear: () => void;
  onAll?: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const bulk = useBulk(screens);
  const [asking, setAsking] = useState<Asking>();
  const [busy, setBusy] = useState(false);
  const groups = useQuery(groupsQuery).data ?? [];
  const hasAll = useHasAllScreens();
  const canShow = useCanShow();
  const hindrances = useHindrances(
    'screen',
    screens.map(({ id }) => id),
  );
  const common = hoursOfAll(screens);
  const close = () => setAsking(undefined);
  const run = async (work: Promise<void>) => {
    setBusy(true);
    await work;
    setBusy(false);
    close();
  };
  const give = (order: Order) => void run(bulk.command(order));
  const press = (type: CommandName) =>
    needsConfirmation(type, screens.length) ? setAsking({ what: 'command', type }) : give({ type });
  return (
    <>
      <SelectionBar text={t('selection.count', { count: screens.length })} onClear={onClear} onAll={onAll}>
        {hindrances?.[0] && (
          <p className="field-hint">
            {t('rights.notAll')}: {worded(hindrances[0].reason)}
          </p>
        )}
        {hindrances?.length === 0 && (
          <>
            <Button size="small" icon={Clapperboard} onPress={() => setAsking({ what: 'playlist' })}>
              {t('screen.playlist')}
            </Button>
            {hasAll && groups.length > 0 && (
              <Button size="small" icon={Group} onPress={() => setAsking({ what: 'group' })}>
                {t('screens.group')}
              </Button>
            )}
            <Button size="small" icon={Tag} onPress={() => setAsking({ what: 'tags' })}>
              {t('bulk.tags')}
            </Button>
            <Button size="small" icon={PencilLine} onPress={() => setAsking({ what: 'rename' })}>
              {t('bulk.rename')}
            </Button>
            <Button size="small" icon={LayoutPanelTop} onPress={() => setAsking({ what: 'layout' })}>
              {t('bulk.layout')}
            </Button>
            <Button size="small" icon={RotateCwSquare} onPress={() => setAsking({ what: 'orientation' })}>
              {t('screen.orientation')}
            </Button>
            <Button size="small" icon={Clock} onPress={() => setAsking({ what: 'hours' })}>
              {t('hours.title')}
            </Button>
            {canShow && (
              <Button
                size="small"
                icon={Megaphone}
                onPress={() => composer.open(screens.map(({ id, name }) => ({ kind: 'device', id, name })))}
              >
                {t('nav.messageNow')}
              </Button>
            )}
            <Menu
              label={t('commands.title')}
              placement="top start"
              trigger={
                <Button size="small" icon={Terminal}>
                  {t('commands.title')}
                </Button>
              }
            >
              <MenuItem icon={ScanEye} onAction={() => void bulk.identify()}>
                {t('identify.title')}
              </MenuItem>
              {COMMAND_NAMES.map((type) => (
                <MenuItem
                  key={type}
                  icon={iconOf(type)}
                  danger={COMMANDS[type].isGrave}
                  isDisabled={whyNot(screens, type) !== undefined}
                  onAction={() => press(type)}
                >
                  {t(`commands.of.${type}.name`)}
                </MenuItem>
              ))}
            </Menu>
          </>
        )}
      </SelectionBar>
      {asking?.what === 'playlist' && (
        <ChoosePlaylist
          screens={screens}
          isPending={busy}
          onChoose={(playlist) => void run(bulk.playlist(playlist))}
          onClose={close}
        />
      )}
      {asking?.what === 'group' && (
        <Choose
          what="group"
          screens={screens}
          options={groups}
          isPending={busy}
          onChoose={(group) => void (group && run(bulk.group(group)))}
          onClose={close}
        />
      )}
      {asking?.what === 'layout' && (
        <ChooseLayout
          screens={screens}
          isPending={busy}
          onChoose={(layout) => void run(bulk.layout(layout))}
          onClose={close}
        />
      )}
      {asking?.what === 'orientation' && (
        <Choose
          what="orientation"
          screens={screens}
          options={Orientation.options.map((id) => ({ id, name: t(`screen.orientationOf.${id}`) }))}
          isPending={busy}
          onChoose={(chosen) => void (chosen && run(bulk.orientation(Orientation.parse(chosen.id))))}
          onClose={close}
        />
      )}
      {asking?.what === 'tags' && (
        <ChangeTags
          screens={screens}
          isPending={busy}
          onChange={(add, remove) => void run(bulk.tags(add, remove))}
          onClose={close}
        />
      )}
      {asking?.what === 'rename' && (
        <RenameScreens
          screens={screens}
          isPending={busy}
          onRename={(names) => void run(bulk.rename(names))}
          onClose={close}
        />
      )}
      {asking?.what === 'hours' && (
        <HoursDialog
          title={t('hours.bulkTitle', { count: screens.length })}
          keep={t('bulk.apply', { count: screens.length })}
          hours={common ?? []}
          none={common ? undefined : t('hours.differ')}
          isPending={busy}
          onSave={(hours) => void run(bulk.hours(hours))}
          onClose={close}
        >
          <Names screens={screens} />
        </HoursDialog>
      )}
      {asking?.what === 'command' && (
        <CommandDialog
          type={asking.type}
          to={t('common.screens', { count: screens.length })}
          count={screens.length}
          isPending={busy}
          onGive={give}
          onClose={close}
        >
          <Names screens={screens} />
        </CommandDialog>
      )}
    </>
  );
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
