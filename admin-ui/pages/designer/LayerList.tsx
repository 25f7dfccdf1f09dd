import { EyeOff } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../shared/design/design.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import { ELEMENT_ICONS } from './AddElement.tsx';
import { rectsIn } from './edits.ts';
import { elementName } from './elementName.ts';
import type { DesignEdits } from './useDesignEdits.ts';

/** All elements of the page, the front one first, also those that this format hides. */
export function LayerList({ page, edits, format }: { page: Page; edits: DesignEdits; format: PageFormat }) {
  const { t } = useTranslation();
  const id = useId();
  const shown = rectsIn(page, format);
  return (
    <section className="zone-list">
      <h2 id={id}>{t('designer.layers')}</h2>
      <ul aria-labelledby={id}>
        {page.elements.toReversed().map((element) => {
          const Icon = ELEMENT_ICONS[element.type];
          return (
            <li key={element.id}>
              <button
                type="button"
                className="layer"
                aria-pressed={edits.selection.has(element.id)}
                onClick={(event) => edits.select(element.id, event.shiftKey || event.ctrlKey || event.metaKey)}
              >
                <Icon aria-hidden />
                <span className="truncate">{elementName(element, t)}</span>
                {!shown.has(element.id) && <EyeOff role="img" aria-label={t('designer.hiddenHere')} />}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
