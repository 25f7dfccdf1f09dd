import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import { Empty } from '../../components/frame/Page.tsx';
import nothingFoundDrawing from '../../drawings/nothing-found.svg?raw';

/** Shown when no store matches the search and the filters. */
export function NoneFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty
      drawing={nothingFoundDrawing}
      title={t('stores.noneFound')}
      actions={<Button onPress={onClear}>{t('stores.clear')}</Button>}
    >
      {t('stores.noneFoundHelp')}
    </Empty>
  );
}
