import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../shared/contract/screens/devices.ts';
import { Bone } from '../../../components/frame/Page.tsx';
import type { Selection } from '../../../components/lists/useSelection.ts';
import { VirtualGrid } from '../../../components/lists/VirtualGrid.tsx';
import { withTexts } from '../../../i18n/i18n.ts';
import { ScreenCard } from './ScreenCard.tsx';
import { columnsOf } from './screenTable.utils.ts';
import type { ScreensAddress } from './useScreensAddress.ts';
import type { useScreensData } from './useScreensData.ts';

const ScreenTable = lazy(() => withTexts(() => import('./ScreenTable.tsx')).then((m) => ({ default: m.ScreenTable })));

type ScreenListProps = {
  address: ScreensAddress;
  data: ReturnType<typeof useScreensData>;
  selection: Selection<Device>;
};

/** The screens as pictures, or as rows of a table. */
export function ScreenList({ address, data, selection: { chosen, toggle } }: ScreenListProps) {
  const { t } = useTranslation();
  if (address.isTable)
    return (
      <ScreenTable
        count={data.found}
        at={data.at}
        onRange={data.onRange}
        columns={columnsOf(address.columns)}
        onColumns={(columns) => address.change({ columns })}
        order={address.order}
        onOrder={(sort) => address.change({ sort })}
        canWrite={data.canWrite}
        isChosen={(id) => chosen.has(id)}
        onToggle={toggle}
      />
    );
  return (
    <VirtualGrid
      label={t('nav.screens')}
      count={data.found}
      minColumn={272}
      gap={20}
      estimateRow={(width) => (width * 9) / 16 + 110}
      keyOf={(i) => data.at(i)?.id ?? i}
      isChosen={data.canWrite ? (i) => chosen.has(data.at(i)?.id ?? '') : undefined}
      onRange={data.onRange}
      renderCell={(i) => {
        const screen = data.at(i);
        if (!screen) return <Bone height="15rem" radius="var(--r-xl)" />;
        return (
          <ScreenCard
            screen={screen}
            index={i}
            canWrite={data.canWrite}
            isSelected={chosen.has(screen.id)}
            selecting={chosen.size > 0}
            onToggle={toggle}
          />
        );
      }}
    />
  );
}
