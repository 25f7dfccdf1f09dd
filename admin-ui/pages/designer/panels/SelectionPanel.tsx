import { Copy, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import type { DesignEdits } from '../useDesignEdits.ts';
import { ArrangeButtons } from './ArrangeButtons.tsx';
import './panels.css';

/** Shown while several elements are selected. */
export function SelectionPanel({ edits, canEdit }: { edits: DesignEdits; canEdit: boolean }) {
  const { t } = useTranslation();
  return (
    <section className="form element-panel" aria-label={t('designer.selected', { count: edits.selection.size })}>
      <h2>{t('designer.selected', { count: edits.selection.size })}</h2>
      {canEdit && (
        <>
          <ArrangeButtons edits={edits} />
          <div className="button-row">
            <Button icon={Copy} size="small" onPress={edits.duplicate}>
              {t('designer.duplicate')}
            </Button>
            <Button icon={Trash2} size="small" onPress={edits.remove}>
              {t('designer.remove')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
