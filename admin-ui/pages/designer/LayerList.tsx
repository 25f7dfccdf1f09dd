import { useTranslation } from 'react-i18next';
import type { Page } from '../../../shared/design/design.ts';
import { ELEMENT_ICONS } from './AddElement.tsx';
import { elementName } from './elementName.ts';
import type { DesignEdits } from './useDesignEdits.ts';

/** All elements of the page, the front one first, also those that this format hides. */
export function LayerList({ page, edits }: { page: Page; edits: DesignEdits }) {
  const { t } = useTranslation();
  return (
    <section className="zone-list">
      <h2>{t('designer.layers')}</h2>
      <ul>
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
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
