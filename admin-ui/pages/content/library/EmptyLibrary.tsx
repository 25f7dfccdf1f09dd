import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { Empty } from '../../../components/frame/Page.tsx';
import contentDrawing from '../../../drawings/content.svg?raw';
import nothingFoundDrawing from '../../../drawings/nothing-found.svg?raw';
import type { AddressChange } from './useLibraryAddress.ts';
import type { LibraryPlace } from './useLibraryPlace.ts';

type OnChange = { onChange: (change: AddressChange) => void };

/** The folder of the address was deleted. */
export function FolderGone({ onChange }: OnChange) {
  const { t } = useTranslation();
  return (
    <Empty
      drawing={nothingFoundDrawing}
      title={t('problem.gone')}
      actions={<Button onPress={() => onChange({ folder: undefined })}>{t('content.everything')}</Button>}
    />
  );
}

/** The library, a folder or a label without content. */
export function NoContent({
  place: { kind, mayAdd },
  add,
}: {
  place: LibraryPlace;
  /** The button that adds content. */
  add: ReactNode;
}) {
  const { t } = useTranslation();
  const isLibrary = kind === 'library';
  return (
    <Empty
      drawing={contentDrawing}
      title={isLibrary ? t('content.emptyTitle') : t('content.emptyFolder')}
      actions={isLibrary && add}
    >
      {kind === 'label'
        ? t('content.emptyLabelHelp')
        : mayAdd && (isLibrary ? t('content.emptyHelp') : t('content.emptyFolderHelp'))}
    </Empty>
  );
}

/** No content matches the filter. */
export function NoneFound({ onChange }: OnChange) {
  const { t } = useTranslation();
  return (
    <Empty
      drawing={nothingFoundDrawing}
      title={t('content.noneFound')}
      actions={
        <Button onPress={() => onChange({ q: undefined, type: undefined, validity: undefined, owner: undefined })}>
          {t('content.showAll')}
        </Button>
      }
    >
      {t('content.noneFoundHelp')}
    </Empty>
  );
}
