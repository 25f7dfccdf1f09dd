import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import type { DesignEdits } from '../useDesignEdits.ts';

const SECOND_MS = 1000;
const MAX_SECONDS = 86_400;

/** Settings of the page, shown while no element is selected. */
export function PagePanel({ edits, canEdit }: { edits: DesignEdits; canEdit: boolean }) {
  const { t } = useTranslation();
  const { page } = edits;
  return (
    <section className="form element-panel" aria-label={t('designer.page')}>
      <h2>{t('designer.page')}</h2>
      <NumberField
        label={t('designer.duration')}
        hint={t('designer.durationHint')}
        value={page.duration_ms === null ? null : page.duration_ms / SECOND_MS}
        min={1}
        max={MAX_SECONDS}
        unit="s"
        isDisabled={!canEdit}
        onChange={(seconds) =>
          edits.onPage((p) => ({ ...p, duration_ms: seconds === null ? null : seconds * SECOND_MS }), 'duration')
        }
      />
      {canEdit && <p className="field-hint">{t('designer.pickElement')}</p>}
    </section>
  );
}
