import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { type ScreensFilter, screensOf } from '../../api/screens.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { ScreenFinder } from './ScreenFinder.tsx';

type ScreenTicksProps = Pick<Parameters<typeof ScreenFinder>[0], 'none' | 'within'> & {
  isTicked: (screen: Device) => boolean;
  /** Returns whether the user cannot tick this screen here. */
  isFixed?: (screen: Device) => boolean;
  onToggle: (screens: readonly Device[], on: boolean) => void;
  hintOf?: (screen: Device) => string | undefined;
};

/** List of screens with a checkbox each. All results can be ticked at once. */
export function ScreenTicks({ isTicked, isFixed, onToggle, hintOf, ...finder }: ScreenTicksProps) {
  const { t } = useTranslation();
  return (
    <ScreenFinder
      {...finder}
      label={t('nav.screens')}
      byGroup
      tools={({ total, filter }) =>
        total > 1 && (
          <TickAll
            key={JSON.stringify(filter)}
            count={total}
            filter={filter}
            onTick={(all) => onToggle(isFixed ? all.filter((screen) => !isFixed(screen)) : all, true)}
          />
        )
      }
    >
      {(screen) => (
        <Checkbox
          isSelected={isTicked(screen)}
          isDisabled={isFixed?.(screen) ?? false}
          onChange={(on) => onToggle([screen], on)}
          hint={hintOf?.(screen)}
        >
          {screen.name}
        </Checkbox>
      )}
    </ScreenFinder>
  );
}

function TickAll({
  count,
  filter,
  onTick,
}: {
  count: number;
  filter: ScreensFilter;
  onTick: (screens: readonly Device[]) => void;
}) {
  const { t } = useTranslation();
  const tell = useProblem();
  const [busy, setBusy] = useState(false);
  const tick = async () => {
    setBusy(true);
    try {
      onTick(await screensOf(filter));
    } catch (error) {
      tell(error);
    }
    setBusy(false);
  };
  return (
    <div>
      <Button size="small" variant="quiet" isPending={busy} onPress={() => void tick()}>
        {t('find.tickAll', { count })}
      </Button>
    </div>
  );
}
