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
import type { Device } from '../../../../../shared/contract/screens/devices.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../../../../shared/protocol/commands.ts';
import { composer } from '../../../../api/editing/composer.ts';
import { groupsQuery } from '../../../../api/groups.ts';
import { useCanShow, useHasAllScreens } from '../../../../api/session/me.ts';
import { useHindrances } from '../../../../api/session/rights.ts';
import { Menu, MenuItem } from '../../../../components/choices/Menu.tsx';
import { Button } from '../../../../components/controls/Button.tsx';
import { SelectionBar } from '../../../../components/lists/SelectionBar.tsx';
import type { Order } from '../../../../domain/screens/CommandDialog.tsx';
import { iconOf, needsConfirmation, whyNot } from '../../../../domain/screens/commands.utils.ts';
import { worded } from '../../../../i18n/sentences.ts';
import { type BulkAction, BulkDialogs } from './BulkDialogs.tsx';
import { useBulk } from './useBulk.ts';

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
  const [action, setAction] = useState<BulkAction>();
  const [busy, setBusy] = useState(false);
  const groups = useQuery(groupsQuery).data ?? [];
  const hindrances = useHindrances(
    'screen',
    screens.map(({ id }) => id),
  );
  const close = () => setAction(undefined);
  const run = async (work: Promise<void>) => {
    setBusy(true);
    await work;
    setBusy(false);
    close();
  };
  const give = (order: Order) => void run(bulk.command(order));
  return (
    <>
      <SelectionBar text={t('selection.count', { count: screens.length })} onClear={onClear} onAll={onAll}>
        {hindrances?.[0] && (
          <p className="field-hint">
            {t('rights.notAll')}: {worded(hindrances[0].reason)}
          </p>
        )}
        {hindrances?.length === 0 && (
          <BulkButtons
            screens={screens}
            hasGroups={groups.length > 0}
            onAction={setAction}
            onCommand={(type) =>
              needsConfirmation(type, screens.length) ? setAction({ what: 'command', type }) : give({ type })
            }
            onIdentify={() => void bulk.identify()}
          />
        )}
      </SelectionBar>
      {action && (
        <BulkDialogs
          action={action}
          screens={screens}
          groups={groups}
          bulk={bulk}
          isPending={busy}
          onRun={(work) => void run(work)}
          onCommand={give}
          onClose={close}
        />
      )}
    </>
  );
}

function BulkButtons({
  screens,
  hasGroups,
  onAction,
  onCommand,
  onIdentify,
}: {
  screens: readonly Device[];
  hasGroups: boolean;
  onAction: (action: BulkAction) => void;
  onCommand: (type: CommandName) => void;
  onIdentify: () => void;
}) {
  const { t } = useTranslation();
  const hasAll = useHasAllScreens();
  const canShow = useCanShow();
  return (
    <>
      <Button size="small" icon={Clapperboard} onPress={() => onAction({ what: 'playlist' })}>
        {t('screen.playlist')}
      </Button>
      {hasAll && hasGroups && (
        <Button size="small" icon={Group} onPress={() => onAction({ what: 'group' })}>
          {t('screens.group')}
        </Button>
      )}
      <Button size="small" icon={Tag} onPress={() => onAction({ what: 'tags' })}>
        {t('bulk.tags')}
      </Button>
      <Button size="small" icon={PencilLine} onPress={() => onAction({ what: 'rename' })}>
        {t('bulk.rename')}
      </Button>
      <Button size="small" icon={LayoutPanelTop} onPress={() => onAction({ what: 'layout' })}>
        {t('bulk.layout')}
      </Button>
      <Button size="small" icon={RotateCwSquare} onPress={() => onAction({ what: 'orientation' })}>
        {t('screen.orientation')}
      </Button>
      <Button size="small" icon={Clock} onPress={() => onAction({ what: 'hours' })}>
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
        <MenuItem icon={ScanEye} onAction={onIdentify}>
          {t('identify.title')}
        </MenuItem>
        {COMMAND_NAMES.map((type) => (
          <MenuItem
            key={type}
            icon={iconOf(type)}
            danger={COMMANDS[type].isGrave}
            isDisabled={whyNot(screens, type) !== undefined}
            onAction={() => onCommand(type)}
          >
            {t(`commands.of.${type}.name`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
