import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import brokenDrawing from '../drawings/broken.svg?raw';
import { Button } from './Button.tsx';
import { Empty } from './Page.tsx';

/** In place of what could not be loaded. */
export function QueryFailure({ text, detail, onRetry }: { text: string; detail?: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Empty
      drawing={brokenDrawing}
      title={text}
      actions={
        <Button icon={RefreshCw} onPress={onRetry}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {detail ?? t('app.failureHelp')}
    </Empty>
  );
}
