import { useTranslation } from 'react-i18next';
import type { Design } from '../../../../shared/design/design.ts';
import { Switch } from '../../../components/choices/Choices.tsx';
import { NumberField } from '../../../components/fields/NumberField.tsx';
import type { DesignEdits } from '../useDesignEdits.ts';
import { FillField } from './FillField.tsx';

const SECOND_MS = 1000;
const MAX_SECONDS = 86_400;

/** Settings of the page and of the design, shown while no element is selected. */
export function PagePanel({ edits, design, canEdit }: { edits: DesignEdits; design: Design; canEdit: boolean }) {
  const { t } = useTranslation();
  const { page } = edits;
  return (
    <section className="form element-panel" aria-label={t('designer.page')}>
      <h2>{t('designer.page')}</h2>
      {canEdit && <p className="field-hint">{t('designer.pickElement')}</p>}
      <FillField
        key={page.id}
        label={t('designer.background')}
        value={page.background}
        isDisabled={!canEdit}
        onChange={(background, kind) => edits.onPage((p) => ({ ...p, background }), kind && `page ${kind}`)}
      />
      {design.pages.length > 1 && (
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
      )}
      <Switch
        hint={t('designer.templateHint')}
        isSelected={design.template}
        isDisabled={!canEdit}
        onChange={(template) => edits.onDesign((d) => ({ ...d, template }))}
      >
        {t('designer.template')}
      </Switch>
    </section>
  );
}
