import { Copy, RotateCcw, Trash2 } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { Element, ElementType } from '../../../../shared/design/elements.ts';
import type { PageFormat } from '../../../../shared/design/page-formats.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { TextField } from '../../../components/fields/TextField.tsx';
import { isArranged, placedByRules } from '../edits.ts';
import { elementName } from '../elementName.ts';
import type { DesignEdits } from '../useDesignEdits.ts';
import { ArrangeButtons } from './ArrangeButtons.tsx';
import { PricePanel } from './PricePanel.tsx';
import type { PanelProps } from './panelProps.ts';
import { TablePanel } from './TablePanel.tsx';
import { TextPanel } from './TextPanel.tsx';

type ElementPanelProps = { element: Element; edits: DesignEdits; format: PageFormat; canEdit: boolean };

const PANELS: { readonly [T in ElementType]?: ComponentType<PanelProps<T>> } = {
  text: TextPanel,
  price: PricePanel,
  table: TablePanel,
};

/** All properties of the selected element. */
export function ElementPanel({ element, edits, format, canEdit }: ElementPanelProps) {
  const { t } = useTranslation();
  const Panel = PANELS[element.type] as ComponentType<PanelProps<ElementType>> | undefined;
  const change = (values: Partial<Element>, kind?: string) =>
    edits.onElement(element.id, (now) => ({ ...now, ...values }) as Element, kind);
  return (
    <section className="form element-panel" aria-label={elementName(element, t)}>
      <h2>{t(`designer.types.${element.type}`)}</h2>
      {Panel && <Panel element={element as never} change={change} canEdit={canEdit} edits={edits} />}
      {canEdit && (
        <>
          <ArrangeButtons edits={edits} />
          {isArranged(edits.page, element.id, format) && (
            <p className="field-hint">
              {t('designer.arranged', { format: t(`designer.formats.${format}`) })}{' '}
              <Button
                size="small"
                variant="quiet"
                icon={RotateCcw}
                onPress={() => edits.onPage((page) => placedByRules(page, element.id, format))}
              >
                {t('designer.byRules')}
              </Button>
            </p>
          )}
          <TextField
            label={t('designer.elementName')}
            value={element.name}
            onChange={(name) => change({ name }, 'name')}
            maxLength={80}
          />
          <div className="zone-actions">
            <IconButton icon={Copy} label={t('designer.duplicate')} onPress={edits.duplicate} />
            <IconButton icon={Trash2} label={t('designer.remove')} onPress={edits.remove} />
          </div>
        </>
      )}
    </section>
  );
}
